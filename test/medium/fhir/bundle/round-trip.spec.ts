import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle, DocumentReference, Media, Resource } from '@medplum/fhirtypes';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';

const EXAMPLES = resolve(__dirname, '../../../../fhir-profiles/examples');
/** Where these resources come from: their references are relative to it. */
const ENGINE = 'http://engine.example/r4';
const WORKED = [
  'patient',
  'bodystructure-wound',
  'media-1',
  'servicerequest',
  'documentreference-alt',
  'observation-exudate-clinician',
];

const example = <T extends Resource>(name: string): T =>
  JSON.parse(readFileSync(resolve(EXAMPLES, `${name}.json`), 'utf8')) as T;
const PATIENT = `Patient/${example('patient').id}`;
const PRACTITIONER = '0199d0a1-4a00-7b10-8a01-000000000031';

/** Much of what R4 allows and few send: extensions of values, contained resources, narrative, choices, text in many scripts. */
const UNUSUAL: object[] = [
  { resourceType: 'Practitioner', id: PRACTITIONER, name: [{ text: 'Петра Pflege 彼得 \u{1F9D1}' }], active: true },
  {
    resourceType: 'Patient',
    id: 'rich',
    implicitRules: 'http://rules.example/of-ours',
    language: 'de-CH',
    text: {
      status: 'generated',
      div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>Zum <a href="${ENGINE}/${PATIENT}">Patienten</a> &lt;\u00a0&amp;</p></div>`,
    },
    contained: [{ resourceType: 'Organization', id: 'o', name: 'Praxis', partOf: { display: 'Spital' } }],
    extension: [
      {
        url: 'http://x.example/a',
        extension: [
          { url: 'b', valuePeriod: { start: '2026', end: '2027-05' } },
          { url: 'c', valueDecimal: 0.1 },
        ],
      },
    ],
    _birthDate: {
      id: 'b1',
      extension: [
        {
          url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
          valueDateTime: '1951-07-14T14:35:45.123-05:00',
        },
      ],
    },
    birthDate: '1951-07-14',
    name: [
      {
        given: ['Anna', 'B.'],
        _given: [null, { extension: [{ url: 'http://x.example/i', valueBoolean: true }] }],
        family: 'O’Beispiel',
      },
    ],
    deceasedBoolean: false,
    multipleBirthInteger: 2,
    generalPractitioner: [
      { reference: '#o' },
      { type: 'Practitioner', identifier: { system: 'urn:oid:2.9.9', value: 'GP 7' } },
    ],
    link: [{ other: { reference: PATIENT }, type: 'seealso' }],
  },
  {
    resourceType: 'Encounter',
    id: '0199e1c4-6700-7c33-8b02-000000000315',
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
    subject: { reference: PATIENT },
    period: {
      start: '2026-03-01T00:00:00Z',
      _end: {
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
      },
    },
    participant: [{ individual: { reference: `Practitioner/${PRACTITIONER}` } }],
  },
  {
    resourceType: 'Encounter',
    id: '0199d0a1-4a00-7b10-8a01-000000000301',
    status: 'in-progress',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
    subject: { reference: PATIENT },
  },
  {
    resourceType: 'Condition',
    id: 'c',
    subject: { reference: PATIENT },
    onsetAge: { value: 70, unit: 'a', system: 'http://unitsofmeasure.org', code: 'a' },
    code: { coding: [{ system: 'http://snomed.info/sct', code: '399912005' }] },
    note: [{ text: ' spaces \n\tkept  ' }],
  },
  {
    resourceType: 'Organization',
    id: 'org',
    identifier: [{ system: 'urn:ietf:rfc:3986', value: 'urn:uuid:0199d0a1-4a00-7b10-8a01-000000001001' }],
    name: 'Klinik',
  },
];

let ground: IntakeGround;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());

/** What a resource of a client is once its links name resources of ours, and without what the server alone gives. */
function expected(resource: Resource, addresses: ReadonlyMap<string, string>): object {
  let text = JSON.stringify({ ...resource, id: undefined });
  for (const [old, address] of addresses)
    text = text
      .replaceAll(`"${ENGINE}/${old}"`, `"${address}"`)
      .replaceAll(`\\"${ENGINE}/${old}\\"`, `\\"${address}\\"`)
      .replaceAll(`"${old}"`, `"${address}"`);
  return JSON.parse(text) as object;
}

function withoutServer({ id: _id, meta, ...rest }: Resource): object {
  const { versionId: _version, lastUpdated: _when, ...kept } = meta ?? {};
  return Object.keys(kept).length === 0 ? rest : { ...rest, meta: kept };
}

describe('resources of others', () => {
  it('come back as they were sent, but for their ids and links', async () => {
    const caller = await ground.createCaller();
    const worked = WORKED.map((name) => example(name));
    const media = worked[2] as Media;
    const document = worked[4] as DocumentReference;
    const binaries = [media.content, document.content[0]!.attachment].map((attachment, index) => {
      const id = `photo-${index}`;
      Object.assign(attachment, { url: `${ENGINE}/Binary/${id}`, size: undefined, hash: undefined });
      return { resourceType: 'Binary', id, contentType: 'image/jpeg', data: '' };
    });
    for (const [index, binary] of binaries.entries()) binary.data = await photoData(index + 1);
    document.context!.related = [{ reference: `BodyStructure/${worked[1]!.id}` }];
    (worked[3] as { supportingInfo: object[] }).supportingInfo = [
      { reference: `BodyStructure/${worked[1]!.id}`, display: 'Left heel' },
      { reference: `Media/${media.id}` },
    ];
    const resources = [...worked, ...binaries, ...UNUSUAL] as Resource[];
    const bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: resources.map((resource) => ({
        fullUrl: `${ENGINE}/${resource.resourceType}/${resource.id}`,
        resource,
        request: { method: 'POST', url: resource.resourceType },
      })),
    } as Bundle;

    const entries = ((await ground.transact(caller, bundle)).body as Bundle).entry!;
    const addresses = new Map(
      entries.map(({ response }, at) => [
        `${resources[at]!.resourceType}/${resources[at]!.id}`,
        response!.location!.split('/_history')[0]!,
      ]),
    );
    for (const resource of resources.filter(({ resourceType }) => resourceType !== 'Binary')) {
      const [type, id] = addresses.get(`${resource.resourceType}/${resource.id}`)!.split('/');
      const kept = withoutServer(await ground.find(caller, type as 'Patient', id!));
      // What is known of a photo itself is added to its resource; nothing else is.
      if (type === 'Media' || type === 'DocumentReference')
        expect(kept).toMatchObject(withoutSizes(expected(resource, addresses)));
      else expect(kept).toEqual(expected(resource, addresses));
    }
  });
});

/** Width and height of the example are not those of the drawn photo, and its image id is now another. */
function withoutSizes(resource: object): object {
  const { width: _width, height: _height, identifier: _identifier, ...rest } = resource as Media;
  return rest;
}
