import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type {
  Binary,
  BodyStructure,
  Bundle,
  BundleEntry,
  Media,
  Patient,
  Resource,
  ServiceRequest,
  Task,
} from '@medplum/fhirtypes';
import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import { queryDatabase } from '../../../support/database-query.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { outcomeStatus, toOperationOutcome } from '../../../../src/standards/fhir/outcome/operation-outcome.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';

const EXAMPLE = JSON.parse(
  readFileSync(resolve(__dirname, '../../../../fhir-profiles/examples/transaction-request.json'), 'utf8'),
) as Bundle;
const IMAGE = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' }] };
const WOUND = 'https://sutura.dev/fhir/StructureDefinition/wound';
const TABLES = [
  'fhir_resources',
  'fhir_versions',
  'patients',
  'wounds',
  'analysis_jobs',
  'analysis_requests',
  'idempotency_keys',
  'outbox_events',
  'audit_events',
];

let ground: IntakeGround;
let caller: Caller;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const urn = (name: string) => `urn:uuid:${name}`;
const transaction = (...entry: unknown[]) => ({ resourceType: 'Bundle', type: 'transaction', entry }) as Bundle;
const create = (name: string, resource: object, more: object = {}) => ({
  fullUrl: urn(name),
  resource,
  request: { method: 'POST', url: (resource as Resource).resourceType, ...more },
});
const patient = (value: string, more: object = {}) => ({
  resourceType: 'Patient',
  identifier: [{ system: 'urn:oid:1.2.3', value }],
  ...more,
});
const wound = (reference: string, value = 'W-1') => ({
  resourceType: 'BodyStructure',
  identifier: [{ system: 'urn:oid:1.2.4', value }],
  patient: { reference },
});
const photo = (subject: string, bodyStructure: string, data: string) => ({
  resourceType: 'Media',
  extension: [{ url: WOUND, valueReference: { reference: bodyStructure } }],
  status: 'completed',
  type: IMAGE,
  subject: { reference: subject },
  createdDateTime: '2026-03-15T09:40:00+01:00',
  content: { contentType: 'image/jpeg', data },
});

interface Refusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly place: string | undefined;
}

/** What a Bundle is refused with; fails where it is not. */
async function refusalOf(bundle: unknown): Promise<Refusal> {
  const fault = await ground.transact(caller, bundle as Bundle).then(
    () => new Error('It was not refused.'),
    (thrown: unknown) => thrown,
  );
  if (!(fault instanceof SuturaError)) throw fault;
  const [issue] = toOperationOutcome(fault, 'r').issue;
  return { status: outcomeStatus(fault), code: issue?.code, place: issue?.expression?.[0] };
}

async function entriesOf(bundle: unknown): Promise<BundleEntry[]> {
  return ((await ground.transact(caller, bundle as Bundle)).body as Bundle).entry ?? [];
}

const idOf = (entry: BundleEntry | undefined): string => entry!.response!.location!.split('/')[1]!;
const statusesOf = (entries: readonly BundleEntry[]) => entries.map(({ response }) => response?.status);

/** Rows of the tenant in every table that a transaction writes to, and the photos in the store. */
async function traces(): Promise<Record<string, number>> {
  const rows = await Promise.all(TABLES.map(async (table) => [table, await ground.count(table, caller)] as const));
  const images = join(ground.dataDir, 'objects', 'images');
  const folders = existsSync(images) ? readdirSync(images) : [];
  const kept = await queryDatabase<{ id: string }>(
    ground.database.url,
    `select id from images where organization_id = $1`,
    [caller.organizationId],
  );
  return { ...Object.fromEntries(rows), photos: kept.filter(({ id }) => folders.includes(id)).length };
}

