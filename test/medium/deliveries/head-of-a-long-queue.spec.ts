import { Client } from 'pg';
import { v7 } from 'uuid';
import type { QueueDefinition } from '../../../src/exits/kit/index.js';
import { readNext, claimNext, type SendingOrder } from '../../../src/exits/kit/queue/claim-statements.js';
import { SUBSCRIPTION_QUEUE } from '../../../src/exits/subscriptions/subscription-queue.js';
import { HL7_QUEUE } from '../../../src/exits/mllp/outbox/hl7-queue.js';
import { WEBHOOK_QUEUE } from '../../../src/exits/webhooks/queue/webhook-queue.js';
import { DatabaseContext } from '../../support/database-context.js';
import { roundsOf } from '../../support/rounds.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** A queue of which the head must not be looked for by reading it; longer at night. */
const MANY = Math.min(20_000, roundsOf(20_000, 4_000));

let database: TestDatabase;
let context: DatabaseContext;
let client: Client;
let organizationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
  ({ organizationId } = await context.createTenant());
  client = new Client({ connectionString: database.url });
  await client.connect();
  // As on a server that is too busy to keep its statistics; and endpoints need not be there for a plan.
  await client.query(`set session_replication_role = replica; set plan_cache_mode = force_generic_plan`);
});
afterAll(async () => {
  await client?.end();
  await context?.close();
  await database?.drop();
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Deliveries in one state, numbered from `from` on, each of a subject of its own. */
async function fill(queue: QueueDefinition<never>, endpointId: string, state: string, from: number, count: number) {
  const own =
    queue.deliveries === 'hl7_outbox'
      ? { columns: 'control_id, kind, image_ids, terms', values: `n::text, 'result', '{}', '{}'` }
      : {
          columns: 'type',
          values: queue.deliveries === 'webhook_deliveries' ? `'report.ready'` : `'event-notification'`,
        };
  await client.query(
    `insert into ${queue.deliveries} (id, ${queue.endpointId}, organization_id, environment, number, subject_id, version, lane, preliminary,
       ${queue.body}, size_bytes, state, next_at, created_at, ${own.columns})
     select gen_random_uuid(), $1, $2, 'test', n, gen_random_uuid(), 1, n::text, false, '\\x00', 1, '${state}', now() - interval '1 minute', now(), ${own.values}
     from generate_series($3::int, $4::int) n`,
    [endpointId, organizationId, from, from + count - 1],
  );
}

/** The parts of the plan that read deliveries, as it was run. */
async function readsOf(queue: QueueDefinition<never>, endpointId: string, order: SendingOrder): Promise<Node[]> {
  const statement = queue.deliveries === 'hl7_outbox' ? claimNext : readNext;
  const [name, token] = [`head_${queue.deliveries}_${order.ordering}_${v7().slice(-12)}`, v7()];
  await client.query(
    `insert into ${queue.senders} (${queue.endpointId}, organization_id, environment, lease_token, lease_until)
     values ($1, $2, 'test', $3, now() + interval '1 hour')
     on conflict (${queue.endpointId}) do update set lease_token = $3, lease_until = now() + interval '1 hour'`,
    [endpointId, organizationId, token],
  );
  await client.query(`prepare ${name} (uuid, uuid) as ${statement(queue, order, null)}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, format json) execute ${name} ('${endpointId}', '${token}')`,
  );
  // When the next one is due is not looked for where one is.
  return nodesOf(rows[0]!['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === queue.deliveries && node['Actual Loops'] !== 0,
  );
}

const rowsRead = (nodes: readonly Node[]) =>
  nodes.reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0), 0);

const ENDPOINT: SendingOrder = { ordering: 'endpoint', stopOnParked: false };

describe.each([
  ['webhooks', WEBHOOK_QUEUE, [[ENDPOINT, 'webhook_deliveries_waiting']]],
  [
    'Subscriptions',
    SUBSCRIPTION_QUEUE,
    [[{ ...ENDPOINT, waitsForFirst: true }, 'fhir_subscription_deliveries_waiting']],
  ],
  [
    'HL7 v2',
    HL7_QUEUE,
    [
      [ENDPOINT, 'hl7_outbox_waiting'],
      [{ ...ENDPOINT, stopOnParked: true }, 'hl7_outbox_waiting'],
      [{ ordering: 'lane', stopOnParked: false }, 'hl7_outbox_due'],
      [{ ordering: 'lane', stopOnParked: true }, 'hl7_outbox_due'],
    ],
  ],
] as const)('the head of a queue of %s', (_, definition, orders: readonly (readonly [SendingOrder, string])[]) => {
  const queue = definition as unknown as QueueDefinition<never>;
  let endpointId: string;
  beforeEach(async () => {
    endpointId = v7();
    await client.query(`alter table ${queue.deliveries} set (autovacuum_enabled = false)`);
    await client.query(`truncate ${queue.deliveries} cascade`);
    await client.query(`analyze ${queue.deliveries}`);
  });

  async function expectFound(): Promise<void> {
    for (const [order, index] of orders) {
      const reads = await readsOf(queue, endpointId, order);
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(reads.map((node) => node['Index Name'])).toContain(index);
      expect(rowsRead(reads)).toBeLessThan(10);
    }
  }

  it('is found by its index among thousands that wait, though the statistics know of none', async () => {
    // The handshake of a Subscription.
    await fill(queue, endpointId, 'delivered', 1, 1);
    await fill(queue, endpointId, 'waiting', 2, MANY);
    await expectFound();
  });

  it('is found by its index behind thousands that were delivered, though the statistics have them waiting', async () => {
    await fill(queue, endpointId, 'waiting', 1, MANY);
    await client.query(`analyze ${queue.deliveries}`);
    await client.query(`update ${queue.deliveries} set state = 'delivered' where ${queue.endpointId} = $1`, [
      endpointId,
    ]);
    await fill(queue, endpointId, 'waiting', MANY + 1, 2);
    await expectFound();
  });
});
