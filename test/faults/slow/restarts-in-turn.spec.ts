import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { verify } from '../verify.js';

const LANES = 4;
/** Photos that have to go through between two restarts, so that each meets the full load. */
const PHOTOS_BETWEEN = 8;
/** What a client sees of a connection that is refused, or was closed while it slept. */
const CLOSED = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface Door {
  readonly gateway: Gateway;
  /** It was told to stop. */
  leaving: boolean;
}

/** What a proxy does before several gateways: requests go round, and one on a closed connection goes to another gateway, once. */
class Round {
  /** Requests whose connection was closed by a gateway that was told to stop. */
  closed = 0;
  /** Anything else that failed. */
  readonly faults: string[] = [];
  private doors: readonly Door[] = [];
  private turn = 0;

  add(gateway: Gateway): Door {
    const door = { gateway, leaving: false };
    this.doors = [...this.doors, door];
    return door;
  }

  /** The answer, which has this status; `faults` names those that have not. */
  async ask(status: number, request: (baseUrl: string) => Promise<Answer>): Promise<Answer> {
    const door = this.next();
    const first = await outcomeOf(request(door.gateway.baseUrl));
    if (!isOnClosedConnection(first)) return this.expected(status, first);
    this.doors = this.doors.filter((other) => other !== door);
    if (door.leaving) this.closed += 1;
    else this.faults.push('a gateway that nobody stopped closed a connection');
    return this.expected(status, await outcomeOf(request(this.next().gateway.baseUrl)));
  }

  private next(): Door {
    this.turn += 1;
    const door = this.doors[this.turn % this.doors.length];
    if (door === undefined) throw new Error('no gateway is left');
    return door;
  }

  private expected(status: number, { answer, code }: Outcome): Answer {
    if (answer?.status === status) return answer;
    const fault = code ?? `${answer?.status} ${answer?.bytes.toString('utf8')}`;
    this.faults.push(fault);
    throw new Error(fault);
  }
}

/** An answer, or the code of what became of the connection. */
type Outcome =
  | { readonly answer: Answer; readonly code?: undefined }
  | { readonly answer?: undefined; readonly code: string };

function outcomeOf(request: Promise<Answer>): Promise<Outcome> {
  return request.then(
    (answer) => ({ answer }),
    (fault: { readonly name: string; readonly cause?: { readonly code?: string } }) => ({
      code: fault.cause?.code ?? fault.name,
    }),
  );
}

function isOnClosedConnection({ answer, code }: Outcome): boolean {
  if (answer === undefined) return CLOSED.has(code);
  const { status, body, headers } = answer;
  return status === 503 && body.code === 'service.unavailable' && headers.get('connection') === 'close';
}

/** Nurses who send one photo after another, and wait for each result. */
class Nurses {
  readonly jobs: string[] = [];
  private results = 0;
  private goesOn = true;
  private readonly work: Promise<unknown>;

  constructor(
    private readonly round: Round,
    private readonly client: ApiClient,
    private readonly photo: Buffer,
  ) {
    this.work = Promise.all(Array.from({ length: LANES }, () => this.send()));
    this.work.catch(() => undefined);
  }

  /** Waits until so many more have their results. */
  async haveResults(more: number): Promise<void> {
    const wanted = this.results + more;
    const isThere = () => this.round.faults.length > 0 || this.results >= wanted;
    await eventually('photos go through', isThere, 60_000);
  }

  async end(): Promise<void> {
    this.goesOn = false;
    await this.work;
  }

  private async send(): Promise<void> {
    while (this.goesOn) {
      const { body: ticket } = await this.round.ask(201, (url) => this.client.at(url).requestUpload());
      const { pathname, search } = new URL(ticket.uploadUrl as string);
      await this.round.ask(200, (url) =>
        this.client.putPhoto(`${url}${pathname}${search}`, this.photo, ticket.headers),
      );
      const headers = { 'idempotency-key': randomUUID() };
      const { body: job } = await this.round.ask(201, (url) =>
        this.client.at(url).createJob({ imageId: ticket.imageId }, headers),
      );
      this.jobs.push(job.id as string);
      for (let status = 'queued'; status !== 'completed';) {
        const read = (url: string) => this.client.at(url).readJob(job.id as string, { prefer: 'wait=5' });
        ({ status } = (await this.round.ask(200, read)).body);
      }
      this.results += 1;
    }
  }
}

describe('restarting a fleet in turn', () => {
  let database: TestDatabase;
  let dataDir: string;
  const started: Gateway[] = [];

  beforeAll(async () => {
    [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'sutura-restarts-'))]);
  });

  afterAll(async () => {
    await Promise.all(started.map((gateway) => gateway.kill()));
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(roles: 'api' | 'worker'): Promise<Gateway> {
    const env = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '100', SUTURA_LEASE_S: '60' };
    const gateway = await startGateway({ roles, databaseUrl: database.url, dataDir, env });
    started.push(gateway);
    return gateway;
  }

  it('[F33] two gateways and a worker under load: only closed connections are felt, and no job starts twice', async () => {
    // The first writes the model for tests.
    const first = await start('api');
    const [second, worker] = await Promise.all([start('api'), start('worker')]);
    const round = new Round();
    const doors = [round.add(first), round.add(second)];
    const client = await first.createClient();
    const nurses = new Nurses(round, client, await drawWoundPhoto({ width: 128, height: 96 }));

    for (const door of doors) {
      await nurses.haveResults(PHOTOS_BETWEEN);
      door.leaving = true;
      expect(await door.gateway.stop()).toEqual({ code: 0, signal: null });
      // Until a request has failed there, it stays in the round.
      round.add(await start('api'));
    }
    await nurses.haveResults(PHOTOS_BETWEEN);
    expect(await worker.stop()).toEqual({ code: 0, signal: null });
    await start('worker');
    await nurses.haveResults(PHOTOS_BETWEEN);
    await nurses.end().catch(() => undefined);

    expect(round.faults).toEqual([]);
    expect(round.closed).toBeGreaterThan(0);
    await verify({ databaseUrl: database.url, dataDir }, nurses.jobs);
    const attempts = await queryDatabase(database.url, 'select distinct attempts from analysis_jobs');
    expect(attempts).toEqual([{ attempts: 1 }]);
  }, 300_000);
});
