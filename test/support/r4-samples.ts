type Json = Record<string, unknown>;

const concept = (system: string, code: string): Json => ({ coding: [{ system, code }], text: code });
const quantity = (value: number, code = 'cm'): Json => ({
  value,
  unit: code,
  system: 'http://unitsofmeasure.org',
  code,
});
const period = { start: '2026-01-01', end: '2026-02-28T09:00:00+01:00' };
const narrative = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Left heel</div>' };
const note = [{ authorReference: { reference: 'Practitioner/1' }, time: '2026-03-15', text: 'Dressing changed.' }];
const address = {
  use: 'home',
  type: 'both',
  line: ['Example street 1', 'Back door'],
  city: 'Example',
  postalCode: '00000',
  country: 'DE',
  period,
};
const telecom = [{ system: 'phone', value: '+00 000', use: 'work', rank: 1, period }];
const extension = [
  {
    url: 'urn:x:nested',
    extension: [
      { url: 'a', valueBoolean: false },
      { url: 'b', valueCodeableConcept: { text: 'b' } },
    ],
  },
  { url: 'urn:x:value', valueReference: { reference: 'Organization/1' } },
];
const identifier = [
  {
    use: 'official',
    type: concept('http://terminology.hl7.org/CodeSystem/v2-0203', 'MR'),
    system: 'urn:oid:1.2.3',
    value: '778812',
    period,
    assigner: { reference: 'Organization/1' },
  },
];
const contained = [
  { resourceType: 'Patient', id: 'p', gender: 'female' },
  { resourceType: 'Specimen', id: 's' },
];
const meta = {
  versionId: '1',
  lastUpdated: '2026-03-15T09:40:00Z',
  profile: ['urn:x:profile'],
  tag: [{ system: 'urn:x', code: 'a' }],
};

const patient: Json = {
  resourceType: 'Patient',
  id: 'p1',
  meta,
  language: 'de',
  text: narrative,
  extension,
  identifier,
  active: true,
  telecom,
  gender: 'other',
  birthDate: '1951-04',
  address: [address],
  multipleBirthInteger: 2,
  name: [
    {
      use: 'official',
      family: 'Example',
      given: ['Anna', 'B.'],
      prefix: ['Dr.'],
      period,
      _family: { extension: [{ url: 'urn:x:own-name', valueString: 'Example' }] },
    },
  ],
  _birthDate: { extension: [{ url: 'urn:x:birth-time', valueDateTime: '1951-04-01T10:00:00+01:00' }] },
  maritalStatus: concept('http://terminology.hl7.org/CodeSystem/v3-MaritalStatus', 'M'),
  photo: [{ contentType: 'image/png', data: 'AAAA', hash: 'AAAA', size: 3, title: 'x', creation: '2026' }],
  contact: [
    {
      relationship: [{ text: 'daughter' }],
      name: { text: 'B. Example' },
      telecom,
      address,
      gender: 'female',
      organization: { reference: 'Organization/1' },
      period,
    },
  ],
  communication: [{ language: concept('urn:ietf:bcp:47', 'de'), preferred: true }],
  generalPractitioner: [{ reference: 'Practitioner/1' }, { reference: 'https://ehr.example/fhir/Organization/1' }],
  link: [{ other: { reference: 'Patient/2' }, type: 'seealso' }],
};

