/** Code systems and identifier systems, the same behind every door. */
export const LOINC = 'http://loinc.org';
export const SNOMED = 'http://snomed.info/sct';
export const UCUM = 'http://unitsofmeasure.org';
/** Base of everything that Sutura publishes itself; a name, and no address of an installation. */
export const SUTURA = 'https://sutura.dev/fhir';
export const WOUND_OBSERVATION = `${SUTURA}/CodeSystem/wound-observation`;

/** A profile of HL7's skin and wound guide, a draft that was never published. */
export const guideProfileUrl = (name: string): string =>
  `http://hl7.org/fhir/us/lower-extremity-skin-wound-assessment/StructureDefinition/${name}`;
export const profileUrl = (id: string): string => `${SUTURA}/StructureDefinition/${id}`;
export const identifierSystem = (
  kind: 'image-id' | 'job-id' | 'wound' | 'observation' | 'model' | 'hl7v2-message' | 'api-key',
): string => `${SUTURA}/sid/${kind}`;
