import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expectStatus } from '../../support/api-client.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { placesOf, placesOfWords } from '../../support/find-bytes.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const AUTHORITY = 'urn:oid:1.2.3.4.5.6';
/** Small: each of them is sought in every table and file. */
const SIZE = { width: 320, height: 240 };
const FHIR = { 'content-type': 'application/fhir+json' };

/** A patient with words that nobody else has. */
interface Person {
  readonly mrn: string;
  readonly family: string;
  readonly street: string;
  readonly order: string;
}

const ZDENKA: Person = { mrn: 'ZQ-88417', family: 'Verlierová', street: 'Pfauengasse', order: 'ORD-ZQ1' };
const BEATE: Person = { mrn: 'BE-20011', family: 'Bleibtreu', street: 'Lindenweg', order: 'ORD-BE1' };

/** What the photos and texts of one person are told by; ids of this service are not among them. */
const wordsOf = ({ mrn, family, street, order }: Person): string[] => [mrn, family, street, order, `context ${mrn}`];

/** Each way takes a minute: messages in the clear only with SUTURA_TEST_SLOW. */
const WAYS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['encrypted', { HL7_ENCRYPTION_KEY: randomBytes(32).toString('base64') }],
  ...(process.env['SUTURA_TEST_SLOW'] === 'true' ? ([['as they came', {}]] as const) : []),
];

