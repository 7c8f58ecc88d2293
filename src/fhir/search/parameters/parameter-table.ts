/** What the CapabilityStatement offers for a type: names of R4's search parameters, and of ours. */
export interface TypeParameters {
  readonly names: readonly string[];
  /** The parameter whose date the type is in the order of, and is filed under. */
  readonly clinicalDate?: string;
}

/** For every type. */
export const COMMON_PARAMETERS = ['_id', '_lastUpdated', '_profile', '_tag', '_security'];

const table = (names: string, clinicalDate?: string): TypeParameters => ({
  names: names.split(' '),
  ...(clinicalDate === undefined ? {} : { clinicalDate }),
});

const CONTACT = 'telecom phone email address address-city address-state address-postalcode address-country address-use';

/** Standards 3.3; the types of definitions are searched elsewhere (metadata/). */
export const PARAMETER_TABLE: Readonly<Record<string, TypeParameters>> = {
  Patient: table(
    `identifier name family given birthdate gender active death-date general-practitioner organization link language ${CONTACT}`,
  ),
  Encounter: table(
    'identifier patient subject date status class type based-on participant practitioner service-provider part-of diagnosis reason-code location',
    'date',
  ),
  BodyStructure: table('identifier patient location morphology'),
  Condition: table(
    'identifier patient subject encounter asserter code category clinical-status verification-status severity stage evidence body-site onset-date onset-age onset-info abatement-date abatement-age abatement-string recorded-date',
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
