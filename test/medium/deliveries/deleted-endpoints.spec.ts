import { Client } from 'pg';
import { v7 } from 'uuid';
import { Clock } from '../../../src/core/ports/clock.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import type { DeliveryControl } from '../../../src/exits/kit/index.js';
import { newWebhookKeys } from '../../../src/exits/http/index.js';
import { SubscriptionControl } from '../../../src/exits/subscriptions/subscription-control.js';
import { SubscriptionQueue, type ResourceVersion } from '../../../src/exits/subscriptions/subscription-queue.js';
import { SubscriptionRegister } from '../../../src/exits/subscriptions/subscription-register.js';
import { readSubscription } from '../../../src/exits/subscriptions/subscription-request.js';
import { readdress } from '../../../src/exits/mllp/oru/readdress.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { WebhookRegister } from '../../../src/exits/webhooks/endpoints/webhook-register.js';
import { DeliveryLog } from '../../../src/exits/webhooks/queue/delivery-log.js';
import { WebhookControl, WebhookQueue } from '../../../src/exits/webhooks/queue/webhook-queue.js';
import { WebhookRemoval } from '../../../src/exits/webhooks/queue/webhook-removal.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { subscriptionTo } from '../../support/fhir-subscriptions.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { lockWaitsOf } from '../../support/lock-waits.js';
import { newMessage, OutboundGround } from '../hl7v2/outbound/outbound-ground.js';

/** One endpoint of an exit, as this test deals with it. */
interface Endpoint {
  readonly id: string;
  enqueue(transaction: TenantTransaction): Promise<unknown>;
  delete(): Promise<unknown>;
  /** Sends again all that was delivered. */
  replayAll?(): Promise<unknown>;
}

type Control = Pick<DeliveryControl<unknown>, 'replay'>;

interface Exit {
  readonly deliveries: string;
  readonly endpointId: string;
  readonly endpoints: string;
  /** The assignment that pauses one, or stops it otherwise. */
  readonly paused: string;
  readonly control: Control;
  open(): Promise<Endpoint>;
}

const URL = 'https://ward.example.org/told';

let database: TestDatabase;
let context: DatabaseContext;
let tenant: Tenant;
/** A connection of a person who holds a row. */
let holder: Client;
let exits: Readonly<Record<string, Exit>>;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url, { HL7_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') });
  exits = { webhook: webhooks(), subscription: subscriptions(), 'HL7 v2 destination': destinations() };
});
beforeEach(async () => {
  tenant = await context.createTenant();
  holder = new Client({ connectionString: database.url });
  await holder.connect();
});
afterEach(() => holder.end());
afterAll(async () => {
  await context?.close();
  await database?.drop();
});

const inTenant = <T>(work: (transaction: TenantTransaction) => Promise<T>) =>
  context.get(UnitOfWork).inTenant(tenant, work);

function webhooks(): Exit {
  const [statements, unitOfWork, ids] = [context.get(SystemStatements), context.get(UnitOfWork), context.get(IdSource)];
  const register = new WebhookRegister(statements, unitOfWork, ids, context.get(Clock));
  const queue = new WebhookQueue(ids);
  const log = new DeliveryLog(unitOfWork);
  const control = new WebhookControl(statements, unitOfWork, queue);
  const removal = new WebhookRemoval(unitOfWork, register, queue, control);
  return {
    deliveries: 'webhook_deliveries',
    endpointId: 'webhook_id',
    endpoints: 'webhooks',
    paused: `disabled_at = now(), disabled_for = 'failing'`,
    control,
    open: async () => {
      const webhook = await register.create(tenant, { url: URL, types: [], content: 'ids', schemes: ['v1'] });
      return {
        id: webhook.id,
        enqueue: (transaction) =>
          queue.enqueueEvents(transaction, [
            {
              webhook,
              events: [{ id: v7(), type: 'report.ready', timestamp: new Date(), reportId: null, data: {}, text: {} }],
            },
          ]),
        delete: () => removal.remove(tenant, webhook.id),
        replayAll: () => log.replay(tenant, webhook.id, 'operator', new Date(0), null),
      };
    },
  };
}

function subscriptions(): Exit {
  const [statements, unitOfWork, clock] = [context.get(SystemStatements), context.get(UnitOfWork), context.get(Clock)];
  const queue = new SubscriptionQueue(context.get(IdSource), clock);
  const register = new SubscriptionRegister(statements, unitOfWork, queue, clock);
  const control = new SubscriptionControl(statements, unitOfWork, queue);
  return {
    deliveries: 'fhir_subscription_deliveries',
    endpointId: 'subscription_id',
    endpoints: 'fhir_subscriptions',
    paused: 'paused = true',
    control,
    open: async () => {
      const sent = subscriptionTo(URL) as Parameters<typeof readSubscription>[0];
      const base = 'https://sutura.example.org/fhir';
      const request = readSubscription(sent, { base, now: new Date() });
      const { secret } = newWebhookKeys();
      const made = await inTenant((transaction) =>
        register.create(transaction, { id: v7(), sent, request, base, secret }),
      );
      // As after the handshake: it is out of the way.
      await queryDatabase(
        database.url,
        `update fhir_subscription_deliveries set state = 'delivered' where subscription_id = $1`,
        [made.id],
      );
      return {
        id: made.id,
        enqueue: (transaction) => queue.enqueueEvents(transaction, [{ subscription: made, versions: [newVersion()] }]),
        delete: () => inTenant((transaction) => register.delete(transaction, made.id)),
        replayAll: () => control.sendAgain(made, 'operator', { since: 1, until: null, from: null, before: null }),
      };
    },
  };
}

