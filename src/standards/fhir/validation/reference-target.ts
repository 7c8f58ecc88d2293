const RELATIVE = /^([A-Z][A-Za-z]+)(\/|\?)/;
const ABSOLUTE = /^https?:\/\/.*\/([A-Z][A-Za-z]+)\/[A-Za-z0-9\-.]{1,64}(\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/**
 * The type that a literal or conditional reference points at. undefined where the reference does not say: `urn:`, `#contained`,
 * an address of another kind; null where it is no reference at all.
 */
export function referencedType(reference: string): string | undefined | null {
  if (/^(urn:|#)/.test(reference)) return undefined;
  if (/^https?:/.test(reference)) return ABSOLUTE.exec(reference)?.[1];
  return RELATIVE.exec(reference)?.[1] ?? null;
}

const CORE = 'http://hl7.org/fhir/StructureDefinition/';

/** The type of resource behind R4's own profile URL; undefined for any other URL. */
export function coreTypeOf(profile: string): string | undefined {
  return profile.startsWith(CORE) ? profile.slice(CORE.length) : undefined;
}
