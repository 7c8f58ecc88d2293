import { writeFile } from 'node:fs/promises';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';

/** Writes a bill of materials, unless the schema of CycloneDX 1.6 does not allow it. */
export async function writeBill(file, bill) {
  const text = `${JSON.stringify(bill, null, 2)}\n`;
  await requireFit(text);
  await writeFile(file, text);
}

/**
 * Refuses what does not fit the schema of CycloneDX 1.6, with each place and reason; the library brings the schema.
 * @param {string} text JSON
 */
export async function requireFit(text) {
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (faults === null) return;
  const places = faults.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  throw new Error(`the bill of materials does not fit the schema of CycloneDX 1.6:\n  ${places.join('\n  ')}`);
}