function destinations(): Exit {
  const ground = new OutboundGround(context);
  return {
    deliveries: 'hl7_outbox',
    endpointId: 'destination_id',
    endpoints: 'hl7_destinations',
    paused: 'enabled = false',
    control: ground.control,
    open: async () => {
      const destination = await ground.destination(tenant, 2576);
      return {
        id: destination.id,
        enqueue: (transaction) => ground.queue.enqueueMessages(transaction, destination, [newMessage('a')]),
        delete: () => ground.removal.remove(destination.id, { kind: 'discard' }, readdress),
      };
    },
  };
}

const newVersion = (): ResourceVersion => ({
  version: 1,
  occurredAt: new Date(),
  reportId: null,
  resource: { resourceType: 'DiagnosticReport', id: v7(), status: 'final', code: { text: 'Wound' } },
  included: [],
});

/** Deliveries of an endpoint, by state. */
const states = async ({ deliveries, endpointId }: Exit, { id }: Endpoint) =>
  (
    await queryDatabase<{ state: string }>(
      database.url,
      `select state from ${deliveries} where ${endpointId} = $1 and number > 1 order by number`,
      [id],
    )
  ).map(({ state }) => state);

/** Statements of this database that wait for another's lock. */
const waiting = () => lockWaitsOf(database.url);

/** Until the work is over, or as many statements as this wait. */
async function untilOverOr(waits: number, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  void work.finally(() => (isOver = true)).catch(() => undefined);
  await eventually('the work to wait or to be over', async () => isOver || (await waiting()) >= waits);
}

/** The deletion of the endpoint stands still where it gives up what waits; `go` lets it end. */
async function halfDeleted(exit: Exit, endpoint: Endpoint): Promise<{ go(): Promise<unknown> }> {
  await holder.query('begin');
  await holder.query(
    `select from ${exit.deliveries} where ${exit.endpointId} = $1 and state = 'waiting' order by number desc limit 1 for update`,
    [endpoint.id],
  );
  const deleted = endpoint.delete();
  await eventually('the deletion to stand still', async () => (await waiting()) === 1);
  return {
    go: async () => {
      await holder.query('commit');
      return deleted;
    },
  };
}

describe.each(['webhook', 'subscription', 'HL7 v2 destination'])('a %s that is deleted', (name) => {
  let exit: Exit;
  let endpoint: Endpoint;
  beforeEach(async () => {
    exit = exits[name]!;
    endpoint = await exit.open();
    for (let index = 0; index < 2; index += 1) await inTenant((transaction) => endpoint.enqueue(transaction));
  });

  it('gives up an event that was being made at the time', async () => {
    let deleted: Promise<unknown> | undefined;
    await inTenant(async (transaction) => {
      await endpoint.enqueue(transaction);
      deleted = endpoint.delete();
      await untilOverOr(1, deleted);
    });
    await deleted;
    const left = await states(exit, endpoint);
    expect(left.length).toBeGreaterThan(1);
    expect(new Set(left)).toEqual(new Set(['discarded']));
  });

  it('takes no event that is made while it goes', async () => {
    const deletion = await halfDeleted(exit, endpoint);
    const before = (await states(exit, endpoint)).length;
    const told = inTenant((transaction) => endpoint.enqueue(transaction));
    await untilOverOr(2, told);
    await deletion.go();
    await told;
    const left = await states(exit, endpoint);
    expect(left).toHaveLength(before);
    expect(new Set(left)).toEqual(new Set(['discarded']));
  });

  it('keeps nothing waiting or for a person, though it was paused or disabled before', async () => {
    const { deliveries, endpointId, endpoints } = exit;
    await queryDatabase(database.url, `update ${endpoints} set ${exit.paused} where id = $1`, [endpoint.id]);
    await queryDatabase(
      database.url,
      `update ${deliveries} set state = 'parked', parked_for = 'refused' where id = (select id from ${deliveries}
         where ${endpointId} = $1 and state = 'waiting' order by number limit 1)`,
      [endpoint.id],
    );
    await endpoint.delete();
    const left = await states(exit, endpoint);
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left)).toEqual(new Set(['discarded']));
  });

  it('takes no event again that is replayed while it goes', async () => {
    const { deliveries, endpointId } = exit;
    const [first] = await queryDatabase<{ id: string }>(
      database.url,
      `update ${deliveries} set state = 'delivered' where id = (select id from ${deliveries}
         where ${endpointId} = $1 and state = 'waiting' order by number limit 1) returning id`,
      [endpoint.id],
    );
    const deletion = await halfDeleted(exit, endpoint);
    const replayed = Promise.allSettled([exit.control.replay(first!.id, 'operator'), endpoint.replayAll?.()]);
    await untilOverOr(2, replayed);
    await deletion.go();
    const [one] = await replayed;
    expect(one).toMatchObject({
      status: 'rejected',
      reason: { code: expect.stringMatching(/_deleted|_state|_found/) },
    });
    const [{ state }] = (await queryDatabase(database.url, `select state from ${deliveries} where id = $1`, [
      first!.id,
    ])) as [{ state: string }];
    expect(state).toBe('delivered');
  });
});
