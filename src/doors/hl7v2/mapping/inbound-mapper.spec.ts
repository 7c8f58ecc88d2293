import type {
  BodyStructure,
  Binary,
  DocumentReference,
  Encounter,
  Media,
  Observation,
  Patient,
  Resource,
  ServiceRequest,
} from '@medplum/fhirtypes';
import { ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import {
  hl7Sample,
  hl7SampleNames,
  hl7SourceOf,
  judgeHl7,
  KnownRecords,
  plannedOf,
  writtenPlace,
  type Judged,
} from '../../../../test/support/hl7-inbound.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));

/** As the samples state it. */
const MRN = {
  type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
  system: 'urn:oid:1.2.3.4.5.6',
  value: 'MRN-778812',
  assigner: { display: 'HOSP' },
};
const PATIENT: Patient = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { versionId: '3' },
  identifier: [{ system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-778812' }],
  name: [{ family: 'Beispiel', given: ['Anna'] }],
  birthDate: '1951-07-14',
  gender: 'female',
};
const ORDER: ServiceRequest = {
  resourceType: 'ServiceRequest',
  id: 's1',
  meta: { versionId: '1' },
  identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
  status: 'active',
  intent: 'order',
  code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] },
  subject: { reference: 'Patient/p1' },
};

const named = ({ problems }: Judged) =>
  problems.map((problem) => `${problem.severity === 'error' ? 'E' : 'W'} ${problem.code} ${writtenPlace(problem)}`);
const types = ({ plan }: Judged) =>
  (plan.bundle?.entry ?? []).map(({ request }) => `${request?.method} ${request?.url}`);

describe('an order that cannot be taken', () => {
  it.each([
    ['without ORC-1', [['ORC|NW|', 'ORC||']], 'E field.required ORC^1^1^1'],
    ['with an ORC-1 that is none', [['ORC|NW|', 'ORC|QQ|']], 'E code.unknown ORC^1^1^1'],
    ['without a number', [['ORD-55012^EHR^1.2.3.4.5.7^ISO', '']], 'E field.required ORC^1^2^1'],
    [
      'without OBR-4',
      [['39135-9^Wound assessment panel^LN^WIA^Wound image analysis^99EHR', '']],
      'E field.required OBR^1^4^1',
    ],
    ['with a depth in inches', [['cm^centimeter^UCUM', '[in_i]^inch^UCUM']], 'E value.unit OBX^7^6^1'],
    ['with a depth that is no number', [['|0.4|cm', '|deep|cm']], 'E value.number OBX^7^5^1'],
    [
      'with a photo time that is none',
      [['|||||F|||20260315094000+0100', '|||||F|||20261315094000+0100']],
      'E value.date OBX^1^14^1',
    ],
    [
      'with two wounds of one number of the message',
      [['OBX|3|CWE|wound-side^Wound side^99EHR|1|left^Left^99EHR', 'OBX|3|ST|wound-id^^99EHR|1|W-13']],
      'E wound.multiple_numbers OBX^4^5^1',
    ],
  ])('%s is refused at that place', async (_name, changes, expected) => {
    const judged = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', ...(changes as [string, string][])));
    expect(named(judged)).toContain(expected);
    expect(judged).toMatchObject({ code: 'AE', plan: { bundle: null, joins: [] } });
  });

  it('of another patient is refused, as is a number that exists without bringing a photo', async () => {
    const other = new KnownRecords([PATIENT, { ...ORDER, subject: { reference: 'Patient/p2' } }]);
    expect(named(await judgeHl7(hl7Sample('2.5.1/omg-o19-photo'), hl7SourceOf(), other))).toContain(
      'E order.other_patient ORC^1^2^1',
    );
    const known = new KnownRecords([
      PATIENT,
      { ...ORDER, identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-601' }] },
    ]);
    expect(named(await judgeHl7(hl7Sample('2.5/oml-o21-new'), hl7SourceOf(), known))).toEqual([
      'E order.exists ORC^1^2^1',
    ]);
  });

  it('is answered by its action all the same', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.5.1/omg-o19-cancel'));
    expect(plan).toMatchObject({
      bundle: null,
      orders: [
        {
          action: { control: 'CA', kind: 'cancel' },
          entry: null,
          received: { placerValue: 'ORD-55012', orc2: 'ORD-55012^EHR^1.2.3.4.5.7^ISO' },
        },
      ],
    });
    expect(plan.problems.map(({ condition, code }) => [condition, code])).toEqual([['204', 'order.unknown']]);
  });

  it('needs a wound number where its source says so', async () => {
    const strict = hl7SourceOf({ woundKey: 'required' });
    expect(named(await judgeHl7(hl7Sample('2.5/oml-o21-new'), strict))).toEqual(['E field.required OBR^1']);
    expect(named(await judgeHl7(hl7Sample('2.5.1/oru-r01-photo-later'), strict))).toEqual(['E field.required OBX^1']);
    expect((await judgeHl7(hl7Sample('2.5.1/omg-o19-photo'), strict)).code).toBe('AA');
    const placer = hl7SourceOf({ woundKey: 'required', woundNumberField: 'OBR-19' });
    const { plan } = await judgeHl7(
      hl7Sample('2.5/oml-o21-new', ['39135-9^Wound assessment panel^LN', '39135-9^^LN|||||||||||||||W-9']),
      placer,
    );
    expect(plannedOf<BodyStructure>(plan, 'BodyStructure')[0]?.resource.identifier).toEqual([{ value: 'W-9' }]);
  });
});

