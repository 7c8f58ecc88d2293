import type { ClinicianField, ClinicianObservations } from './clinician-observations.js';

/**
 * What a person states of the wound in place of what had been stated. A request names all of it; what it repeats unchanged keeps the day on which
 * it was stated: the depth of another day does not become that of the photo's because somebody corrected the pain beside it.
 */
export function restated(given: ClinicianObservations, before: ClinicianObservations | null): ClinicianObservations {
  const kept = Object.entries(before?.statedAt ?? {}).filter(([field]) =>
    isSame(given[field as ClinicianField], before?.[field as ClinicianField]),
  );
  return kept.length === 0 ? given : { ...given, statedAt: Object.fromEntries(kept) };
}

function isSame(one: unknown, other: unknown): boolean {
  return one !== undefined && textOf(one) === textOf(other);
}

/** What the database gives back has its members in another order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
