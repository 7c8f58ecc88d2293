// Each try begins after a time without load: quiet is the absence of an event.
// eslint-disable-next-line sutura/no-waiting-for-time
import { setTimeout as delay } from 'node:timers/promises';
import { send, type ApiClient } from '../../support/api-client.js';
import { AbuseGround, MEMORY_LIMIT_MIB, WAIT_LIMIT_MS } from '../abuse-ground.js';
import { SecondCaller } from '../second-caller.js';

const FLOOD_MS = 5_000;
/** Others use the processors too: how long somebody waits while nobody floods does not count. */
const QUIET_MS = 1_000;
const AT_ONCE = 20;
const LARGE_BODIES = 12;
const LARGE_BODY_BYTES = 20_000_000;
const KEPT_MESSAGES = 110;
/** Of each: refused, and kept all the same. */
const MESSAGE_BYTES = 900_000;
const PATIENT = { resourceType: 'Patient', name: [{ family: 'Example' }] };

/** Lower than the defaults, so that the flood meets them at once. The second caller polls without a pause, which is more reads than one key has. */
const LIMITS = {
  SUTURA_WRITES_PER_S: '50',
  SUTURA_WRITE_BURST: '50',
  SUTURA_ORGANIZATION_WRITES_PER_S: '300',
  SUTURA_ORGANIZATION_WRITE_BURST: '300',
};

/** The statuses that a flood is answered with. */
async function flood(client: ApiClient, write: (client: ApiClient) => Promise<number>): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  const end = performance.now() + FLOOD_MS;
  const one = async (): Promise<void> => {
    while (performance.now() < end) statuses.add(await write(client));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return statuses;
}

describe('a flood of writes by one key', () => {
  let ground: AbuseGround;
  let other: SecondCaller;

  beforeAll(async () => {
    ground = await AbuseGround.start(LIMITS);
    const client = await ground.gateway.createClient();
    const { id } = (await client.request('POST', '/fhir/Patient', { json: PATIENT })).body as { id: string };
    other = new SecondCaller(ground.gateway.baseUrl, { path: `/fhir/Patient/${id}`, key: client.key });
  });
  afterAll(async () => {
    await other?.stop();
    await ground?.stop();
  });

  it.each([
    ['resources', (client: ApiClient) => client.request('POST', '/fhir/Patient', { json: PATIENT })],
    ['upload addresses', (client: ApiClient) => client.requestUpload()],
    [
      'jobs of photos that are not there',
      (client: ApiClient) => client.createJob({ imageId: '01997f2e-0000-7000-8000-00000000beef' }),
    ],
  ])('of %s does not slow another organization', async (_, write) => {
    const [slowdownsMs, statuses]: [number[], Set<number>] = [[], new Set()];
    for (let tries = 0; tries < 3 && !slowdownsMs.some((slowdownMs) => slowdownMs < WAIT_LIMIT_MS); tries += 1) {
      await other.waited();
      await delay(QUIET_MS);
      const quiet = await other.waited();
      for (const status of await flood(ground.client, async (client) => (await write(client)).status))
        statuses.add(status);
      const waiting = await other.waited();
      expect(waiting.failures).toBe(0);
      slowdownsMs.push(waiting.slowestMs - quiet.slowestMs);
    }
    expect(Math.min(...slowdownsMs)).toBeLessThan(WAIT_LIMIT_MS);
    expect([...statuses].every((status) => status < 500)).toBe(true);
    expect(statuses).toContain(429);
    expect(ground.isSameProcess).toBe(true);
  });
});

describe('many large bodies at once', () => {
  let ground: AbuseGround;
  beforeAll(async () => {
    ground = await AbuseGround.start({ SUTURA_BODIES_MIB: '128' });
  });
  afterAll(() => ground?.stop());

  it('of one key are answered, some of them later, and nobody else waits', async () => {
    const bytes = Buffer.from(
      JSON.stringify({ ...PATIENT, text: { status: 'generated', div: 'x'.repeat(LARGE_BODY_BYTES) } }),
    );
    const { answer, waiting } = await ground.during(() =>
      Promise.all(
        Array.from({ length: LARGE_BODIES }, () =>
          ground.client
            .request('POST', '/fhir/Patient', {
              headers: { 'content-type': 'application/fhir+json' },
              bytes,
              timeoutMs: 60_000,
            })
            .then(
              ({ status }) => status,
              () => 'cut off',
            ),
        ),
      ),
    );
    expect(answer.filter((status) => ![400, 413, 422, 503].includes(status as number))).toEqual([]);
    expect(answer).toContain(503);
    expect(waiting.failures).toBe(0);
    expect(waiting.slowestMs).toBeLessThan(WAIT_LIMIT_MS);
    expect([ground.isSameProcess, ground.peakMib < MEMORY_LIMIT_MIB]).toEqual([true, true]);
  }, 200_000);
});

describe('lists at the limits of their pages', () => {
  let ground: AbuseGround;

  beforeAll(async () => {
    ground = await AbuseGround.start({
      SUTURA_ORGANIZATION_WRITES_PER_S: '10000',
      SUTURA_ORGANIZATION_WRITE_BURST: '10000',
    });
    const body = `OBX|1|ED|X^Y^L|1|EHR^IM^JPEG^Base64^${Buffer.alloc(MESSAGE_BYTES, 7).toString('base64').slice(0, MESSAGE_BYTES)}\r`;
    for (let kept = 0; kept < KEPT_MESSAGES; kept += 1) {
      const message = `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260105083000||ZZZ^Z01|${kept}|T|2.5.1\r${body}`;
      await ground.client.request('POST', '/hl7v2?ackStatus=always200', {
        headers: { 'content-type': 'application/hl7-v2' },
        bytes: Buffer.from(message),
      });
    }
  });
  afterAll(() => ground?.stop());

  it.each(['/hl7/messages?limit=1000', '/hl7/export?limit=100', '/hl7/messages?limit=1000&error=type'])(
    'the admin API answers %s, and nobody waits',
    async (path) => {
      const { answer, waiting } = await ground.during(() => ground.gateway.admin('GET', path));
      expect(answer.status).toBe(200);
      expect(answer.body.items.length).toBeGreaterThan(0);
      expect(waiting.failures).toBe(0);
      expect(waiting.slowestMs).toBeLessThan(WAIT_LIMIT_MS);
      expect(ground.isSameProcess).toBe(true);
    },
  );

  it('callers’ lists are answered, and nobody waits', async () => {
    const paths = [
      '/api/v1/analysis/jobs?limit=100',
      '/api/v1/wounds?limit=100',
      '/fhir/Patient?_count=200',
      '/fhir/Observation?_count=200&_include=*',
    ];
    const { answer, waiting } = await ground.during(() =>
      Promise.all(paths.map((path) => send('GET', `${ground.gateway.baseUrl}${path}`, { key: ground.client.key }))),
    );
    expect(answer.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(waiting.slowestMs).toBeLessThan(WAIT_LIMIT_MS);
  });

  it('took no more memory than there is', () => {
    expect(ground.peakMib).toBeLessThan(MEMORY_LIMIT_MIB);
  });
});