describe('a transaction that is refused', () => {
  it('tells a key that does not read patients nothing by a conditional reference with their names', async () => {
    await entriesOf(transaction(create('p', patient('1', { name: [{ family: 'Erfunden' }] }))));
    const writer: Caller = { ...caller, scopes: ['images:write'] };
    const naming = (criteria: string) =>
      ground.transact(writer, transaction(create('w', wound(`Patient?${criteria}`))));
    // Right and wrong names are refused alike.
    for (const family of ['Erfunden', 'Anders'])
      await expect(naming(`identifier=urn:oid:1.2.3|1&family=${family}`)).rejects.toMatchObject({ code: 'auth.scope' });
    expect(await ground.count('fhir_resources', caller, `type = 'BodyStructure'`)).toBe(0);
    expect((await naming('identifier=urn:oid:1.2.3|1')).status).toBe(200);
  });

  it('[F34] leaves nothing of ten entries whose seventh is invalid, the photos before it included', async () => {
    const before = await traces();
    const data = await photoData();
    const entries = Array.from({ length: 10 }, (_, index) =>
      index === 6
        ? create('bad', patient('7', { gender: 'unknowable' }))
        : index === 2
          ? create('m', photo(urn('p0'), urn('w'), data))
          : index === 1
            ? create('w', wound(urn('p0')))
            : create(`p${index}`, patient(`${index}`)),
    );
    expect(await refusalOf(transaction(...entries))).toEqual({
      status: 400,
      code: 'code-invalid',
      place: 'Bundle.entry[6].resource.gender',
    });
    expect(await traces()).toEqual(before);
  });

  it('[F34] leaves nothing where an entry fails within the transaction, after nine others were written', async () => {
    await ground.transact(caller, transaction(create('p', patient('taken'))));
    const before = await traces();
    const entries = [
      ...Array.from({ length: 9 }, (_, index) => create(`p${index}`, patient(`${index}`))),
      create('p9', patient('taken')),
    ];
    expect(
      await refusalOf(
        transaction(
          create('w', wound(urn('p0'))),
          create('m', photo(urn('p0'), urn('w'), await photoData())),
          ...entries,
        ),
      ),
    ).toEqual({ status: 409, code: 'duplicate', place: 'Bundle.entry[11]' });
    expect(await traces()).toEqual(before);
  });

  it.each<[string, number, string, string, () => unknown]>([
    [
      'a reference to what is not there',
      400,
      'value',
      'Bundle.entry[1].resource.patient',
      () => transaction(create('p', patient('1')), create('w', wound('Patient/0199c0de-2b00-7c33-9d44-5e6f7a8b9c0d'))),
    ],
    [
      'a wound whose criteria do not name the patient',
      400,
      'invalid',
      'Bundle.entry[1].request.ifNoneExist',
      () =>
        transaction(
          create('p', patient('1')),
          create('w', wound(urn('p')), { ifNoneExist: 'identifier=urn:oid:1.2.4|W-1' }),
        ),
    ],
    [
      'criteria that are no search',
      400,
      'not-supported',
      'Bundle.entry[0].request.url',
      () => transaction(create('p', patient('1'), { ifNoneExist: 'shoe-size=44' })),
    ],
    [
      'an order that claims to be the model’s work',
      422,
      'invariant',
      'Bundle.entry[0].resource.meta.profile[0]',
      () =>
        transaction(
          create('p', {
            ...patient('1'),
            meta: { profile: ['https://sutura.dev/fhir/StructureDefinition/sutura-ai-device'] },
          }),
        ),
    ],
    [
      'an address that is not on the list',
      422,
      'business-rule',
      'Bundle.entry[1]',
      () =>
        transaction(
          create('p', patient('1')),
          create('m', {
            ...photo(urn('p'), urn('w'), 'AAAA'),
            extension: undefined,
            content: { url: 'https://elsewhere.test/photo.jpg' },
          }),
        ),
    ],
    [
      'a report of a client',
      405,
      'not-supported',
      'Bundle.entry[0]',
      () => transaction(create('r', { resourceType: 'DiagnosticReport', status: 'final', code: { text: 'x' } })),
    ],
    [
      'an update of a version of what is not there',
      412,
      'conflict',
      'Bundle.entry[0]',
      () =>
        transaction({
          resource: { ...patient('1'), id: '0199c0de-2b00-7c33-9d44-5e6f7a8b9c0e' },
          request: { method: 'PUT', url: 'Patient/0199c0de-2b00-7c33-9d44-5e6f7a8b9c0e', ifMatch: 'W/"1"' },
        }),
    ],
    [
      'an update under another id',
      400,
      'invalid',
      'Bundle.entry[0]',
      () =>
        transaction({ resource: { ...patient('1'), id: 'other' }, request: { method: 'PUT', url: 'Patient/nobody' } }),
    ],
  ])('names the entry with %s', async (_, status, code, place, bundle) => {
    const before = await traces();
    const refusal = await refusalOf(bundle());
    expect({ ...refusal, place: refusal.place?.startsWith(place) === true ? place : refusal.place }).toEqual({
      status,
      code,
      place,
    });
    expect(await traces()).toEqual(before);
  });

  const numbered = (resource: object, value = 'NO-1'): Resource =>
    ({ ...resource, identifier: [{ system: 'urn:oid:1.2.9', value }] }) as unknown as Resource;
  const encounter = (value?: string): Resource =>
    numbered({ resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' } }, value);
  const order = (patientUrn: string): Resource =>
    numbered({ resourceType: 'ServiceRequest', status: 'draft', intent: 'order', subject: { reference: patientUrn } });

  it.each<[string, string, () => unknown]>([
    [
      'two Patients',
      'Bundle.entry[2]',
      () => transaction(create('p', patient('1')), create('q', patient('2')), create('r', patient('1'))),
    ],
    [
      'two BodyStructures of one patient',
      'Bundle.entry[2]',
      () => transaction(create('p', patient('1')), create('v', wound(urn('p'))), create('w', wound(urn('p')))),
    ],
    ['two Encounters', 'Bundle.entry[1]', () => transaction(create('e', encounter()), create('f', encounter()))],
    [
      'two ServiceRequests',
      'Bundle.entry[2]',
      () => transaction(create('p', patient('1')), create('s', order(urn('p'))), create('t', order(urn('p')))),
    ],
    [
      'the first and the last of more Encounters than are written at once',
      'Bundle.entry[60]',
      () =>
        transaction(...Array.from({ length: 61 }, (_, index) => create(`e${index}`, encounter(`NO-${index % 60}`)))),
    ],
  ])('refuses one identifier for %s, at the second', async (_, place, bundle) => {
    const before = await traces();
    expect(await refusalOf(bundle())).toEqual({ status: 409, code: 'duplicate', place });
    expect(await traces()).toEqual(before);
  });

  it('refuses a photo of one patient with the wound of another', async () => {
    const bundle = transaction(
      create('p', patient('1')),
      create('q', patient('2')),
      create('w', wound(urn('q'))),
      create('m', photo(urn('p'), urn('w'), await photoData())),
    );
    const before = await traces();
    expect(await refusalOf(bundle)).toMatchObject({
      status: 422,
      code: 'business-rule',
      place: expect.stringMatching(/^Bundle\.entry\[3\]\.resource/),
    });
    expect(await traces()).toEqual(before);
  });

  it('refuses all of it where the quota does not reach for each order', async () => {
    caller = await ground.createCaller('enterprise', { dailyLimitOverride: 1 });
    const [first, second] = [structuredClone(EXAMPLE), structuredClone(EXAMPLE)];
    expect(statusesOf(await entriesOf(first))).toHaveLength(5);
    const before = await traces();
    const order = second.entry![4]!;
    (order.resource as ServiceRequest).identifier![0]!.value = 'ORD-2';
    order.request!.ifNoneExist = 'identifier=urn:oid:1.2.3.4.5.7|ORD-2';
    expect(await refusalOf(second)).toEqual({ status: 429, code: 'throttled', place: 'Bundle.entry[4]' });
    expect(await traces()).toEqual(before);
  });
});

describe('a transaction', () => {
  it.each<[string, object]>([
    ['Conditions', { resourceType: 'Condition', code: { text: 'Ulcer' } }],
    ['Practitioners', { resourceType: 'Practitioner' }],
    ['Organizations', { resourceType: 'Organization', name: 'Ward' }],
  ])('keeps one identifier on two %s, since nothing is joined by it', async (_, resource) => {
    const numbered = {
      ...resource,
      identifier: [{ system: 'urn:oid:1.2.9', value: 'ORD-1' }],
      ...('code' in resource ? { subject: { reference: urn('p') } } : {}),
    } as unknown as Resource;
    expect(
      statusesOf(await entriesOf(transaction(create('p', patient('1')), create('a', numbered), create('b', numbered)))),
    ).toEqual(['201 Created', '201 Created', '201 Created']);
  });

  it('takes the worked example: patient, wound, bytes, photo and order, and the analysis with its Task', async () => {
    const entries = await entriesOf(EXAMPLE);
    expect(statusesOf(entries)).toEqual(Array.from({ length: 5 }, () => '201 Created'));
    const [patientId, woundId, binaryId, mediaId, orderId] = entries.map(idOf);
    expect(mediaId).toBe(binaryId);
    const media = await ground.find<Media>(caller, 'Media', mediaId!);
    expect(media).toMatchObject({
      subject: { reference: `Patient/${patientId}` },
      extension: [{ valueReference: { reference: `BodyStructure/${woundId}` } }],
      content: { url: `Binary/${binaryId}` },
    });
    expect(media.content.data).toBeUndefined();
    expect((await ground.find<BodyStructure>(caller, 'BodyStructure', woundId!)).patient).toEqual({
      reference: `Patient/${patientId}`,
    });
    expect((await ground.find<ServiceRequest>(caller, 'ServiceRequest', orderId!)).supportingInfo).toEqual([
      { reference: `Media/${mediaId}` },
      { reference: `BodyStructure/${woundId}` },
    ]);
    const jobs = await ground.jobs(caller);
    expect(jobs).toMatchObject([{ imageId: mediaId, patientId, source: 'fhir' }]);
    expect(await ground.tasks(caller)).toMatchObject([
      {
        id: jobs[0]!.id,
        status: 'accepted',
        focus: { reference: `ServiceRequest/${orderId}` },
      } satisfies Partial<Task>,
    ]);
    expect(await ground.count('audit_events', caller, `interaction = 'transaction'`)).toBeGreaterThan(0);
  });

  it('is repeated without a second patient, wound or order: only photo and bytes are new', async () => {
    const first = await entriesOf(EXAMPLE);
    const second = await entriesOf(EXAMPLE);
    expect(statusesOf(second)).toEqual(['200 OK', '200 OK', '201 Created', '201 Created', '200 OK']);
    expect([0, 1, 4].map((at) => idOf(second[at]))).toEqual([0, 1, 4].map((at) => idOf(first[at])));
    expect(idOf(second[3])).not.toBe(idOf(first[3]));
    expect(await ground.jobs(caller)).toHaveLength(1);
  });

  it('[F35] posted twenty times at once is one patient and one wound', async () => {
    const bundle = () =>
      transaction(
        create('w', wound(urn('p')), {
          ifNoneExist: 'identifier=urn:oid:1.2.4|W-1&patient.identifier=urn:oid:1.2.3|1',
        }),
        create('p', patient('1'), { ifNoneExist: 'identifier=urn:oid:1.2.3|1' }),
      );
    const answers = await Promise.all(Array.from({ length: 20 }, () => entriesOf(bundle())));
    const statuses = answers.map((entries) => statusesOf(entries).join());
    expect(statuses.sort()).toEqual(
      [...Array.from({ length: 19 }, () => '200 OK,200 OK'), '201 Created,201 Created'].sort(),
    );
    expect(new Set(answers.map((entries) => entries.map(idOf).join())).size).toBe(1);
    expect([
      await ground.count('fhir_resources', caller, `type = 'Patient'`),
      await ground.count('fhir_resources', caller, `type = 'BodyStructure'`),
      await ground.count('patients', caller),
    ]).toEqual([1, 1, 1]);
  });

  it('reaches what others brought by a conditional reference, and changes it', async () => {
    const [known] = await entriesOf(transaction(create('p', patient('1'))));
    const patch = [{ op: 'add', path: '/active', value: true }];
    const binary = {
      resourceType: 'Binary',
      contentType: 'application/json-patch+json',
      data: Buffer.from(JSON.stringify(patch)).toString('base64'),
    };
    const entries = await entriesOf(
      transaction(
        create('w', wound('Patient?identifier=urn:oid:1.2.3|1')),
        { resource: binary, request: { method: 'PATCH', url: `Patient/${idOf(known)}`, ifMatch: 'W/"1"' } },
        { request: { method: 'GET', url: `Patient/${idOf(known)}` } },
      ),
    );
    expect(statusesOf(entries)).toEqual(['201 Created', '200 OK', '200 OK']);
    expect(entries[2]).toMatchObject({
      resource: { active: true, meta: { versionId: '2' } },
      response: { etag: 'W/"2"' },
    });
    expect((await ground.find<BodyStructure>(caller, 'BodyStructure', idOf(entries[0]))).patient).toEqual({
      reference: `Patient/${idOf(known)}`,
    });
  });

  it('keeps cycles', async () => {
    const link = (other: string) => ({ link: [{ other: { reference: urn(other) }, type: 'seealso' }] });
    const [a, b] = await entriesOf(
      transaction(create('a', patient('a', link('b'))), create('b', patient('b', link('a')))),
    );
    expect((await ground.find<Patient>(caller, 'Patient', idOf(a))).link?.[0]?.other.reference).toBe(
      `Patient/${idOf(b)}`,
    );
    expect((await ground.find<Patient>(caller, 'Patient', idOf(b))).link?.[0]?.other.reference).toBe(
      `Patient/${idOf(a)}`,
    );
  });

  it('of 500 entries is one transaction that lets others in', async () => {
    const longestTurnMs = async (round: number): Promise<number> => {
      const entries = Array.from({ length: 500 }, (_, index) => create(`p${index}`, patient(`${round}-${index}`)));
      let longest = 0;
      let last = process.cpuUsage();
      const watch = setInterval(() => {
        const { user, system } = process.cpuUsage(last);
        longest = Math.max(longest, (user + system) / 1000);
        last = process.cpuUsage();
      }, 1);
      const answered = await entriesOf(transaction(...entries));
      clearInterval(watch);
      expect(new Set(statusesOf(answered))).toEqual(new Set(['201 Created']));
      return longest;
    };
    const turnsMs = [await longestTurnMs(0)];
    expect(await ground.count('fhir_resources', caller)).toBe(500);
    // Of processor time, which others stretch less. The compiler of a first run makes a turn longer. 50 ms is the aim.
    while (Math.min(...turnsMs) >= 250 && turnsMs.length < 4) turnsMs.push(await longestTurnMs(turnsMs.length));
    expect(Math.min(...turnsMs)).toBeLessThan(250);
  });
});

describe('a batch', () => {
  it('keeps what is good and answers for what is not', async () => {
    const batch = {
      ...transaction(create('p', patient('1')), create('q', patient('1')), create('w', wound(urn('p'))), {
        request: { method: 'GET', url: 'Patient?identifier=urn:oid:1.2.3|1' },
      }),
      type: 'batch',
    };
    const entries = await entriesOf(batch);
    expect(
      entries
        .slice(0, 2)
        .map(({ response }) => response?.status)
        .sort(),
    ).toEqual(['201 Created', '409 Conflict']);
    expect(statusesOf(entries).slice(2)).toEqual(['400 Bad Request', '200 OK']);
    expect(entries[2]?.response?.outcome).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ expression: ['Bundle.entry[2].resource.patient.reference'] }],
    });
    expect(await ground.count('fhir_resources', caller)).toBe(1);
  });

  it('answers a Binary that it stored', async () => {
    const data = await photoData();
    const [made] = await entriesOf({
      ...transaction(create('b', { resourceType: 'Binary', contentType: 'image/jpeg', data })),
      type: 'batch',
    });
    const [read] = await entriesOf({
      ...transaction({ request: { method: 'GET', url: `Binary/${idOf(made)}` } }),
      type: 'batch',
    });
    expect(read).toMatchObject({
      resource: { resourceType: 'Binary', contentType: 'image/jpeg' },
      response: { status: '200 OK' },
    });
    expect((read?.resource as Binary).data?.length).toBeGreaterThan(100);
  });
});
