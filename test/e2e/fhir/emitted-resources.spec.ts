import type { DiagnosticReport, ElementDefinition, Resource, StructureDefinition } from '@medplum/fhirtypes';
import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';
import { R4Definitions } from '../../../src/standards/fhir/definitions/r4-definitions.js';
import { CANONICAL_BASE, ProfileLibrary } from '../../../src/standards/fhir/profiles/profile-library.js';
import { ResourceValidator } from '../../../src/standards/fhir/validation/resource-validator.js';

const definitions = new R4Definitions();
const library = new ProfileLibrary(definitions);
const validator = new ResourceValidator(definitions, library);
const IMAGE = { system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' };
const LOINC = 'http://loinc.org';
const ORDER = { coding: [{ system: LOINC, code: '39135-9' }] };
const PHOTO = { coding: [{ system: LOINC, code: '72170-4' }] };

type Json = Record<string, unknown>;

/** Forms of a photo and its order that are accepted; the photo's bytes and patient come beside them. */
const MEDIA: readonly [string, Json, Json][] = [
  ['as R4 wants it at least', {}, {}],
  [
    'of a type in words alone',
    { type: { text: 'Wundfoto' }, createdDateTime: '2026-03-01' },
    { intent: 'original-order' },
  ],
  [
    'called a video, with a code of the hospital beside it',
    {
      type: {
        coding: [
          { system: IMAGE.system, code: 'video' },
          { system: 'urn:hospital', code: 'wound' },
        ],
      },
      createdDateTime: '2026-03-01T00:30:00+01:00',
    },
    {
      priority: 'stat',
      code: { coding: [{ system: `${CANONICAL_BASE}CodeSystem/service`, code: 'wound-image-analysis' }] },
    },
  ],
  [
    'taken in a span of time',
    {
      type: { coding: [IMAGE] },
      createdPeriod: { start: '2026-03-01T00:30:00+01:00', end: '2026-03-01T00:35:00+01:00' },
    },
    { authoredOn: '2026-03-01', note: [{ text: 'Left heel' }] },
  ],
  [
    'that has ended in its sender’s view',
    { status: 'in-progress', modality: { text: 'Photo' } },
    { occurrenceDateTime: '2026-03-02' },
  ],
];
const DOCUMENTS: readonly [string, Json][] = [
  ['as R4 wants it at least', { type: PHOTO }],
  [
    'known by its category, with a period',
    { category: [PHOTO], context: { period: { start: '2026-03-03T10:00:00Z' } } },
  ],
];

describe('whatever form of photo and order is accepted', () => {
  let gateway: Gateway;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await startGateway({ env: { FHIR_PHOTO_AS: 'both' } });
    client = (await gateway.createClient()).at(gateway.baseUrl);
  });
  afterAll(() => gateway?.stop());

  const transact = async (resources: readonly [string, Json][]): Promise<string[]> => {
    const entry = resources.map(([urn, resource]) => ({
      fullUrl: urn,
      resource,
      request: { method: 'POST', url: resource['resourceType'] },
    }));
    const json = { resourceType: 'Bundle', type: 'transaction', entry };
    const { body } = expectStatus(200, await client.request('POST', '/fhir', { json }));
    return body.entry.map(({ response }: { response: { location: string } }) =>
      response.location.split('/_history')[0]!.split('/').slice(-2).join('/'),
    );
  };
  /** All that is kept about the patient, once each photo has its report. */
  const emitted = async (patient: string, reports: number): Promise<Resource[]> => {
    const found = await eventually('the reports are shown', async () => {
      const { body } = await client.request('GET', `/fhir/DiagnosticReport?subject=${patient}&_count=0`);
      return body.total === reports ? body : undefined;
    });
    expect(found.total).toBe(reports);
    const all: Resource[] = [];
    for (let path: string | undefined = `/fhir/${patient}/$everything?_count=200`; path !== undefined;) {
      const { body }: Answer = expectStatus(200, await client.request('GET', path));
      all.push(...body.entry.map(({ resource }: { resource: Resource }) => resource));
      const next: string | undefined = body.link.find(({ relation }: Json) => relation === 'next')?.url;
      path = next?.slice(next.indexOf('/fhir/'));
    }
    // It is no part of the compartment: what it is about are other resources.
    const path = `/fhir/DiagnosticReport?subject=${patient}&_revinclude=Provenance:target&_count=200`;
    const { body } = expectStatus(200, await client.request('GET', path));
    return [...all, ...body.entry.map(({ resource }: { resource: Resource }) => resource)];
  };

  it.each(MEDIA)(
    'a Media %s: all that comes of it meets R4, its profiles, and what they ask of what it names',
    async (_, media, order) => {
      const data = (await drawSmallWoundPhoto({ seed: 5 })).toString('base64');
      const [patient] = await transact([
        ['urn:uuid:7d8f7f3c-0000-4000-8000-000000000001', { resourceType: 'Patient' }],
        [
          'urn:uuid:7d8f7f3c-0000-4000-8000-000000000002',
          {
            resourceType: 'Media',
            status: 'completed',
            subject: { reference: 'urn:uuid:7d8f7f3c-0000-4000-8000-000000000001' },
            content: { contentType: 'image/jpeg', data },
            ...media,
          },
        ],
        [
          'urn:uuid:7d8f7f3c-0000-4000-8000-000000000003',
          {
            resourceType: 'ServiceRequest',
            status: 'active',
            intent: 'order',
            code: ORDER,
            subject: { reference: 'urn:uuid:7d8f7f3c-0000-4000-8000-000000000001' },
            supportingInfo: [{ reference: 'urn:uuid:7d8f7f3c-0000-4000-8000-000000000002' }],
            ...order,
          },
        ],
      ]);
      const all = await emitted(patient!, 1);
      expect(all.map(({ resourceType }) => resourceType)).toEqual(
        expect.arrayContaining([
          'Media',
          'DocumentReference',
          'Observation',
          'DiagnosticReport',
          'Provenance',
          'Device',
        ]),
      );
      expect(all.find(({ resourceType }) => resourceType === 'Media')).toMatchObject({
        type: { coding: expect.arrayContaining([expect.objectContaining(IMAGE)]) },
      });
      expect(faultsOf(all)).toEqual([]);
      const written = (media['createdDateTime'] ?? (media['createdPeriod'] as { start: string } | undefined)?.start) as
        | string
        | undefined;
      const report = all.find(({ resourceType }) => resourceType === 'DiagnosticReport') as DiagnosticReport;
      if (written !== undefined) expect(report.effectiveDateTime).toBe(written);
    },
  );

  it.each(DOCUMENTS)('a DocumentReference %s: the same', async (_, document) => {
    const data = (await drawSmallWoundPhoto({ seed: 6 })).toString('base64');
    const [patient] = await transact([
      ['urn:uuid:7d8f7f3c-0000-4000-8000-000000000001', { resourceType: 'Patient' }],
      [
        'urn:uuid:7d8f7f3c-0000-4000-8000-000000000002',
        {
          resourceType: 'DocumentReference',
          status: 'current',
          subject: { reference: 'urn:uuid:7d8f7f3c-0000-4000-8000-000000000001' },
          content: [{ attachment: { contentType: 'image/jpeg', data } }],
          ...document,
        },
      ],
      [
        'urn:uuid:7d8f7f3c-0000-4000-8000-000000000003',
        {
          resourceType: 'ServiceRequest',
          status: 'active',
          intent: 'order',
          code: ORDER,
          subject: { reference: 'urn:uuid:7d8f7f3c-0000-4000-8000-000000000001' },
          supportingInfo: [{ reference: 'urn:uuid:7d8f7f3c-0000-4000-8000-000000000002' }],
        },
      ],
    ]);
    expect(faultsOf(await emitted(patient!, 1))).toEqual([]);
  });

  it('is found under the day of the hospital, and keeps the offset that its sender wrote', async () => {
    const own = await gateway.createOrganization();
    const { key } = await gateway.createKey(own);
    const other = new (client.constructor as new (baseUrl: string, key: string) => ApiClient)(gateway.baseUrl, key);
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${own}`, { timeZone: 'Europe/Berlin' }));
    const photo = (await drawSmallWoundPhoto({ seed: 7 })).toString('base64');
    const patient = expectStatus(
      201,
      await other.request('POST', '/fhir/Patient', { json: { resourceType: 'Patient' } }),
    );
    const subject = { reference: `Patient/${patient.body.id}` };
    const media = {
      resourceType: 'Media',
      status: 'completed',
      subject,
      createdDateTime: '2026-11-10T00:30:00+01:00',
      content: { contentType: 'image/jpeg', data: photo },
    };
    const { id } = expectStatus(201, await other.request('POST', '/fhir/Media', { json: media })).body;
    expectStatus(200, await other.request('POST', `/fhir/Media/${id}/$analyze`));
    const found = (date: string) => other.request('GET', `/fhir/DiagnosticReport?date=${date}`);
    const { body } = await eventually('the report is shown', async () => {
      const answer = await found('2026-11-10');
      return answer.body.total === 1 ? answer : undefined;
    });
    const report = body.entry[0].resource;
    expect([report.effectiveDateTime, report.language]).toEqual(['2026-11-10T00:30:00+01:00', 'en']);
    expect((await found('2026-11-09')).body.total).toBe(0);
    expect((await found('lt2026-11-10')).body.total).toBe(0);

    const german = { headers: { 'accept-language': 'de-CH, en;q=0.5' } };
    const said = await other.request('GET', `/fhir/DiagnosticReport/${report.id}`, german);
    expect(['content-language', 'etag', 'vary'].map((name) => said.headers.get(name))).toEqual([
      'de',
      'W/"1"',
      expect.stringContaining('Accept-Language'),
    ]);
    expect(said.body).toMatchObject({
      language: 'de',
      conclusion: expect.stringContaining('Entscheidungshilfe'),
      presentedForm: [
        { language: 'de', title: 'Wundbefund', url: expect.stringMatching(/-v1-de$/), size: expect.any(Number) },
      ],
    });
    expect(errorsOf(said.body)).toEqual([]);
    const pdf = await other.request('GET', `/fhir/${said.body.presentedForm[0].url}`);
    expect(Number(pdf.headers.get('content-length'))).toBe(said.body.presentedForm[0].size);
    const area = `/fhir/Observation?_id=${report.id}-area`;
    const both = [await other.request('GET', area), await other.request('GET', area, german)];
    expect(both.map((answer) => answer.body.entry[0].resource.method.text)).toEqual([
      'Automated segmentation of a photograph',
      'Automatische Segmentierung eines Fotos',
    ]);
    expect(both.map(({ headers }) => headers.get('content-language'))).toEqual(['en', 'de']);
  });

  it('still, once the photo is deleted and a second one was assessed after it', async () => {
    const patient = await transact([
      [
        'urn:uuid:7d8f7f3c-0000-4000-8000-000000000001',
        { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-42' }] },
      ],
    ]);
    const subject = { patientId: 'MRN-42', patientSystem: 'urn:oid:1.2.3', woundId: 'heel' };
    for (const [seed, day] of [
      [1, '2026-03-01'],
      [2, '2026-03-15'],
    ] as const) {
      const photo = await drawSmallWoundPhoto({ seed });
      await client.analyse(photo, { subject, capturedAt: `${day}T09:12:00Z`, calibration: { mmPerPixel: 0.2 } });
    }
    const [first] = (await emitted(patient[0]!, 2)).filter(({ resourceType }) => resourceType === 'Media');
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${first!.id!}`));
    await eventually('the photo is forgotten', async () => {
      const { body } = await client.request('GET', `/fhir/Media/${first!.id!}`);
      return body.content.url === undefined ? body : undefined;
    });
    expect(faultsOf(await emitted(patient[0]!, 2))).toEqual([]);
  });
});

