import type { Access, AuditAction } from '../../../core/audit/access.js';

/** The patients whose data was accessed: by id, or by a wound. null: no known patient. */
export interface Concerned {
  readonly patients?: readonly (string | null)[];
  readonly wound?: string;
}

/** One resource through this door, named as FHIR names it. `form`: where it was not the plain JSON, such as a media type. */
export function accessTo(
  action: AuditAction,
  resource: string,
  { patients = [], wound }: Concerned,
  form?: string,
): Access {
  return {
    door: 'rest',
    interaction: INTERACTION[action],
    action,
    patients: known(patients),
    ...(wound === undefined ? {} : { wound }),
    resources: [resource],
    ...(form === undefined ? {} : { query: form }),
  };
}

/** A list: what was asked for, and whose data was shown. */
export function listingOf(
  type: string,
  patients: readonly (string | null)[],
  query: Readonly<Record<string, unknown>>,
): Access {
  const asked = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return {
    door: 'rest',
    interaction: 'search-type',
    action: 'R',
    patients: known(patients),
    resources: [],
    query: `${type}?${new URLSearchParams(asked).toString()}`,
  };
}

const INTERACTION: Readonly<Record<AuditAction, string>> = {
  C: 'create',
  R: 'read',
  U: 'update',
  D: 'delete',
  E: 'operation',
};

function known(patients: readonly (string | null)[]): string[] {
  return [...new Set(patients.filter((id) => id !== null))];
}
