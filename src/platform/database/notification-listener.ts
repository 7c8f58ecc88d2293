import type pg from 'pg';
import { databaseClient } from './database-address.js';
import { isDatabaseFault } from './database-fault.js';
import type { Logger } from '../logging/logger.js';

/** A job waits; the payload is its id. */
export const WORK_CHANNEL = 'sutura_work';
/** A job reached a terminal state; the payload is its id. */
export const JOB_ENDED_CHANNEL = 'sutura_job_ended';
/** A key was revoked or replaced; the payload is its id. */
export const KEYS_CHANGED_CHANNEL = 'sutura_keys_changed';
/** Who assigns the numbers of an organization changed; the payload is its id. */
export const AUTHORITIES_CHANNEL = 'sutura_authorities';

const CHANNEL_NAME = /^[a-z_]{1,63}$/;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

type Handler = (payload: string) => void;

/**
 * PostgreSQL notifications on a connection of its own, which reconnects by itself. Notifications may be lost
 * meanwhile, so each user of one has a slower way to learn the same.
 */
export class NotificationListener {
  private readonly handlers = new Map<string, Set<Handler>>();
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private closed = false;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {}

  /** Calls `handler` with the payload of every notification on the channel, until the returned function is called. */
  on(channel: string, handler: Handler): () => void {
    if (!CHANNEL_NAME.test(channel)) throw new Error('A channel name is lower-case letters and underscores.');
    const handlers = this.handlers.get(channel) ?? new Set();
    this.handlers.set(channel, handlers);
    handlers.add(handler);
    if (handlers.size === 1) this.send(`listen ${channel}`);
    return () => {
      if (handlers.delete(handler) && handlers.size === 0) this.send(`unlisten ${channel}`);
    };
  }

  /** Connects and listens to the channels asked for so far. Later failures are repeated in the background. */
  async start(): Promise<void> {
    await this.connect();
  }

  /** Rows of a statement on this connection, as the account of DATABASE_URL; null while there is none. */
  async read<Row extends object>(statement: string): Promise<readonly Row[] | null> {
    return (await this.client?.query<Row>(statement))?.rows ?? null;
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    if (this.closed) return;
    const client = databaseClient(this.url, {
      application_name: 'sutura_listener',
      keepAlive: true,
      connectionTimeoutMillis: 2000,
    });
    let lost = false;
    const onLost = (error?: unknown): void => {
      if (lost) return;
      lost = true;
      if (this.client === client) this.client = null;
      void client.end().catch(() => undefined);
      this.reconnectLater(error);
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', ({ channel, payload }) => this.dispatch(channel, payload ?? ''));
    try {
      await client.connect();
      for (const [channel, handlers] of this.handlers) if (handlers.size > 0) await client.query(`listen ${channel}`);
      if (lost) return;
      this.client = client;
      // A channel may have been asked for while the loop above waited. Listening twice does no harm.
      for (const [channel, handlers] of this.handlers) if (handlers.size > 0) this.send(`listen ${channel}`);
      if (this.pauseMs > FIRST_PAUSE_MS) this.logger.info('database.listener_recovered');
      this.pauseMs = FIRST_PAUSE_MS;
    } catch (error) {
      onLost(error);
    }
  }

  private reconnectLater(error: unknown): void {
    if (this.closed) return;
    if (error !== undefined && !isDatabaseFault(error)) this.logger.error('database.listener_failed', {}, error);
    else this.logger.warn('database.listener_lost', { retryMs: this.pauseMs });
    this.timer = setTimeout(() => void this.connect(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /**
   * Sends one statement after another, as the driver wants it. A failure means a lost connection, which its own
   * listener handles.
   */
  private send(statement: string): void {
    this.sending = this.sending
      .then(() => this.client?.query(statement))
      .then(
        () => undefined,
        () => undefined,
      );
  }

  /** Calls the handlers of this process: of a notification, or ahead of one that is on its way through the database. */
  dispatch(channel: string, payload: string): void {
    for (const handler of this.handlers.get(channel) ?? []) {
      try {
        handler(payload);
      } catch (error) {
        this.logger.error('database.listener_handler_failed', { channel }, error);
      }
    }
  }
}
