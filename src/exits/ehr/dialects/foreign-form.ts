import type { Resource } from '@medplum/fhirtypes';
import { identifierSystem } from '../../../reports/index.js';

/** System of our ids where an EHR has no resource of ours: a logical reference, which no server resolves. */
const IDENTIFIER_OF: Readonly<Record<string, string>> = {
  Media: identifierSystem('image-id'),
  BodyStructure: identifierSystem('wound'),
};

/**
 * A resource of ours as another server can take it: without our id, and without profiles and extensions that it does not know; references lead where
 * `place` says, or name our record by its identifier. `place` null: the EHR does not have it.
 */
export function foreignForm<T extends Resource>(resource: T, place: (reference: string) => string | null): T {
  const { id: _, ...rest } = resource as T & { readonly extension?: unknown };
  const { extension: __, meta, ...plain } = rest as typeof rest & { readonly meta?: Resource['meta'] };
  const security = meta?.security;
  const form = { ...plain, ...(security === undefined ? {} : { meta: { security } }) };
  return walked(form, place) as T;
}

function walked(value: unknown, place: (reference: string) => string | null): unknown {
  if (Array.isArray(value)) return value.map((one) => walked(one, place)).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const { reference } = value as { readonly reference?: unknown };
  if (typeof reference === 'string') return referred(value, reference, place);
  const entries = Object.entries(value).map(([name, part]) => [name, walked(part, place)] as const);
  return Object.fromEntries(
    entries.filter(([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0)),
  );
}

/** undefined: nothing is said that the EHR could find. */
function referred(value: object, reference: string, place: (reference: string) => string | null): unknown {
  const there = place(reference);
  if (there !== null) return { ...value, reference: there };
  const [type = '', id = ''] = reference.split('/');
  if (type === 'Organization') return { type, display: 'Sutura' };
  if (type === 'Device') return { type, display: id };
  const system = IDENTIFIER_OF[type];
  return system === undefined ? undefined : { type, identifier: { system, value: id } };
}