describe('a patient', () => {
  it('that nobody announced is refused where the source says so, but announced at any time', async () => {
    const strict = hl7SourceOf({ unknownPatient: 'reject' });
    expect(named(await judgeHl7(hl7Sample('2.5/oml-o21-new'), strict))).toEqual(['E patient.unknown PID^1^3^1']);
    expect(types(await judgeHl7(hl7Sample('2.5.1/adt-a01-admit'), strict))).toEqual(['POST Patient', 'POST Encounter']);
  });

  it('is not guessed where the numbers are those of two', async () => {
    const two = new KnownRecords([
      PATIENT,
      { resourceType: 'Patient', id: 'p2', identifier: [{ system: 'urn:oid:1.2.3.4.5.66', value: 'G-55' }] },
    ]);
    expect(named(await judgeHl7(hl7Sample('2.5/oml-o21-new'), hl7SourceOf(), two))).toEqual([
      'E patient.multiple_matches PID^1^3^1',
    ]);
  });

  it('says what PID says', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.5.1/adt-a01-admit'));
    const [{ resource, request } = { resource: undefined, request: undefined }] = plannedOf<Patient>(plan, 'Patient');
    expect(resource).toEqual({
      resourceType: 'Patient',
      identifier: [
        {
          type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
          system: 'urn:oid:1.2.3.4.5.6',
          value: 'MRN-778812',
          assigner: { display: 'HOSP' },
        },
        {
          type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'PI' }] },
          system: 'urn:oid:1.2.3.4.5.66',
          value: 'G-55',
          assigner: { display: 'GP' },
        },
      ],
      name: [{ use: 'official', family: 'Beispiel', given: ['Anna'] }],
      birthDate: '1951-07-14',
      gender: 'female',
      address: [{ use: 'home', line: ['Am Stein 4'], city: 'Würzburg', postalCode: '97080', country: 'DE' }],
      telecom: [{ system: 'phone', value: '49 931 123456', use: 'home' }],
    });
    expect(request).toEqual({ method: 'POST', url: 'Patient' });
    expect(plannedOf<Encounter>(plan, 'Encounter')[0]?.resource).toMatchObject({
      status: 'in-progress',
      class: { code: 'IMP' },
      period: { start: '2026-03-14T09:55:00+01:00' },
      location: [{ location: { display: 'W3 301 1 HOSP' } }],
    });
  });

  it('is changed by present fields, deleted ones, and by nothing that is absent', async () => {
    const before: Patient = { ...PATIENT, address: [{ city: 'Würzburg' }] };
    const judged = await judgeHl7(hl7Sample('2.5.1/adt-a08-update'), hl7SourceOf(), new KnownRecords([before]));
    expect(types(judged)).toEqual(['PUT Patient/p1']);
    const [{ resource, request }] = plannedOf<Patient>(judged.plan, 'Patient') as [
      ReturnType<typeof plannedOf<Patient>>[number],
    ];
    const { birthDate, ...kept } = before;
    expect(birthDate).toBeDefined();
    expect(resource).toEqual({
      ...kept,
      identifier: [MRN],
      name: [{ use: 'official', family: 'Muster', given: ['Anna'] }],
    });
    expect(resource).not.toHaveProperty('birthDate');
    expect(request?.ifMatch).toBe('W/"3"');
  });

  it.each([
    ['W', {}, undefined, ['W code.unknown PID^1^8^1']],
    ['w', { W: 'F' }, 'female', []],
    ['1', { '1': 'M', '2': 'F' }, 'male', []],
    ['D', { D: 'O' }, 'other', []],
    ['F', { D: 'O' }, 'female', []],
    ['M', { M: 'F' }, 'female', []],
  ] as const)('of the sex %s, where %j is what its sender means, is %s', async (code, sexCodes, gender, problems) => {
    const judged = await judgeHl7(
      hl7Sample('2.5.1/adt-a01-admit', ['|19510714|F', `|19510714|${code}`]),
      hl7SourceOf({ sexCodes }),
    );
    expect(plannedOf<Patient>(judged.plan, 'Patient')[0]?.resource.gender).toBe(gender);
    expect(named(judged)).toEqual(problems);
  });

  it('keeps to its numbers where the source keeps no demographics', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.5.1/adt-a01-admit'), hl7SourceOf({ storeDemographics: false }));
    expect(Object.keys(plannedOf<Patient>(plan, 'Patient')[0]!.resource)).toEqual(['resourceType', 'identifier']);
  });

  it('is not written by an order or a result', async () => {
    const judged = await judgeHl7(
      hl7Sample('2.5/oml-o21-new', ['Beispiel', 'Muster']),
      hl7SourceOf(),
      new KnownRecords([PATIENT]),
    );
    expect(types(judged)).toEqual(['POST Encounter', 'POST ServiceRequest']);
  });

  it('who was merged is the one who stands now', async () => {
    const ended: Patient = {
      ...PATIENT,
      active: false,
      link: [{ type: 'replaced-by', other: { reference: 'Patient/p9' } }],
    };
    const { plan } = await judgeHl7(
      hl7Sample('2.5/oml-o21-new'),
      hl7SourceOf(),
      new KnownRecords([ended, { resourceType: 'Patient', id: 'p9' }]),
    );
    expect(plannedOf<ServiceRequest>(plan, 'ServiceRequest')[0]?.resource.subject).toEqual({ reference: 'Patient/p9' });
  });
});