describe.each(WAYS)('erasing a patient, with messages kept %s', (_, env) => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  let organizationId: string;
  const photos: Buffer[] = [];
  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_LEASE_S: '30', ...env } });
    hospital = await Hl7Hospital.open(gateway, {}, { photo: 'ed', pdf: 'ed' });
    organizationId = (await queryDatabase<{ id: string }>(gateway.databaseUrl, 'select id from organizations'))[0]!.id;
    for (const seed of [41, 42, 43]) photos.push(await drawWoundPhoto({ seed, ...SIZE }));
  });
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  const post = (path: string, json: object) =>
    gateway.admin('POST', `/organizations/${organizationId}/patients/${path}`, { environment: 'test', ...json });
  const command = (...words: string[]) =>
    runCommand(words, {
      DATABASE_URL: gateway.databaseUrl,
      SUTURA_DATA_DIR: gateway.dataDir,
      ...env,
    });
  const fhir = (method: string, path: string, resource?: object) =>
    hospital.client.request(method, `/fhir/${path}`, {
      headers: FHIR,
      ...(resource === undefined ? {} : { bytes: Buffer.from(JSON.stringify(resource)) }),
    });

  /** Columns of which the planner's own statistics quote one of the words. */
  const sampledWith = async (words: readonly string[]): Promise<string[]> => {
    const sampled = await queryDatabase<{ place: string }>(
      gateway.databaseUrl,
      `select tablename || '.' || attname as place from pg_stats where schemaname = 'public' and exists (select from unnest($1::text[]) word
         where position(lower(word) in lower(concat(most_common_vals, histogram_bounds, most_common_elems))) > 0) order by place`,
      [words],
    );
    return sampled.map(({ place }) => place);
  };

  /** Once through every door: an order with its photo, a photo of the next week, a finding, a search, a document. */
  async function treat(person: Person, early: Buffer, late: Buffer): Promise<string> {
    const order = orderMessage({ order: person.order, photo: early, mrn: person.mrn, wound: `W-${person.mrn}` })
      .replaceAll('Beispiel', person.family)
      .replaceAll('Am Stein', person.street);
    await hospital.send(order);
    await hospital.result(person.order);
    // Refused, and kept with its words.
    await hospital.send(
      order.replaceAll(person.order, `${person.order}-bad`).replace('|OMG^O19^OMG_O19|', '|OMG^O99|'),
    );
    const job = await hospital.client.analyse(late, {
      subject: { patientId: person.mrn, patientSystem: AUTHORITY, woundId: `W-${person.mrn}` },
      clinicalContext: `context ${person.mrn}`,
      metadata: { visit: `visit ${person.mrn}` },
      calibration: { mmPerPixel: 0.2 },
    });
    const found = expectStatus(200, await fhir('GET', `Patient?family=${encodeURIComponent(person.family)}`));
    const patientId = found.body.entry[0].resource.id as string;
    expectStatus(200, await fhir('GET', `Patient?identifier=${encodeURIComponent(`${AUTHORITY}|${person.mrn}`)}`));
    const subject = { reference: `Patient/${patientId}`, display: `${person.family} ${person.mrn}` };
    const condition = { resourceType: 'Condition', subject, note: [{ text: `note on ${person.family}` }] };
    expectStatus(201, await fhir('POST', 'Condition', condition));
    expectStatus(
      200,
      await hospital.client.request('GET', job.links.report, { headers: { accept: 'application/pdf' } }),
    );
    await eventually(
      'every event to be told',
      async () => (await queryDatabase(gateway.databaseUrl, 'select from outbox_events')).length === 0,
      60_000,
      200,
    );
    return patientId;
  }

  it('is refused for a patient whom nobody knows, of another organization, of the other environment, on hold, or of a number that several have', async () => {
    const other = await gateway.createClient();
    await other.analyse(photos[2]!, { subject: { patientId: 'FOREIGN-1' } });
    for (const patient of ['NOBODY', 'FOREIGN-1', randomUUID(), 'not an id']) {
      const { status, body } = await post('erase', { patient });
      expect([patient, status, body.code]).toEqual([patient, 404, 'patient.not_found']);
    }
    for (const [system, file] of [
      ['urn:oid:1.1', photos[0]!],
      ['urn:oid:2.1', photos[1]!],
    ] as const)
      await hospital.client.analyse(file, { subject: { patientId: 'TWICE', patientSystem: system } });
    await eventually(
      'every event to be told',
      async () => (await queryDatabase(gateway.databaseUrl, 'select from outbox_events')).length === 0,
      60_000,
      200,
    );
    expect((await post('erase', { patient: 'TWICE' })).body.code).toBe('patient.ambiguous');
    expect((await post('erase', { patient: 'TWICE', system: 'urn:oid:1.1', environment: 'live' })).body.code).toBe(
      'patient.not_found',
    );
    expect((await post('hold', { patient: 'TWICE', system: 'urn:oid:1.1', reason: 'Court file 12-345' })).status).toBe(
      200,
    );
    for (const dryRun of [true, false])
      expect((await post('erase', { patient: 'TWICE', system: 'urn:oid:1.1', dryRun })).body.code).toBe(
        'patient.on_hold',
      );
    expect((await gateway.admin('GET', `/organizations/${organizationId}/holds`)).body.items).toEqual([
      expect.objectContaining({ reason: 'Court file 12-345', placedBy: 'operator' }),
    ]);
    const [held] = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      `select image.id from images image join patient_identifiers using (patient_id) where system = 'urn:oid:1.1'
        union select job.image_id from analysis_jobs job join patient_identifiers using (patient_id) where system = 'urn:oid:1.1'`,
    );
    const deleted = await hospital.client.request('DELETE', `/api/v1/images/${held!.id}`);
    expect([deleted.status, deleted.body.code]).toEqual([409, 'patient.on_hold']);
    const without = await command('patient', 'erase', '--org', organizationId, '--env', 'test', '--patient', 'TWICE');
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('Add --yes') as string]);
    expect((await post('release', { patient: 'TWICE', system: 'urn:oid:1.1' })).status).toBe(204);
    expect((await post('release', { patient: 'TWICE', system: 'urn:oid:1.1' })).body.code).toBe('patient.not_held');
    expect((await post('erase', { patient: 'TWICE', system: 'urn:oid:1.1' })).body).toMatchObject({ state: 'done' });
    expect((await post('erase', { patient: 'TWICE' })).body).toMatchObject({ state: 'done' });
  });

  it('leaves no word and no photo of the patient in any column of any table or in any file; everybody else’s stays', async () => {
    const [first, second, third] = photos as [Buffer, Buffer, Buffer];
    const kept = await drawWoundPhoto({ seed: 44, ...SIZE });
    const patientId = await treat(ZDENKA, first, second);
    const otherId = await treat(BEATE, third, kept);
    // A relative who took a photo of her.
    const helped = { reference: `Patient/${patientId}`, display: `${ZDENKA.family}, her sister` };
    const finding = { resourceType: 'Condition', subject: { reference: `Patient/${otherId}` }, asserter: helped };
    const sisters = expectStatus(201, await fhir('POST', 'Condition', finding)).body;
    const before = await placesOfWords(wordsOf(ZDENKA), gateway);
    expect(before).toEqual(
      expect.arrayContaining([
        'analysis_jobs.clinical_context',
        'audit_events.query',
        'fhir_versions.content',
        'patient_identifiers.value',
        ...(Object.keys(env).length === 0 ? ['hl7_inbound.raw', 'hl7_orders.echo', 'hl7_outbox.message'] : []),
      ]),
    );
    expect(await placesOf(first, gateway)).not.toEqual([]);

    const imageIds = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      'select id from images where patient_id = $1',
      [patientId],
    );

    await queryDatabase(gateway.databaseUrl, 'analyze');
    expect(await sampledWith(wordsOf(ZDENKA))).toContain('patient_identifiers.value');

    const looked = await post('erase', { patient: ZDENKA.mrn, dryRun: true });
    expect(looked.body).toMatchObject({ state: 'dry_run', patientId });
    expect(await placesOfWords(wordsOf(ZDENKA), gateway)).toEqual(before);
    const done = await command(
      ...['patient', 'erase', '--org', organizationId, '--env', 'test', '--patient', ZDENKA.mrn, '--yes', '--json'],
    );
    expect([done.code, done.err]).toEqual([0, '']);
    const erased = JSON.parse(done.out) as {
      erasureId: string;
      state: string;
      patientId: string;
      counts: { what: string; rows: number; bytes: number }[];
      seal: { number: number; hash: string } | null;
    };
    expect(erased).toMatchObject({ state: 'done', patientId, leftMessages: [] });
    // What the preview itself left in the trail is one row more.
    const rowsOf = (counts: typeof erased.counts) => counts.filter(({ what }) => what !== 'texts in the audit trail');
    expect(rowsOf(erased.counts)).toEqual(rowsOf(looked.body.counts));
    expect(erased.counts).toContainEqual({ what: 'photos', rows: 2, bytes: first.length + second.length });

    expect(await placesOfWords(wordsOf(ZDENKA), gateway)).toEqual([]);
    expect(await sampledWith(wordsOf(ZDENKA))).toEqual([]);
    expect(await sampledWith(wordsOf(BEATE))).not.toEqual([]);
    for (const photo of [first, second]) expect(await placesOf(photo, gateway)).toEqual([]);
    const files = (await readdir(join(gateway.dataDir, 'objects'), { recursive: true })).join(' ');
    expect(imageIds.map(({ id }) => files.includes(id))).toEqual([false, false]);
    expect(await placesOf(third, gateway)).not.toEqual([]);
    expect(await placesOfWords(wordsOf(BEATE), gateway)).toEqual(expect.arrayContaining(before));

    expect((await fhir('GET', `Patient/${patientId}`)).status).toBe(404);
    expect((await fhir('GET', `Condition/${sisters.id}`)).body.asserter).toEqual({ reference: `Patient/${patientId}` });
    expect((await fhir('GET', `DiagnosticReport?subject=Patient/${otherId}`)).body.total).toBe(2);
    // The trail goes on under the pseudonym, and its chain holds.
    expect(erased.seal).not.toBeNull();
    const trail = await command(
      'audit',
      'list',
      '--org',
      organizationId,
      '--patient',
      patientId,
      '--limit',
      '1000',
      '--json',
    );
    expect((JSON.parse(trail.out) as { interaction: string }[]).map(({ interaction }) => interaction)).toEqual(
      expect.arrayContaining(['$erase', 'search-type', 'create']),
    );
    expect((await command('audit', 'verify')).out).toContain('The chain is whole.');
    // They may come back as somebody new.
    const again = await hospital.client.analyse(first, {
      subject: { patientId: ZDENKA.mrn, patientSystem: AUTHORITY },
    });
    expect(again.status).toBe('completed');
  }, 300_000);
});
