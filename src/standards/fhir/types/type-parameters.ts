import type { TypesWith } from './type-table.js';

/** The search parameters of a type, by the names of R4's and of our own SearchParameters. */
interface TypeParameters {
  readonly names: readonly string[];
  /** The date by which the type is ordered, kept in columns of its own. */
  readonly clinicalDate?: string;
}

/** Parameters of every type. */
export const COMMON_PARAMETERS = ['_id', '_lastUpdated', '_profile', '_tag', '_security'];

const table = (names: string, clinicalDate?: string): TypeParameters => ({
  names: names.split(' '),
  ...(clinicalDate === undefined ? {} : { clinicalDate }),
});

const CONTACT = 'telecom phone email address address-city address-state address-postalcode address-country address-use';

/**
 * Each type of the store has a row, without which nothing compiles. Includes, and the pages of $everything, come in this order. Definitions and
 * accesses are searched elsewhere (interactions/definition-reading.ts, audit/).
 */
const PARAMETERS: Readonly<Record<TypesWith<'origin', 'store'>, TypeParameters>> = {
  Patient: table(
    `identifier name family given birthdate gender active deceased death-date general-practitioner organization link language ${CONTACT}`,
  ),
  Encounter: table(
    'identifier patient subject date status class type based-on participant practitioner service-provider part-of diagnosis reason-code location',
    'date',
  ),
  BodyStructure: table('identifier patient location morphology'),
  Condition: table(
    'identifier patient subject encounter asserter code category clinical-status verification-status severity stage evidence body-site onset-date onset-age onset-info abatement-date abatement-age abatement-string recorded-date',
  ),
  Procedure: table(
    'identifier patient subject encounter code category status date based-on part-of performer location reason-code reason-reference',
    'date',
  ),
  ServiceRequest: table(
    'identifier patient subject encounter status intent code authored requester performer performer-type priority category body-site occurrence based-on replaces requisition',
    'authored',
  ),
  Media: table(
    'identifier patient subject encounter created status type modality site based-on device operator view wound',
    'created',
  ),
  DocumentReference: table(
    'identifier patient subject type category status date encounter related author custodian description facility setting event period security-label language location contenttype relatesto relation',
    'date',
  ),
  Observation: table(
    'identifier patient subject encounter code category status date based-on derived-from has-member focus device performer ' +
      'value-quantity code-value-quantity component-code component-value-quantity component-code-value-quantity combo-code value-concept',
    'date',
  ),
  DiagnosticReport: table(
    'identifier patient subject encounter code category status date issued based-on media result conclusion performer results-interpreter wound previous sequence',
    'date',
  ),
  Task: table(
    'identifier patient subject status business-status code focus based-on owner authored-on modified',
    'authored-on',
  ),
  Device: table('identifier type model manufacturer status'),
  Provenance: table('target agent recorded patient entity', 'recorded'),
  Organization: table(
    'identifier name active type partof address address-city address-state address-postalcode address-country address-use',
  ),
  Practitioner: table(`identifier name family given gender active communication ${CONTACT}`),
};

/** Types whose resources in the store are searched. */
export const SEARCHED_TYPES = Object.keys(PARAMETERS) as readonly (keyof typeof PARAMETERS)[];

/** undefined: a type that has no resources in the store. */
export function typeParameters(type: string): TypeParameters | undefined {
  return Object.hasOwn(PARAMETERS, type) ? PARAMETERS[type as keyof typeof PARAMETERS] : undefined;
}