describe('a merge', () => {
  it('without a record that ends is refused', async () => {
    expect(
      named(await judgeHl7(hl7Sample('2.5.1/adt-a40-merge', ['MRG|MRN-900001^^^HOSP&1.2.3.4.5.6&ISO^MR', 'ZZZ|1']))),
    ).toEqual(['E segment.missing MRG^1']);
    expect(
      named(await judgeHl7(hl7Sample('2.5.1/adt-a40-merge', ['MRG|MRN-900001^^^HOSP&1.2.3.4.5.6&ISO^MR', 'MRG|']))),
    ).toEqual(['E field.required MRG^1^1^1']);
  });

  it.each(['2.5.1/adt-a40-merge', '2.3/adt-a34-merge'])(
    'of %s joins the records, and says where one was not known',
    async (name) => {
      const judged = await judgeHl7(hl7Sample(name));
      expect(judged.plan.joins).toHaveLength(1);
      expect(judged.plan.joins[0]?.survivor[0]?.value).toMatch(/778812$/);
      expect(judged.plan.joins[0]?.prior[0]?.value).toMatch(/900001$/);
      expect(named(judged)).toEqual(['W patient.prior_unknown MRG^1^1^1', 'W patient.unknown PID^1^3^1']);
      expect(judged.code).toBe('AA');
    },
  );

  it('into itself says that nothing was joined, whether the record is known or not', async () => {
    const sample = hl7Sample('2.5.1/adt-a40-merge', ['MRN-900001', 'MRN-778812']);
    for (const records of [new KnownRecords(), new KnownRecords([PATIENT])]) {
      const judged = await judgeHl7(sample, hl7SourceOf(), records);
      expect([judged.code, named(judged), judged.plan.joins]).toEqual([
        'AA',
        ['W message.not_carried_out MRG^1^1^1'],
        [],
      ]);
    }
  });

  it('that was made before has nothing to do', async () => {
    const joined = new KnownRecords([
      { ...PATIENT, identifier: [...PATIENT.identifier!, { system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-900001' }] },
    ]);
    expect((await judgeHl7(hl7Sample('2.5.1/adt-a40-merge'), hl7SourceOf(), joined)).plan).toMatchObject({
      bundle: null,
      joins: [],
      problems: [],
    });
  });
});

describe('an order with its photo', () => {
  it('is answered with the record number first, wherever it stood', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', ['PID|1||', 'PID|1||999-55-1111^^^USSSA^SS~']));
    expect(plan.orders[0]?.received.pid).toMatch(
      /^PID\|1\|\|MRN-778812\^\^\^HOSP&1\.2\.3\.4\.5\.6&ISO\^MR~[^|]*999-55-1111\^\^\^USSSA\^SS\|/,
    );
  });

  it('is an order, its wound, its photo and what was found at the bedside', async () => {
    const judged = await judgeHl7(
      hl7Sample('2.5.1/omg-o19-photo'),
      hl7SourceOf({ woundIdSystem: 'urn:oid:1.2.3.4.5.8' }),
    );
    expect(named(judged)).toEqual(['W finding.kept OBX^8^3^1']);
    expect(types(judged)).toEqual([
      'POST Patient',
      'POST Encounter',
      'POST BodyStructure',
      'POST ServiceRequest',
      'POST Media',
      'POST Observation',
      'POST Observation',
      'POST Observation',
    ]);
    const [patient, encounter, wound, order, photo] = judged.plan.bundle!.entry!.map(({ fullUrl }) => ({
      reference: fullUrl,
    }));
    expect(plannedOf<BodyStructure>(judged.plan, 'BodyStructure')[0]).toMatchObject({
      resource: {
        identifier: [{ system: 'urn:oid:1.2.3.4.5.8', value: 'W-12' }],
        location: { coding: [{ code: '84607009' }], text: 'Left heel' },
        locationQualifier: [{ coding: [{ code: '7771000' }] }],
        patient,
      },
      request: { method: 'POST', url: 'BodyStructure' },
    });
    expect(plannedOf<ServiceRequest>(judged.plan, 'ServiceRequest')[0]?.resource).toMatchObject({
      identifier: [{ type: { coding: [{ code: 'PLAC' }] }, system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
      status: 'active',
      intent: 'order',
      priority: 'routine',
      authoredOn: '2026-03-15T09:30:00+01:00',
      occurrenceDateTime: '2026-03-15T09:40:00+01:00',
      subject: patient,
      encounter,
      supportingInfo: [wound],
      requester: {
        type: 'Practitioner',
        identifier: { system: 'urn:oid:1.2.3.4.5.9', value: '31' },
        display: 'Petra Pflege',
      },
      reasonCode: [
        { text: 'Diabetic; offloading since 2026-02-20& no fever' },
        { coding: [{ system: 'http://snomed.info/sct', code: '399912005', display: 'Pressure sore' }] },
      ],
      note: [{ text: 'Line one\nLine two' }],
    });
    expect(plannedOf<Media>(judged.plan, 'Media')[0]?.resource).toMatchObject({
      basedOn: [order],
      subject: patient,
      encounter,
      createdDateTime: '2026-03-15T09:40:00+01:00',
      content: { contentType: 'image/jpeg', data: expect.stringMatching(/^\/9j\//) as string },
    });
    const findings = plannedOf<Observation>(judged.plan, 'Observation').map(({ resource }) => resource);
    expect(findings.map(({ valueQuantity, valueCodeableConcept }) => valueQuantity ?? valueCodeableConcept)).toEqual([
      { value: 0.112, system: 'http://unitsofmeasure.org', unit: 'mm/pixel', code: 'mm/{pixel}' },
      {
        coding: [
          expect.objectContaining({ code: 'moderate' }) as object,
          { system: 'http://snomed.info/sct', code: '6736007', display: 'Moderate' },
        ],
      },
      { value: 0.4, unit: 'centimeter', system: 'http://unitsofmeasure.org', code: 'cm' },
    ]);
    for (const finding of findings)
      expect(finding).toMatchObject({
        derivedFrom: [photo],
        focus: [wound],
        basedOn: [order],
        effectiveDateTime: '2026-03-15T09:40:00+01:00',
      });
    expect(judged.plan.orders).toEqual([
      expect.objectContaining({ action: { control: 'NW', kind: 'create' }, entry: 3 }),
    ]);
    expect(judged.plan.places[4]).toEqual({ segment: 'OBX', sequence: 1, field: 5, repetition: 1 });
  });

  it('takes a known wound as it is, and says anew what is new of it', async () => {
    const wound: BodyStructure = {
      resourceType: 'BodyStructure',
      id: 'b1',
      meta: { versionId: '1' },
      identifier: [{ value: 'W-12' }],
      patient: { reference: 'Patient/p1' },
    };
    const others: BodyStructure = { ...wound, id: 'b2', patient: { reference: 'Patient/p2' } };
    const judged = await judgeHl7(
      hl7Sample('2.5.1/omg-o19-photo'),
      hl7SourceOf(),
      new KnownRecords([PATIENT, others, wound]),
    );
    expect(types(judged).slice(0, 3)).toEqual(['POST Encounter', 'PUT BodyStructure/b1', 'POST ServiceRequest']);
    expect(plannedOf<Media>(judged.plan, 'Media')[0]?.resource.extension?.[0]?.valueReference).toEqual({
      reference: 'BodyStructure/b1',
    });
  });

  it.each([
    ['2.5.1/omg-o19-cancel', 'CA', 'revoked'],
    ['2.5.1/omg-o19-cancel', 'DC', 'revoked'],
    ['2.6/orm-o01-hold', 'HD', 'on-hold'],
  ])('%s with %s makes the order %s', async (name, control, status) => {
    const sample = hl7Sample(name, [name.endsWith('hold') ? 'ORC|HD' : 'ORC|CA', `ORC|${control}`]);
    const judged = await judgeHl7(sample, hl7SourceOf(), new KnownRecords([PATIENT, ORDER]));
    expect(types(judged)).toEqual(['PUT ServiceRequest/s1']);
    expect(plannedOf<ServiceRequest>(judged.plan, 'ServiceRequest')[0]?.resource).toEqual({ ...ORDER, status });
    const again = await judgeHl7(
      sample,
      hl7SourceOf(),
      new KnownRecords([PATIENT, { ...ORDER, status: status as 'revoked' }]),
    );
    expect(again).toMatchObject({ code: 'AA', plan: { bundle: null } });
  });

  it('goes on when it is released, and is changed in what the message says', async () => {
    const released = await judgeHl7(
      hl7Sample('2.5.1/omg-o19-cancel', ['ORC|CA', 'ORC|RL']),
      hl7SourceOf(),
      new KnownRecords([PATIENT, { ...ORDER, status: 'on-hold' }]),
    );
    expect(plannedOf<ServiceRequest>(released.plan, 'ServiceRequest')[0]?.resource.status).toBe('active');
    const changed = await judgeHl7(
      hl7Sample('2.5/oml-o21-new', ['ORC|NW', 'ORC|XO'], ['ORD-601', 'ORD-55012']),
      hl7SourceOf(),
      new KnownRecords([PATIENT, ORDER]),
    );
    expect(plannedOf<ServiceRequest>(changed.plan, 'ServiceRequest')[0]?.resource).toMatchObject({
      id: 's1',
      priority: 'stat',
      identifier: ORDER.identifier,
    });
  });

  it('of something else is kept and analyses nothing, unless its source says that it means this', async () => {
    expect(named(await judgeHl7(hl7Sample('2.3/orm-o01-new')))).toEqual(['W order.not_an_analysis OBR^1^4^1']);
    const judged = await judgeHl7(hl7Sample('2.3/orm-o01-new'), hl7SourceOf({ analysisCodes: ['WIA^99EHR'] }));
    expect(named(judged)).toEqual([]);
    const order = plannedOf<ServiceRequest>(judged.plan, 'ServiceRequest')[0]!.resource;
    expect(order).toMatchObject({
      priority: 'stat',
      code: { coding: [{ code: 'WIA' }, { system: 'http://loinc.org', code: '39135-9' }] },
      note: [{ text: 'Second line of\nthe context' }],
    });
  });
});

describe('results', () => {
  it('complete the order that waits for its photo', async () => {
    const judged = await judgeHl7(
      hl7Sample('2.5.1/oru-r01-photo-later'),
      hl7SourceOf(),
      new KnownRecords([PATIENT, ORDER]),
    );
    expect(types(judged)).toEqual(['POST Encounter', 'POST Media']);
    expect(plannedOf<Media>(judged.plan, 'Media')[0]?.resource).toMatchObject({
      basedOn: [{ reference: 'ServiceRequest/s1' }],
      subject: { reference: 'Patient/p1' },
    });
    expect(judged.plan.orders).toMatchObject([{ action: { control: 'RE', kind: 'none' }, entry: null }]);
  });

  it('are analysed where their code or their source says so', async () => {
    const photo = hl7Sample('2.4/oru-r01-photo');
    expect(types(await judgeHl7(photo))).not.toContain('POST ServiceRequest');
    for (const source of [hl7SourceOf({ autoAnalyze: true }), hl7SourceOf({ analysisCodes: ['WP^99EHR'] })]) {
      const { plan } = await judgeHl7(photo, source);
      const [{ resource, fullUrl }] = plannedOf<ServiceRequest>(plan, 'ServiceRequest') as [
        { resource: ServiceRequest; fullUrl: string },
      ];
      expect(resource.code?.coding).toContainEqual({
        system: 'http://loinc.org',
        code: '39135-9',
        display: 'Wound assessment panel',
      });
      expect(plannedOf<Media>(plan, 'Media')[0]?.resource.basedOn).toEqual([{ reference: fullUrl }]);
    }
  });

  it('with a PDF are a document that is not analysed', async () => {
    const judged = await judgeHl7(hl7Sample('2.5.1/oru-r01-pdf'), hl7SourceOf({ autoAnalyze: true }));
    expect(types(judged)).toEqual(['POST Patient', 'POST Encounter', 'POST DocumentReference']);
    expect(judged.plan.orders).toEqual([]);
  });

  it('with a pointer name the address, and the site of the wound from 2.7 on', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.7/oru-r01-pointer'));
    expect(plannedOf<Media>(plan, 'Media')[0]?.resource).toMatchObject({
      content: { contentType: 'image/jpeg', url: 'https://photos.ehr.example/8871.jpg' },
      bodySite: { coding: [{ code: '84607009' }] },
    });
  });

  it('are the same with delimiters of their own, and are repeated with ours', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.8.2/oru-r01-other-delimiters'));
    expect(plannedOf<Patient>(plan, 'Patient')[0]?.resource).toMatchObject({
      identifier: [{ system: 'urn:oid:1.2.3.4.5.6' }],
      name: [{ family: 'Bei|spiel', given: ['An^na'] }],
    });
    expect(plannedOf<ServiceRequest>(plan, 'ServiceRequest')[0]?.resource.reasonCode?.[0]?.text).toBe(
      'Fever# no?yes | ^',
    );
    expect(plan.orders[0]?.received).toMatchObject({
      orc2: 'ORD-802^EHR^1.2.3.4.5.7^ISO',
      pid: 'PID|1||MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR||Bei\\F\\spiel^An\\S\\na',
    });
  });
});

describe('a document', () => {
  it('is kept with its text and its photo, which is one of its own', async () => {
    const { plan } = await judgeHl7(hl7Sample('2.3.1/mdm-t02-photo'));
    const [binary] = plannedOf<Binary>(plan, 'Binary');
    const [media] = plannedOf<Media>(plan, 'Media');
    expect(media?.resource.content).toEqual({ contentType: 'image/jpeg', url: binary?.fullUrl });
    const number = { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR', value: 'DOC-881' };
    expect(plannedOf<DocumentReference>(plan, 'DocumentReference')[0]).toMatchObject({
      resource: {
        masterIdentifier: number,
        status: 'current',
        docStatus: 'final',
        type: { coding: [{ code: 'PN' }] },
        content: [
          { attachment: { contentType: 'text/plain; charset=utf-8' } },
          { attachment: { url: binary?.fullUrl } },
        ],
        context: { related: [{ reference: media?.fullUrl }] },
      },
      request: { ifNoneExist: `identifier=${encodeURIComponent(`${number.system}|DOC-881`)}` },
    });
  });

  it('that is cancelled was entered in error, with its photos', async () => {
    const document: DocumentReference = {
      resourceType: 'DocumentReference',
      id: 'd1',
      status: 'current',
      masterIdentifier: { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR', value: 'DOC-881' },
      content: [{ attachment: { url: 'Binary/m1' } }],
      context: { related: [{ reference: 'Media/m1' }] },
    };
    const media: Media = { resourceType: 'Media', id: 'm1', status: 'completed', content: { url: 'Binary/m1' } };
    const judged = await judgeHl7(
      hl7Sample('2.5.1/mdm-t11-cancel'),
      hl7SourceOf(),
      new KnownRecords([document, media]),
    );
    expect(types(judged)).toEqual(['PUT DocumentReference/d1', 'PUT Media/m1']);
    expect(judged.plan.bundle?.entry?.map(({ resource }) => (resource as Media).status)).toEqual([
      'entered-in-error',
      'entered-in-error',
    ]);
    expect(named(await judgeHl7(hl7Sample('2.5.1/mdm-t11-cancel')))).toEqual(['E document.unknown TXA^1^12^1']);
  });
});

describe('every sample', () => {
  const everything = hl7SourceOf({ autoAnalyze: true, analysisCodes: ['WIA^99EHR'] });

  it.each(hl7SampleNames())('%s makes resources that the record takes', async (name) => {
    const { plan } = await judgeHl7(hl7Sample(name), everything, new KnownRecords([]));
    for (const { resource } of plan.bundle?.entry ?? []) {
      const { level, issues } = validator.validate(resource as Resource);
      expect([resource?.resourceType, level, issues.filter(({ severity }) => severity === 'error')]).toEqual([
        resource?.resourceType,
        null,
        [],
      ]);
    }
    expect(plan.places).toHaveLength(plan.bundle?.entry?.length ?? 0);
  });

  it('makes the same plan each time', async () => {
    const [first, second] = [
      await judgeHl7(hl7Sample('2.5.1/omg-o19-photo')),
      await judgeHl7(hl7Sample('2.5.1/omg-o19-photo')),
    ];
    expect(first).toEqual(second);
  });
});
