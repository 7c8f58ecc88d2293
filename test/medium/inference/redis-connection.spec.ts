import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Bull, { type Queue } from 'bull';
import { readSettings } from '../../../src/platform/config/settings.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { BullQueue, closeQueue, type WakeUp } from '../../../src/inference/queue/bull.queue.js';
import { redisConnection } from '../../../src/inference/queue/redis-connection.js';
import { createAuthority } from '../../peers/test-certificates.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { OwnRedis } from '../../support/own-redis.js';

const PASSWORD = 'only-encrypted';
const queues: Queue[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sutura-redis-tls-'));
});
afterEach(() => Promise.all(queues.splice(0).map((queue) => closeQueue(queue))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A queue as the gateway opens it with these settings. */
function setUp(variables: Readonly<Record<string, string>>) {
  const { redis } = readSettings(variables);
  const queue = new Bull<WakeUp>(randomUUID(), {
    redis: redisConnection({ ...redis, url: redis.url! }),
  });
  queues.push(queue);
  const lines: { event: string; reason?: string }[] = [];
  const viaPostgres: string[] = [];
  const logger = Logger.create('info', {
    write: (line: string) => void lines.push(JSON.parse(line) as { event: string }),
  });
  const fallback = { enqueue: ({ jobId }: { jobId: string }) => (viaPostgres.push(jobId), Promise.resolve()) };
  const bull = new BullQueue(queue, fallback, logger, { addMs: 3000, openMs: 300 });
  return {
    queue,
    lines,
    viaPostgres,
    enqueue: (jobId: string) => bull.enqueue({ jobId, priority: 'routine', attempt: 0 }),
  };
}

/** Files of an authority and of what it issued to a server. */
async function writeIdentity(name: string): Promise<{ readonly ca: string; readonly flags: readonly string[] }> {
  const authority = createAuthority(name);
  const { key, certificate } = authority.issue('redis');
  const files = {
    ca: join(folder, `${name}-ca.pem`),
    key: join(folder, `${name}-key.pem`),
    cert: join(folder, `${name}-cert.pem`),
  };
  await Promise.all([
    writeFile(files.ca, authority.certificate),
    writeFile(files.key, key),
    writeFile(files.cert, certificate),
  ]);
  return {
    ca: files.ca,
    flags: [
      '--tls-cert-file',
      files.cert,
      '--tls-key-file',
      files.key,
      '--tls-ca-cert-file',
      files.ca,
      '--tls-auth-clients',
      'no',
    ],
  };
}

describe('rediss://', () => {
  let redis: OwnRedis;
  let tlsPort: number;
  let ca: string;

  beforeAll(async () => {
    const identity = await writeIdentity('own');
    ca = identity.ca;
    tlsPort = await freePort();
    redis = await OwnRedis.start(['--tls-port', String(tlsPort), ...identity.flags, '--requirepass', PASSWORD]);
  });
  afterAll(() => redis?.stop());

  it('sends nothing in clear text, least of all the password', async () => {
    const received: Buffer[] = [];
    const listener = createServer((socket) =>
      socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined),
    ).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { enqueue, viaPostgres } = setUp({
      REDIS_URL: `rediss://:${PASSWORD}@127.0.0.1:${(listener.address() as AddressInfo).port}`,
    });
    await enqueue('a');
    expect(viaPostgres).toEqual(['a']);
    // RFC 8446 5.1: a record of the type handshake.
    expect(received[0]?.[0]).toBe(22);
    expect(Buffer.concat(received).toString('latin1')).not.toMatch(new RegExp(`auth|info|${PASSWORD}`, 'i'));
    await Promise.all(queues.splice(0).map((queue) => closeQueue(queue)));
    listener.close();
  });

  it('is not spoken with a server whose certificate no known authority signed, and the log says so', async () => {
    const { enqueue, viaPostgres, lines } = setUp({ REDIS_URL: `rediss://:${PASSWORD}@localhost:${tlsPort}` });
    await enqueue('a');
    expect(viaPostgres).toEqual(['a']);
    expect(lines).toMatchObject([
      { event: 'queue.unreachable', reason: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) as string },
    ]);
  });

  it('reaches a Redis whose authority REDIS_CA_FILE names', async () => {
    const { enqueue, viaPostgres, lines, queue } = setUp({
      REDIS_URL: `rediss://:${PASSWORD}@localhost:${tlsPort}/2`,
      REDIS_CA_FILE: ca,
    });
    await enqueue('a');
    expect(lines).toEqual([]);
    expect(viaPostgres).toEqual([]);
    expect((await queue.getWaiting()).map(({ data }) => data)).toEqual([{ jobId: 'a' }]);
    expect(await queue.client.client('LIST')).toMatch(/ db=2 /);
  });

  it('says that the password is wrong', async () => {
    const { enqueue, lines } = setUp({ REDIS_URL: `rediss://:another@localhost:${tlsPort}`, REDIS_CA_FILE: ca });
    await enqueue('a');
    expect(lines).toMatchObject([
      { event: 'queue.unreachable', reason: expect.stringMatching(/^(WRONGPASS|NOAUTH)$/) as string },
    ]);
  });

  it('does not start with a file of authorities that cannot be read', () => {
    const { redis } = readSettings({
      REDIS_URL: 'rediss://localhost',
      REDIS_CA_FILE: join(folder, 'absent.pem'),
    });
    expect(() => redisConnection({ ...redis, url: redis.url! })).toThrow(
      'REDIS_CA_FILE: the file cannot be read (ENOENT)',
    );
  });
});

describe('REDIS_SENTINELS', () => {
  let sentinel: OwnRedis;
  let primary: OwnRedis;

  beforeAll(async () => {
    primary = await OwnRedis.start();
    sentinel = await OwnRedis.startSentinel('wounds', primary.port);
  });
  afterAll(async () => {
    await sentinel?.stop();
    await primary?.stop();
  });

  it('asks the Sentinels which server is the primary one of the group that REDIS_URL names', async () => {
    const dead = await freePort();
    const { enqueue, viaPostgres, queue } = setUp({
      REDIS_URL: 'redis://wounds',
      REDIS_SENTINELS: `127.0.0.1:${dead},127.0.0.1:${sentinel.port}`,
    });
    await eventually('a wake-up went through Redis', async () => {
      await enqueue('a');
      return (await queue.getWaitingCount()) > 0;
    });
    expect(new Set(viaPostgres).size).toBeLessThanOrEqual(1);
    expect(await primary.command('DBSIZE')).not.toMatch(/^:0\b/);
  });
});
