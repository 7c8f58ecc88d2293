import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUEUES = [
  ['webhook_deliveries', 'webhook_id'],
  ['fhir_subscription_deliveries', 'subscription_id'],
  ['hl7_outbox', 'destination_id'],
] as const;

const STATEMENTS = [
  // An order that no other index has: whatever the statistics say, the first that waits is not looked for among those that were delivered.
  ...QUEUES.map(
    ([table, endpoint]) =>
      `create index ${table}_waiting on ${table} (${endpoint}, (number + 0)) where state = 'waiting'`,
  ),
  // Endpoints over HTTP have one order, that of the numbers: indexes for other orders cost every delivery and serve none.
  ...QUEUES.slice(0, 2).flatMap(([table]) =>
    ['due', 'pending_lane', 'pending_subject'].map((order) => `drop index ${table}_${order}`),
  ),
];

/** The first delivery that waits for an endpoint is found by itself, however many wait or were delivered. */
export class FindTheHeadOfAQueue1764780830000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
