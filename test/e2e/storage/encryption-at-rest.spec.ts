import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { placesOf } from '../../support/find-bytes.js';
import { queryDatabase } from '../../support/database-query.js';
import { runCommand } from '../../support/command-line.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { createTestDatabase } from '../../support/test-database.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** What photos, pictures and documents begin with, and messages: so long that sealed bytes, which are random, have none of it by chance. */
const BEGINNINGS = [
  Buffer.from('ffd8ffdb004300', 'hex'),
  Buffer.from('ffd8ffe000104a464946', 'hex'),
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  '%PDF-1.',
  'MSH|^~\\&',
];

let ground: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
let gateway: Gateway;

const keyFile = () => join(ground, 'keys');
const command = (...words: string[]) =>
  runCommand(words, { ...env, DATABASE_URL: database.url, SUTURA_DATA_DIR: gateway.dataDir });

async function objectFiles(): Promise<string[]> {
  const entries = await readdir(join(gateway.dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function readable(): Promise<string[]> {
  const files = await objectFiles();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return files.filter((_, index) => BEGINNINGS.some((beginning) => contents[index]!.includes(beginning)));
}

beforeAll(async () => {
  ground = await mkdtemp(join(tmpdir(), 'sutura-at-rest-'));
  await writeFile(keyFile(), `first ${randomBytes(32).toString('base64')}\n`);
  env = { SUTURA_ENCRYPTION_KEY_FILE: keyFile() };
  database = await createTestDatabase();
  gateway = await startGateway({ databaseUrl: database.url, dataDir: join(ground, 'data'), env });
});
afterAll(async () => {
  await gateway?.stop();
  await database?.drop();
  await rm(ground, { recursive: true, force: true, maxRetries: 5 });
});

test('after a photo, its report and an order over HL7 nothing of them can be read on the disk or in the messages', async () => {
  const hospital = await Hl7Hospital.open(gateway);
  const ordered = await drawWoundPhoto({ seed: 2 });
  await hospital.send(orderMessage({ order: 'O-1', photo: ordered }));
  await hospital.result('O-1');
  const photo = await drawWoundPhoto();
  const job = await hospital.client.analyse(photo);
  const report = await hospital.client.request('GET', String(job.links.report), {
    headers: { accept: 'application/pdf' },
  });
  const begun = (bytes: Buffer) => BEGINNINGS.some((beginning) => bytes.indexOf(beginning) === 0);
  expect([job.status, report.status, begun(report.bytes), begun(photo)]).toEqual(['completed', 200, true, true]);
  const files = await objectFiles();
  expect(files.length).toBeGreaterThanOrEqual(5);
  expect(await readable()).toEqual([]);
  for (const bytes of [photo, ordered])
    expect(await placesOf(bytes, { databaseUrl: database.url, dataDir: gateway.dataDir })).toEqual([]);
  const sealed = `select count(*)::int as all, count(*) filter (where get_byte(raw, 0) in (1, 2))::int as sealed from hl7_inbound`;
  expect(await queryDatabase(database.url, sealed)).toEqual([{ all: 1, sealed: 1 }]);
  await hospital.close();
});

test('a photo that was altered on the disk is refused, its job ends with what to do, and the metric counts it', async () => {
  const client = await gateway.createClient();
  const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed: 3 }));
  const file = (await objectFiles()).find((path) => path.includes(imageId))!;
  const bytes = await readFile(file);
  bytes[bytes.length - 100]! ^= 1;
  await writeFile(file, bytes);
  const job = await client.startJob({ imageId });
  const ended = await eventually('the job ends', async () => {
    const { body } = await client.readJob(job.id);
    return body.status === 'error' ? body : undefined;
  });
  expect(ended.error).toMatchObject({ code: 'storage.altered', retryable: false });
  expect(ended.error.detail).toContain('upload it again');
  const metrics = await fetch(`${gateway.baseUrl}/metrics`).then((answer) => answer.text());
  expect(metrics).toMatch(/sutura_storage_unreadable_total\{code="storage.altered"\} [1-9]/);
  const verified = await command('objects', 'verify', '--json');
  expect([verified.code, JSON.parse(verified.out)]).toEqual([
    1,
    expect.objectContaining({ missing: [], changed: [`images/${imageId}/original`] }),
  ]);
});

