/**
 * The release of FHIR that the door speaks, in one place. A second release would be a second value of this form, with its own table of
 * types; nothing else names a release in code.
 */
export const FHIR_RELEASE = {
  name: 'R4',
  /** `CapabilityStatement.fhirVersion`, and the version that our package is made for. */
  version: '4.0.1',
  /** HL7's package with the definitions of the release. */
  corePackage: 'hl7.fhir.r4.core',
  /** The folder of the release within fhir-definitions/. */
  definitionsFolder: 'r4',
} as const;

/** Canonical URLs of HL7's own StructureDefinitions start with it, in every release. */
export const CORE_DEFINITIONS = 'http://hl7.org/fhir/StructureDefinition/';

/** HL7's guide on AI as an npm-style package, in the version that is meant here. */
export const AI_TRANSPARENCY_PACKAGE = { name: 'hl7.fhir.uv.aitransparency', version: '1.0.0-ballot' } as const;
