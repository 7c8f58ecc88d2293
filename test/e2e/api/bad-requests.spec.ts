import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RandomKeyMint } from '../../../src/identity/keys/random-key.mint.js';
import { problemSchema } from '../../../src/platform/http/problem.schema.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';
import { fill, toBytes } from './placeholders.js';
import { sendRaw, type RawAnswer } from './raw-request.js';

/** One row of native-api.json: a request and the refusal that answers it. */
interface Row {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  /** Default: a key that may do everything. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string;
  /** The first field at fault. */
  readonly pointer?: string;
  /** A piece of the detail. */
  readonly detail?: string;
  /** Headers of the answer, by pattern. */
  readonly answer?: Readonly<Record<string, string>>;
}

const ROWS = JSON.parse(readFileSync(resolve(__dirname, '../../fixtures/bad-input/native-api.json'), 'utf8')) as Row[];
const MARKER = 'Mustermann';

describe('bad requests', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let names: Record<string, string>;
  let keys: Record<string, string>;

  beforeAll(async () => {
    // Without a worker the job stays queued.
    gateway = await startGateway({ roles: 'api', env: { SUTURA_ALLOW_RESEARCH_MODEL: 'true' } });
    const organization = await gateway.createOrganization();
    const key = async (scopes?: string[], environment: 'test' | 'live' = 'test') =>
      (await gateway.createKey(organization, environment, scopes)).key;
    client = new ApiClient(gateway.baseUrl, await key());
    const revoked = await gateway.createKey(organization);
    expectStatus(204, await gateway.admin('DELETE', `/keys/${revoked.keyId}`));
    const poor = await gateway.createOrganization();
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${poor}`, { dailyLimit: 0 }));
    const usedUp = new ApiClient(gateway.baseUrl, (await gateway.createKey(poor)).key);
    const good = client.key ?? '';
    keys = {
      good,
      garbage: 'hello',
      mistyped: good.slice(0, -8) + (good.at(-8) === 'a' ? 'b' : 'a') + good.slice(-7),
      unknown: new RandomKeyMint().mint('test').text,
      revoked: revoked.key,
      reader: await key(['analysis:read']),
      writer: await key(['images:write', 'analysis:write']),
      live: await key(undefined, 'live'),
      stranger: (await gateway.createClient()).key ?? '',
      usedUp: usedUp.key ?? '',
    };
    const photo = await drawSmallWoundPhoto();
    const readyImage = await client.uploadPhoto(photo);
    const job = (await client.startJob({ imageId: readyImage })).id as string;
    expectStatus(201, await client.createJob({ imageId: readyImage }, { 'idempotency-key': 'used-before' }));
    names = {
      key: good,
      readyImage,
      pendingImage: (await client.requestUpload()).body.imageId as string,
      brokenImage: await client.uploadPhoto(photo.subarray(0, photo.length / 2)),
      usedUpImage: await usedUp.uploadPhoto(photo),
      job,
      unfinishedJob: job,
      JOB: job.toUpperCase(),
      IMAGE: readyImage.toUpperCase(),
      usedKey: 'used-before',
    };
  });
  afterAll(() => gateway?.stop());

  function send(row: Row): Promise<RawAnswer> {
    const {
      method,
      path,
      key = 'good',
      headers = {},
      json,
      raw,
    } = row.raw === undefined ? fill(row, names) : { ...row, raw: fill(row.raw, names), path: fill(row.path, names) };
    const authorization: Record<string, string> = key === 'none' ? {} : { authorization: `Bearer ${keys[key] ?? ''}` };
    const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
    const body = raw === undefined ? (json === undefined ? undefined : JSON.stringify(json)) : toBytes(raw);
    return sendRaw(gateway.baseUrl, { method, path, headers: { ...authorization, ...type, ...headers }, body });
  }

  it.each(ROWS.map((row) => [row.title, row] as const))('refuses %s', async (_, row) => {
    const answer = await send(row);
    expect([answer.status, answer.body?.code]).toEqual([row.status, row.code]);
    expect(problemSchema.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body).toMatchObject({
      status: row.status,
      type: `urn:sutura:error:${row.code}`,
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    if (row.pointer !== undefined) expect(answer.body.errors[0].pointer).toBe(fill(row.pointer, names));
    if (row.detail !== undefined) expect(answer.body.detail).toContain(row.detail);
    for (const [name, pattern] of Object.entries(row.answer ?? {}))
      expect(answer.headers[name]).toMatch(new RegExp(pattern));
    expect(answer.text).not.toMatch(/node_modules|\.ts:|\.js:|select |postgres/i);
  });

  it('repeats nothing of what was sent', async () => {
    const answer = await client.createJob({
      imageId: names['readyImage'],
      clinicalContext: [MARKER],
      subject: { laterality: MARKER, patientSystem: MARKER },
    });
    expect(answer.status).toBe(400);
    expect(answer.bytes.toString()).not.toContain(MARKER);
  });

  it('charged none of it', async () => {
    const usage = expectStatus(200, await client.request('GET', '/api/v1/usage'));
    expect(usage.body.used).toBe(2);
  });
});