describe('what was put in the place of a photo, a mask or a message is answered by no door', () => {
  /** A header, and how it begins: the first word and its version, then the id of the key. */
  const [VERSION_AT, KEY_ID_AT, HEADER_BYTES] = [7, 8, 200];
  let required: Gateway;
  let client: Awaited<ReturnType<Gateway['createClient']>>;
  let job: Awaited<ReturnType<typeof client.analyse>>;
  let files: { readonly photo: string; readonly mask: string; readonly otherPhoto: string; readonly otherMask: string };

  beforeAll(async () => {
    required = await startGateway({
      databaseUrl: database.url,
      dataDir: gateway.dataDir,
      env: { ...env, SUTURA_ENCRYPTION: 'required', SUTURA_ROLES: 'api' },
    });
    client = await gateway.createClient();
    job = await client.analyse(await drawWoundPhoto({ seed: 11 }));
    const other = await client.analyse(await drawWoundPhoto({ seed: 12 }));
    const all = await objectFiles();
    const fileOf = (imageId: string, name: string) => all.find((path) => path.includes(`${imageId}/${name}`))!;
    files = {
      photo: fileOf(String(job.imageId), 'original'),
      mask: fileOf(String(job.imageId), 'mask'),
      otherPhoto: fileOf(String(other.imageId), 'original'),
      otherMask: fileOf(String(other.imageId), 'mask'),
    };
  });
  afterAll(() => required?.stop());

  const READINGS = [
    ['photo', 'overlay'],
    ['mask', 'mask'],
  ] as const;
  const written = (bytes: Buffer, at: number, text: string) => {
    bytes.write(text, at, 'latin1');
    return bytes;
  };
  const ALTERATIONS: readonly (readonly [string, string, (bytes: Buffer, other: Buffer) => Buffer])[] = [
    ['cut in the middle', 'storage.altered', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['cut to its header', 'storage.altered', (bytes) => bytes.subarray(0, HEADER_BYTES)],
    ['made longer', 'storage.altered', (bytes) => Buffer.concat([bytes, Buffer.alloc(4096)])],
    ['exchanged for that of another photo', 'storage.altered', (_bytes, other) => other],
    ['that has the header of a later form', 'storage.altered', (bytes) => written(bytes, VERSION_AT, '\x02')],
    ['that names a key which nobody has', 'storage.key_missing', (bytes) => written(bytes, KEY_ID_AT, 'lost1')],
    ['that is empty', 'storage.altered', () => Buffer.alloc(0)],
    ['in its first letter', 'storage.altered', (bytes) => written(bytes, 0, 'T')],
  ];

  test.each(READINGS.flatMap(([what, artifact]) => ALTERATIONS.map((how) => [what, artifact, ...how] as const)))(
    'a %s, read as %s: %s',
    async (what, artifact, _how, code, change) => {
      const other = what === 'photo' ? files.otherPhoto : files.otherMask;
      const bytes = await readFile(files[what]);
      await writeFile(files[what], change(Buffer.from(bytes), await readFile(other)));
      const answer = await client.request('GET', `/api/v1/analysis/jobs/${job.id}/artifacts/${artifact}`);
      await writeFile(files[what], bytes);
      expect([answer.status, answer.body]).toEqual([
        code === 'storage.altered' ? 410 : 503,
        expect.objectContaining({ code }),
      ]);
    },
  );

  test.each(READINGS)('a plain %s, read as %s, where encryption is required', async (what, artifact) => {
    const bytes = await readFile(files[what]);
    await writeFile(files[what], await drawWoundPhoto({ seed: 13 }));
    const path = `/api/v1/analysis/jobs/${job.id}/artifacts/${artifact}`;
    const answer = await client.at(required.baseUrl).request('GET', path);
    await writeFile(files[what], bytes);
    expect([answer.status, answer.body]).toEqual([410, expect.objectContaining({ code: 'storage.altered' })]);
  });

  test('"objects verify" says of a photo whose key is missing that the key is, and not that the photo was changed', async () => {
    const bytes = await readFile(files.photo);
    await writeFile(files.photo, written(Buffer.from(bytes), KEY_ID_AT, 'lost1'));
    const { code, out } = await command('objects', 'verify', '--json');
    const { out: text } = await command('objects', 'verify');
    await writeFile(files.photo, bytes);
    const key = `images/${String(job.imageId)}/original`;
    expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ missing: [], keyMissing: [key] })]);
    expect((JSON.parse(out) as { changed: string[] }).changed).not.toContain(key);
    expect(text).toMatch(new RegExp(`objects whose encryption key is missing here +1 ${key}`));
  });

  test('a message of another row, with a bit of its own altered, or cut', async () => {
    const hospital = await Hl7Hospital.open(gateway);
    for (const order of ['O-2', 'O-3'])
      await hospital.send(orderMessage({ order, photo: await drawWoundPhoto({ seed: 14 }) }));
    await hospital.close();
    const sql = 'select id, raw from hl7_inbound order by id desc limit 2';
    const [row, other] = await queryDatabase<{ id: string; raw: Buffer }>(database.url, sql);
    const { id, raw } = row!;
    const first = Buffer.from(raw);
    first[0]! ^= 1;
    for (const bytes of [other!.raw, first, raw.subarray(0, 20)]) {
      await queryDatabase(database.url, 'update hl7_inbound set raw = $2 where id = $1', [id, bytes]);
      const answer = await gateway.admin('GET', `/hl7/messages/${id}`);
      expect([answer.body.code, answer.bytes.includes('PID|')]).toEqual(['hl7.sealed', false]);
    }
    const shown = await command('hl7', 'show', '--id', id);
    expect([shown.code, shown.out.includes('PID|')]).toEqual([1, false]);
    expect(shown.err).toContain('key');
    await queryDatabase(database.url, 'update hl7_inbound set raw = $2 where id = $1', [id, raw]);
    expect((await command('hl7', 'show', '--id', id)).out).toContain('PID|');
  });
});

