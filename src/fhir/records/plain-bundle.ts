import type { Bundle } from '@medplum/fhirtypes';

/** A copy as JSON would carry it, without what is undefined and without an empty list of entries. What is prepared of a Bundle is written into it; its maker's stays as it is. */
export function plainBundle({ entry, ...bundle }: Bundle): unknown {
  return plain({ ...bundle, ...(entry === undefined || entry.length === 0 ? {} : { entry }) });
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, plain(inner)]])),
  );
}