const observation: Json = {
  resourceType: 'Observation',
  contained,
  status: 'final',
  code: concept('http://loinc.org', '39126-8'),
  subject: { reference: '#p' },
  specimen: { reference: '#s' },
  effectiveTiming: { event: ['2026-03-15'] },
  hasMember: [{ reference: 'Observation?identifier=urn:x|1' }],
  derivedFrom: [{ reference: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001' }],
  note,
  interpretation: [{ text: 'smaller' }],
  valueSampledData: { origin: quantity(0), period: 10, factor: 1.5, dimensions: 1, data: '1 2 E' },
  referenceRange: [{ low: quantity(1), high: quantity(2), age: { low: quantity(1, 'a') } }, { text: 'none' }],
};
const component = [
  { code: { text: 'a' }, valueRange: { low: quantity(1), high: quantity(2) } },
  {
    code: { text: 'b' },
    valueRatio: { numerator: quantity(1), denominator: quantity(2) },
    referenceRange: [{ text: 'x' }],
  },
  { code: { text: 'c' }, dataAbsentReason: { text: 'unknown' } },
  { code: { text: 'd' }, valueTime: '10:00:00' },
];

const repeat = {
  boundsPeriod: period,
  count: 3,
  countMax: 4,
  duration: 10,
  durationUnit: 'min',
  frequency: 1,
  period: 1,
  periodUnit: 'd',
  dayOfWeek: ['mon', 'fri'],
  when: ['MORN'],
  offset: 10,
};

/** Resources of the types that clients create, with more in them than the worked examples have; all are valid R4. */
export const R4_SAMPLES: readonly Json[] = [
  patient,
  observation,
  {
    resourceType: 'Observation',
    status: 'preliminary',
    code: { text: 'panel' },
    component,
    effectivePeriod: period,
    dataAbsentReason: { text: 'not one value' },
  },
  {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ code: 'b' }] },
    valueBoolean: false,
    component: [{ code: { coding: [{ code: 'a' }] }, valueInteger: -1 }],
  },
  {
    resourceType: 'Encounter',
    status: 'in-progress',
    statusHistory: [{ status: 'arrived', period }],
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
    subject: { reference: 'Patient/1' },
    length: quantity(3, 'd'),
    hospitalization: { dischargeDisposition: { text: 'home' } },
    location: [{ location: { reference: 'Location/1' }, status: 'active' }],
  },
  {
    resourceType: 'Organization',
    active: true,
    name: 'Example',
    alias: ['E'],
    telecom,
    address: [{ ...address, use: 'work' }],
    partOf: { reference: 'Organization/2' },
    contact: [{ purpose: { text: 'x' }, name: { text: 'y' } }],
  },
  {
    resourceType: 'Practitioner',
    identifier,
    name: [{ family: 'Example' }],
    gender: 'male',
    birthDate: '1980-02-29',
    qualification: [{ code: { text: 'nurse' }, issuer: { display: 'x' } }],
  },
  {
    resourceType: 'BodyStructure',
    identifier,
    active: true,
    location: concept('http://snomed.info/sct', '76853006'),
    locationQualifier: [{ text: 'left' }],
    image: [{ url: 'urn:x' }],
    patient: { reference: 'Patient/1' },
  },
  {
    resourceType: 'Condition',
    clinicalStatus: concept('http://terminology.hl7.org/CodeSystem/condition-clinical', 'resolved'),
    verificationStatus: concept('http://terminology.hl7.org/CodeSystem/condition-ver-status', 'confirmed'),
    subject: { reference: 'Patient/1' },
    onsetAge: quantity(70, 'a'),
    abatementDateTime: '2026',
    stage: [{ summary: { text: '2' } }],
    evidence: [{ code: [{ text: 'x' }] }],
  },
  {
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    priority: 'routine',
    code: { text: 'photo' },
    orderDetail: [{ text: 'ruler' }],
    subject: { reference: 'Group/1' },
    occurrenceTiming: { repeat },
    authoredOn: '2026-03-15T09:40:00.123Z',
    quantityQuantity: quantity(1, '1'),
    asNeededBoolean: false,
  },
  {
    resourceType: 'Media',
    status: 'completed',
    subject: { reference: 'Patient/1' },
    createdDateTime: '2026-03-15T09:40:00Z',
    height: 10,
    width: 10,
    frames: 1,
    duration: 0.5,
    content: { contentType: 'image/png', data: 'AAA=', size: 2 },
    note,
  },
  {
    resourceType: 'DocumentReference',
    status: 'current',
    docStatus: 'final',
    date: '2026-03-15T09:40:00Z',
    content: [{ attachment: { contentType: 'image/jpeg', url: 'Binary/1' }, format: { code: 'x' } }],
    relatesTo: [{ code: 'replaces', target: { reference: 'DocumentReference/1' } }],
    context: { period, related: [{ reference: 'Media/1' }] },
  },
  {
    resourceType: 'Task',
    status: 'requested',
    intent: 'order',
    authoredOn: '2026-01-01T00:00:00Z',
    lastModified: '2026-01-02T00:00:00Z',
    executionPeriod: period,
    restriction: { repetitions: 1, period },
    input: [{ type: { text: 'x' }, valueBase64Binary: 'AAAA' }],
    output: [{ type: { text: 'y' }, valueReference: { reference: 'Binary/1' } }],
  },
  {
    resourceType: 'DiagnosticReport',
    status: 'final',
    code: { text: 'wound' },
    subject: { reference: 'Patient/1' },
    effectiveDateTime: '2026-03',
    issued: '2026-03-15T09:40:00+14:00',
    result: [{ reference: 'Observation/1' }],
    media: [{ link: { reference: 'Media/1' } }],
    presentedForm: [{ contentType: 'application/pdf', data: 'AA==' }],
  },
  {
    resourceType: 'Device',
    status: 'active',
    udiCarrier: [{ deviceIdentifier: 'x', carrierHRF: 'y', entryType: 'manual' }],
    deviceName: [{ name: 'x', type: 'model-name' }],
    version: [{ value: '1.0.0' }],
    property: [{ type: { text: 'x' }, valueQuantity: [quantity(1)] }],
  },
  {
    resourceType: 'Provenance',
    target: [{ reference: 'DiagnosticReport/1/_history/2' }],
    occurredPeriod: period,
    recorded: '2026-03-15T09:40:00Z',
    policy: ['urn:x'],
    agent: [{ who: { reference: 'Device/1' } }],
    entity: [{ role: 'source', what: { reference: 'Media/1' } }],
    signature: [
      {
        type: [{ code: 'x' }],
        when: '2026-03-15T09:40:00Z',
        who: { display: 'x' },
        sigFormat: 'application/jose',
        data: 'AAAA',
      },
    ],
  },
  {
    resourceType: 'Parameters',
    parameter: [
      { name: 'a', valueUnsignedInt: 0 },
      { name: 'b', resource: { resourceType: 'Patient', name: [{ text: 'x' }] } },
      {
        name: 'c',
        part: [
          { name: 'd', valueUri: 'urn:x' },
          { name: 'e', valueOid: 'urn:oid:1.2' },
        ],
      },
    ],
  },
  {
    resourceType: 'Bundle',
    type: 'batch',
    timestamp: '2026-03-15T09:40:00Z',
    entry: [
      {
        fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002',
        resource: patient,
        request: { method: 'POST', url: 'Patient', ifNoneExist: 'identifier=x' },
      },
      { resource: observation, request: { method: 'PUT', url: 'Observation/1', ifMatch: 'W/"1"' } },
    ],
  },
  {
    resourceType: 'Bundle',
    type: 'batch-response',
    entry: [
      {
        response: {
          status: '400',
          lastModified: '2026-03-15T09:40:00Z',
          outcome: {
            resourceType: 'OperationOutcome',
            issue: [{ severity: 'error', code: 'invalid', expression: ['Patient.name[0]'] }],
          },
        },
      },
    ],
  },
  {
    resourceType: 'Binary',
    contentType: 'text/plain; charset=utf-8',
    securityContext: { reference: 'Patient/1' },
    data: 'AAAA',
  },
  {
    resourceType: 'PlanDefinition',
    status: 'draft',
    action: [
      {
        condition: [{ kind: 'start', expression: { language: 'text/fhirpath', expression: 'true' } }],
        input: [{ type: 'Patient', codeFilter: [{ path: 'gender', code: [{ code: 'x' }] }] }],
        trigger: [{ type: 'named-event', name: 'x' }],
      },
    ],
  },
];
