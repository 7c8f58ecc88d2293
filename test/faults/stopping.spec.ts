import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expectStatus, type ApiClient } from '../support/api-client.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

/** Far below the 24 s that a stop waits for answers: it must not have waited for anything. */
const PROMPTLY_MS = 15_000;

describe('stopping while requests are on their way', () => {
  let keeper: Gateway;
  let photo: Buffer;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    keeper = await startGateway();
    photo = await drawWoundPhoto({ width: 128, height: 96 });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => keeper?.stop());

  /** A gateway beside the keeper, over the same database, that only answers requests. */
  const startDoor = (env: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
    startGateway({ roles: 'api', databaseUrl: keeper.databaseUrl, dataDir: keeper.dataDir, env });

  /** The head of a create, of which the gateway has said that it was read; the body is held back. */
  async function beginCreate(client: ApiClient, body: string): Promise<ClientRequest> {
    const outgoing = request(`${client.baseUrl}/api/v1/analysis/jobs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.key}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'idempotency-key': randomUUID(),
        connection: 'keep-alive',
        expect: '100-continue',
      },
    });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    if (outgoing.socket !== null) sockets.push(outgoing.socket);
    return outgoing;
  }

  async function isRefused(gateway: Gateway): Promise<boolean> {
    const { port } = new URL(gateway.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    try {
      return await new Promise((resolve) => {
        socket.once('connect', () => resolve(false));
        socket.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code === 'ECONNREFUSED'));
      });
    } finally {
      socket.destroy();
    }
  }

  it('[F33] answers a create that was accepted before the signal, refuses new ones, and ends well', async () => {
    const door = await startDoor();
    const client = (await keeper.createClient()).at(door.baseUrl);
    const body = JSON.stringify({ imageId: await client.uploadPhoto(photo) });
    const silent = connect(Number(new URL(door.baseUrl).port), '127.0.0.1');
    sockets.push(silent);
    const accepted = await beginCreate(client, body);

    door.process.signal('SIGTERM');
    const signalled = performance.now();
    await eventually('new connections are refused', () => isRefused(door), PROMPTLY_MS, 10);
    await expect(client.createJob({ imageId: randomUUID() })).rejects.toThrow();
    accepted.end(body);
    const [answer] = (await once(accepted, 'response')) as [IncomingMessage];
    const job = JSON.parse(Buffer.concat(await answer.toArray()).toString('utf8')) as { id: string };

    expect([answer.statusCode, answer.headers.connection]).toEqual([201, 'close']);
    expect(await door.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalled).toBeLessThan(PROMPTLY_MS);
    await verify(keeper, [job.id]);
  });

  it('[F33] answers a create whose transaction is open at the signal', async () => {
    const door = await startDoor({ SUTURA_FP: 'before_commit_create:sleep', SUTURA_FP_SLEEP_MS: '2000' });
    const client = (await keeper.createClient()).at(door.baseUrl);
    const imageId = await client.uploadPhoto(photo);
    const before = await jobsSoFar();
    const creating = client.createJob({ imageId }, { 'idempotency-key': randomUUID() });
    await eventually('a create waits before its commit', () => someTransactionWaits(keeper), PROMPTLY_MS, 10);

    const signalled = performance.now();
    const exit = await door.stop();

    const answer = expectStatus(201, await creating);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalled).toBeLessThan(PROMPTLY_MS);
    await verify(keeper, [...before, answer.body.id]);
  });

  async function jobsSoFar(): Promise<string[]> {
    const rows = await queryDatabase<{ id: string }>(keeper.databaseUrl, 'select id from analysis_jobs');
    return rows.map((row) => row.id);
  }
});

async function someTransactionWaits({ databaseUrl }: Gateway): Promise<boolean> {
  const rows = await queryDatabase<{ waiting: number }>(
    databaseUrl,
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and now() - state_change > interval '100 ms'`,
  );
  return (rows[0]?.waiting ?? 0) > 0;
}
