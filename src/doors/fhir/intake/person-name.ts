import type { HumanName } from '@medplum/fhirtypes';

/** From the name that stands in papers to those that are no longer used. */
const USES: readonly (HumanName['use'] | undefined)[] = [
  'official',
  'usual',
  undefined,
  'temp',
  'nickname',
  'anonymous',
  'maiden',
  'old',
];

/** A patient's name: as its sender writes it, else `Family, Given`, so that the two are not confused. null without any. */
export function patientNameOf(names: readonly HumanName[] | undefined): string | null {
  return nameOf(names, ({ family, given, suffix }) =>
    [joined(family, ...(suffix ?? [])), joined(...(given ?? []))].filter((part) => part !== '').join(', '),
  );
}

/** A professional's name, as one is addressed: `Dr. Petra Pflege`. null without any. */
export function professionalNameOf(names: readonly HumanName[] | undefined): string | null {
  return nameOf(names, ({ prefix, given, family, suffix }) =>
    joined(...(prefix ?? []), ...(given ?? []), family, ...(suffix ?? [])),
  );
}

function nameOf(names: readonly HumanName[] | undefined, compose: (name: HumanName) => string): string | null {
  const written = [...(names ?? [])]
    .sort((one, other) => USES.indexOf(one.use) - USES.indexOf(other.use))
    .map((name) => joined(name.text) || compose(name));
  return written.find((text) => text !== '') ?? null;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => part?.trim() || []).join(' ');
}