/** What R4 and our profiles have against these, and against what they name, by the profile that the naming element asks for. */
function faultsOf(all: readonly Resource[]): string[] {
  const byReference = new Map(all.map((one) => [`${one.resourceType}/${one.id!}`, one]));
  return all.flatMap((resource) => {
    const asked = (resource.meta?.profile ?? []).flatMap((url) => targetsOf(resource, url));
    return [
      ...errorsOf(resource),
      ...asked.flatMap(({ reference, profile }) => {
        const target = byReference.get(reference);
        return target === undefined ? [`${reference} is not there`] : errorsOf(target, profile);
      }),
    ];
  });
}

function errorsOf(resource: Resource, profile?: string): string[] {
  const { issues } = validator.validate(resource, profile === undefined ? undefined : [profile]);
  return issues
    .filter(({ severity }) => severity !== 'information')
    .map(
      ({ expression, details }) =>
        `${resource.resourceType}/${resource.id!} ${profile ?? ''} ${expression}: ${details}`,
    );
}

/** The references of a resource whose element in the profile asks for a profile of ours. */
function targetsOf(resource: Resource, url: string): { reference: string; profile: string }[] {
  const profile = library.byCanonical(url) as StructureDefinition | undefined;
  return (profile?.differential?.element ?? []).flatMap((element) => {
    const wanted = ourTarget(element);
    if (wanted === undefined) return [];
    return valuesAt(resource, element.path!.split('.').slice(1)).flatMap((value) => {
      const { reference } = value as { reference?: string };
      return reference === undefined ? [] : [{ reference, profile: wanted }];
    });
  });
}

function ourTarget({ type = [] }: ElementDefinition): string | undefined {
  return type.flatMap(({ targetProfile = [] }) => targetProfile).find((url) => url.startsWith(CANONICAL_BASE));
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  const found = (value as Json | undefined)?.[name];
  return found === undefined ? [] : valuesAt(found, rest);
}
