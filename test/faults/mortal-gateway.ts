import { WebhookReceiver } from '../peers/webhook-receiver.js';
import type { ApiClient } from '../support/api-client.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway, type GatewayOptions } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';

const TO_THIS_MACHINE = { SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' };
export const PATIENCE_MS = 45_000;
export const MINUTE_S = 60;
export const HOUR_S = 60 * MINUTE_S;

/** A gateway that tells receivers of this machine, and that dies, comes back and loses its database as a test wants. */
export class MortalGateway {
  /** All jobs that were accepted. */
  readonly jobs: string[] = [];
  private readonly receivers: WebhookReceiver[] = [];
  private aheadS = 0;

  private constructor(
    private readonly base: Gateway,
    readonly client: ApiClient,
    /** The one that runs. */
    public steady: Gateway,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<MortalGateway> {
    const base = await startGateway({ env: { ...TO_THIS_MACHINE, ...env } });
    return new MortalGateway(base, await base.createClient(), base);
  }

  async close(): Promise<void> {
    if (this.steady !== this.base) await this.steady.stop();
    await this.base.stop();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }

  async receiver(reply: WebhookReceiver['reply'] = 204): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    receiver.reply = reply;
    this.receivers.push(receiver);
    return receiver;
  }

  start(env: Record<string, string> = {}, until: NonNullable<GatewayOptions['until']> = 'ready'): Promise<Gateway> {
    const { databaseUrl, dataDir } = this.base;
    return startGateway({ databaseUrl, dataDir, env: { ...TO_THIS_MACHINE, ...env }, until });
  }

  kill = () => this.base.kill();

  async comeBack(): Promise<void> {
    this.steady = await this.start();
  }

  /** A gateway starts where the one before it died, once that one's leases have ended: those of events double with each. */
  async dieAt(step: string): Promise<void> {
    await this.letPass(HOUR_S);
    const doomed = await this.start({ SUTURA_FP: `${step}:kill` }, 'spawned');
    await eventually(`the end at ${step}`, () => doomed.process.hasExited, PATIENCE_MS);
    expect((await doomed.process.exited).signal).toBe('SIGKILL');
  }

  /** The clock of the database jumps ahead: what waits for a while is due. */
  async letPass(seconds: number): Promise<void> {
    this.aheadS += seconds;
    await this.query(
      `create or replace function sutura_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''${this.aheadS} seconds'''`,
    );
  }

  /** Each of a wound of its own, and of a patient, since FHIR has no report of nobody. */
  async analyse(count: number): Promise<void> {
    const imageId = await this.client.uploadPhoto(await drawWoundPhoto({ width: 128, height: 96 }));
    for (let done = 0; done < count; done += 1) {
      const subject = { patientId: 'MRN-4711', woundId: `W${this.jobs.length}` };
      this.jobs.push((await this.client.startJob({ imageId, subject })).id);
    }
    await Promise.all(this.jobs.map((id) => this.client.waitForJob(id)));
  }

  query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return queryDatabase<Row>(this.base.databaseUrl, sql, values);
  }

  /** Nobody can connect to the database, and whoever was connected is cut off. */
  async withoutDatabase(work: () => Promise<void>): Promise<void> {
    const server = new URL(this.base.databaseUrl);
    const name = server.pathname.slice(1);
    server.pathname = '/postgres';
    const run = (sql: string) => queryDatabase(server.href, sql);
    await run(`alter database ${name} allow_connections false`);
    try {
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      await work();
    } finally {
      await run(`alter database ${name} allow_connections true`);
    }
  }
}