test('a gateway whose key file has another key does not start, and says what to do', async () => {
  const right = await readFile(keyFile());
  await writeFile(join(ground, 'others'), `first ${randomBytes(32).toString('base64')}\n`);
  const other = await startGateway({
    databaseUrl: database.url,
    dataDir: gateway.dataDir,
    env: { SUTURA_ENCRYPTION_KEY_FILE: join(ground, 'others') },
    until: 'spawned',
  });
  expect((await other.process.exited).code).toBe(1);
  expect(other.logs).toContain('another key under the id "first"');
  expect(other.logs).toContain('Put the key back from your copy');
  expect(other.logs).not.toContain('    at ');
  await other.stop();
  expect(await readFile(keyFile())).toEqual(right);
});

test('a gateway that runs without the key of the data is not ready', async () => {
  const older = await readFile(keyFile());
  await writeFile(keyFile(), `other ${randomBytes(32).toString('base64')}\n`);
  const ready = () => fetch(`${gateway.baseUrl}/health/ready`);
  await eventually('it is not ready', async () => ((await ready()).status === 503 ? true : undefined));
  expect(await (await ready()).json()).toMatchObject({ checks: { encryption: 'failed', storage: 'ok' } });
  await writeFile(keyFile(), older);
  await eventually('it is ready', async () => ((await ready()).status === 200 ? true : undefined));
});
