import { v7 } from 'uuid';
import { EventLog } from '../../../src/core/deliveries/event-log.js';
import { ClinicalClock } from '../../../src/core/ports/clinical-clock.js';
import { Clock } from '../../../src/core/ports/clock.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { EndpointCaller, HTTP_TIMINGS, type HttpTimings } from '../../../src/exits/http/index.js';
import { NotificationListener } from '../../../src/platform/database/notification-listener.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { WebhookRegister } from '../../../src/exits/webhooks/endpoints/webhook-register.js';
import type { WebhookEventType } from '../../../src/core/deliveries/webhook-events.js';
import { WEBHOOK_CHANNEL, type Webhook } from '../../../src/exits/webhooks/endpoints/webhook.js';
import { EventMessenger } from '../../../src/exits/webhooks/queue/event-messenger.js';
import { HealthChanges } from '../../../src/exits/webhooks/queue/health-changes.js';
import { WebhookDeliveries } from '../../../src/exits/webhooks/queue/webhook-deliveries.js';
import { WebhookQueue } from '../../../src/exits/webhooks/queue/webhook-queue.js';
import { WebhookReports } from '../../../src/exits/webhooks/sender/webhook-reports.js';
import { WebhookSenders } from '../../../src/exits/webhooks/sender/webhook-senders.js';
import { WebhookTransport } from '../../../src/exits/webhooks/sender/webhook-transport.js';
import { WebhookMetrics } from '../../../src/exits/webhooks/sender/webhook.metrics.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const TIMINGS = {
  firstPauseMs: 10,
  longestPauseMs: 50,
  refusalPausesMs: [],
  pollMs: 50,
  alertAfterMs: 60_000,
  stopGraceMs: 100,
  failurePausesMs: [10, 10, 10, 10],
};
/** No receiver of a busy machine is late by this: lease and time-out end only where a test makes them short. */
const TIMEOUT_MS = 10_000;

export interface DeliveryRow {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly status_code: number | null;
  readonly fault: string | null;
  readonly answer: Buffer | null;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
}

/** What a process differs in from the others. */
interface ProcessChanges {
  readonly timings?: Partial<HttpTimings>;
  /** Hears of no notification. */
  readonly isDeaf?: boolean;
  /** Ends before it has told anybody of its endpoints. */
  readonly isMute?: boolean;
  readonly timeoutMs?: number;
}

class MuteMessenger extends EventMessenger {
  override tell(): Promise<never> {
    return Promise.reject(new Error('It was killed.'));
  }
}

/** Endpoints, their queue, and processes that send, on a database of their own. */
export class WebhookGround {
  readonly register: WebhookRegister;
  private readonly running = new Set<WebhookSenders>();

  private constructor(
    private readonly database: TestDatabase,
    readonly context: DatabaseContext,
  ) {
    const unitOfWork = context.get(UnitOfWork);
    this.register = new WebhookRegister(
      context.get(SystemStatements),
      unitOfWork,
      context.get(IdSource),
      context.get(Clock),
    );
  }

  static async open(): Promise<WebhookGround> {
    const database = await createTestDatabase();
    const context = await DatabaseContext.open(database.url);
    await untilHeard(database.url, context.get(NotificationListener));
    return new WebhookGround(database, context);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.database.drop();
  }

  /** What one process has for sending; answers the queue that it writes into. */
  startProcess({
    timings = {},
    isDeaf = false,
    isMute = false,
    timeoutMs = TIMEOUT_MS,
  }: ProcessChanges = {}): WebhookQueue {
    const { context, register } = this;
    const [statements, clock, ids] = [context.get(SystemStatements), context.get(Clock), context.get(IdSource)];
    const logger = Logger.create('silent');
    const queue = new WebhookQueue(ids);
    const messenger = new (isMute ? MuteMessenger : EventMessenger)(queue, context.get(EventLog));
    const health = new HealthChanges(context.get(UnitOfWork), register, messenger, context.get(ClinicalClock), logger);
    const deliveries = new WebhookDeliveries(statements, ids, health);
    const guard = new AddressGuard(networksOf(['127.0.0.0/8']));
    const senders = new WebhookSenders(
      {
        register,
        deliveries,
        queue,
        transport: new WebhookTransport(
          new EndpointCaller({ guard, timeoutMs }, { of: () => Promise.resolve(networksOf([])) }),
          clock,
        ),
        reports: new WebhookReports(logger, new WebhookMetrics(deliveries)),
        notifications: isDeaf ? new NotificationListener(this.database.url, logger) : context.get(NotificationListener),
      },
      { ...HTTP_TIMINGS, ...TIMINGS, ...timings },
      ['api'],
    );
    this.running.add(senders);
    senders.onApplicationBootstrap();
    return queue;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((senders) => senders.beforeApplicationShutdown()));
    this.running.clear();
  }

  create(tenant: Tenant, url: string, types: WebhookEventType[] = []): Promise<Webhook> {
    return this.register.create(tenant, { url, types, content: 'ids', schemes: ['v1'] });
  }

  /** Each name is an event. `queue`: of the process that tells them. */
  async tell(
    tenant: Tenant,
    webhook: Webhook,
    names: readonly string[],
    queue = new WebhookQueue(this.context.get(IdSource)),
  ): Promise<void> {
    const events = names.map((name) => ({
      id: v7(),
      type: 'report.ready' as const,
      timestamp: new Date(),
      reportId: v7(),
      data: { name },
      text: {},
    }));
    await this.context
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) => queue.enqueueEvents(transaction, [{ webhook, events }]));
  }

  query<Row>(sql: string): Promise<Row[]> {
    return queryDatabase<Row & object>(this.database.url, sql);
  }

  rows({ id }: Webhook): Promise<DeliveryRow[]> {
    return this.query(`select * from webhook_deliveries where webhook_id = '${id}' order by number`);
  }

  untilStates(webhook: Webhook, ...states: readonly string[]): Promise<unknown> {
    return eventually(
      `deliveries to be ${states.join()}`,
      async () => (await this.rows(webhook)).map(({ state }) => state).join() === states.join(),
    );
  }
}

/** A process that listens only while its senders run would miss what is told in that moment, and learn it by its poll: a test may have none. */
async function untilHeard(url: string, listener: NotificationListener): Promise<void> {
  let isHeard = false;
  listener.on(WEBHOOK_CHANNEL, () => {
    isHeard = true;
  });
  await eventually('notifications to be heard', async () => {
    await queryDatabase(url, `select pg_notify('${WEBHOOK_CHANNEL}', '')`);
    return isHeard;
  });
}
