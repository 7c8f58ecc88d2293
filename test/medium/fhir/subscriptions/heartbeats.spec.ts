import { v7 } from 'uuid';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { SubscriptionHeartbeats } from '../../../../src/exits/subscriptions/subscription-heartbeats.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const HOUR_AGO = `now() - interval '1 hour'`;
const TOPIC = 'https://sutura.dev/fhir/SubscriptionTopic/wound-analysis-status';

describe('heartbeats of FHIR Subscriptions', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant();
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const query = <Row extends object>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(database.url, sql, values);

  /** A Subscription that was told an hour ago and wants a heartbeat every ten minutes, but for this. */
  async function newSubscription(set = 'version = 1', handshake = 'delivered'): Promise<string> {
    const id = v7();
    const { organizationId, environment } = tenant;
    await query(
      `insert into fhir_subscriptions (id, organization_id, environment, asked, base, topic, resource_type, filters, content, url, headers,
          timeout_s, heartbeat_s, max_count, is_off, secret, version, told_from, created_at, updated_at)
        values ($1, $2, $3, '{}', 'https://sutura.example/fhir', $4, 'Task', '[]', 'empty', 'https://receiver.example/', '{}',
          20, 600, 1, false, 'x', 1, ${HOUR_AGO}, ${HOUR_AGO}, ${HOUR_AGO})`,
      [id, organizationId, environment, TOPIC],
    );
    await query(
      `insert into fhir_subscription_deliveries (id, subscription_id, organization_id, environment, number, subject_id, version, lane, preliminary,
          type, body, size_bytes, state, next_at, created_at, delivered_at)
        values ($1, $2, $3, $4, 1, $2, 1, 'a', false, 'handshake', '{}', 2, $5, now(), ${HOUR_AGO}, ${HOUR_AGO})`,
      [v7(), id, organizationId, environment, handshake],
    );
    await query(`update fhir_subscriptions set ${set} where id = $1`, [id]);
    return id;
  }

  /** Those that one look of this process takes. */
  async function taken(): Promise<readonly string[]> {
    const asked: string[] = [];
    const register = {
      findAnywhere: (id: string) => {
        asked.push(id);
        return Promise.resolve(null);
      },
    };
    const parts = [context.get(SystemStatements), register, {}, {}, { pollMs: 60_000 }];
    const heartbeats = new SubscriptionHeartbeats(
      ...([...parts, { process: { roles: ['api'] } }] as unknown as ConstructorParameters<
        typeof SubscriptionHeartbeats
      >),
    );
    heartbeats.onApplicationBootstrap();
    await eventually('some to be taken', () => asked.length > 0);
    await heartbeats.beforeApplicationShutdown();
    return asked;
  }

  it('go to none that has ended, is off, held back, disabled or deleted, has no handshake, or was told of late', async () => {
    await newSubscription(`ends_at = ${HOUR_AGO}`);
    await newSubscription('is_off = true');
    await newSubscription('paused = true');
    await newSubscription(`disabled_at = now(), disabled_for = 'failing'`);
    await newSubscription('deleted_at = now()');
    await newSubscription('heartbeat_s = null');
    await newSubscription('heartbeat_s = 7200');
    await newSubscription('version = 1', 'waiting');
    await newSubscription('version = 1', 'parked');
    const due = await newSubscription(`ends_at = now() + interval '1 hour'`);
    expect(await taken()).toEqual([due]);
  });

  it('are taken once in a period', async () => {
    await query('update fhir_subscriptions set deleted_at = now()');
    const [first, second] = [await newSubscription(), await newSubscription()];
    expect([...(await taken())].sort()).toEqual([first, second].sort());
    await query(`update fhir_subscriptions set heartbeat_at = ${HOUR_AGO} where id = $1`, [second]);
    expect(await taken()).toEqual([second]);
  });
});
