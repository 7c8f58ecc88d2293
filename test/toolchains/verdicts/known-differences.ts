import type { HapiIssue } from '../hapi-program.js';

/** Issues of HAPI that say nothing of R4 or of our profiles as this gateway checks them; docs/conformance/fhir-profiles.md has the reasons. */
const LEFT_OUT: readonly (readonly [id: RegExp, reason: string])[] = [
  [
    /^(Terminology_PassThrough|TERMINOLOGY_)/,
    'codes beyond required bindings, LOINC, SNOMED CT, UCUM: no terminology is asked',
  ],
  [/^Validation_VAL_Profile_Unknown/, 'profiles of others are accepted, and not checked'],
  [/^Extension_EXT(P_Context_Wrong|_Type)/, "HL7's extensions are not looked up"],
  [/^TYPE_SPECIFIC_CHECKS_DT_ATT_(SIZE|HASH)/, 'content is read where it is taken, not where it is validated'],
  [/^Bundle_BUNDLE_(Entry_NoFullUrl|FullUrl_Missing)/, 'what is posted in a batch may refer to what the server has'],
  [
    /^(ERROR_GENERATING_SNAPSHOT|VALIDATION_HL7_|ED_SEARCH_|CONCEPTMAP_GROUP_|VALUESET_INCLUDE_)/,
    'whether a definition of others can be used',
  ],
];
const R4_OID = /\(([0-2](\.(0|[1-9]\d*))+)\)/;

/** True for an error that counts. */
export function counts({ id, severity, message, location }: HapiIssue): boolean {
  if (severity !== 'error' && severity !== 'fatal') return false;
  const name = id ?? '';
  if (LEFT_OUT.some(([form]) => form.test(name))) return false;
  // HAPI knows fewer roots of OIDs than R4's form of them allows.
  if (name === 'Type_Specific_Checks_DT_OID_Valid' && R4_OID.test(message)) return false;
  // Its engine has no UCUM, so that it refuses every range in two units.
  if (name.endsWith('Range#rng-2') && message.includes('HAPI-0676')) return false;
  // What a profile of others, or an extension of HL7's, demands.
  return (
    !/from http:\/\/hl7\.org\/fhir\/StructureDefinition\/shareable/.test(message) && !isOfExtension(name, location)
  );
}

function isOfExtension(id: string, location: string): boolean {
  return id.startsWith('Terminology_TX_NoValid') && /extension\[\d+\]\.value\.ofType\(code\)$/.test(location);
}
