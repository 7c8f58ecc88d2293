import { Spec, Validation } from '@cyclonedx/cyclonedx-library';

/**
 * What the schema of CycloneDX 1.6 has against a bill, each as a place and a reason; the schema comes with the library.
 * @param {string} text JSON
 */
export async function faultsOf(text) {
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  return (faults ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}
