import { v7 } from 'uuid';
import type { Access } from '../../../src/core/audit/access.js';
import { AuditLog } from '../../../src/core/audit/audit-log.js';
import { AuditTrail } from '../../../src/core/audit/audit-trail.js';
import { AuditWitness, ROWS_REMOVED } from '../../../src/core/audit/audit-witness.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const access = (name: string): Access => ({
  door: 'rest',
  interaction: 'read',
  action: 'R',
  patients: [],
  resources: [`Task/${name}`],
});

describe('a row of the audit trail that is removed before it is sealed', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let [trail, log, witness]: [AuditTrail, AuditLog, AuditWitness] = [] as never;
  let tenant: Tenant;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    [trail, log, witness] = [context.get(AuditTrail), context.get(AuditLog), context.get(AuditWitness)];
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    await witness.removed();
    tenant = await context.createTenant();
    caller = { ...tenant, keyId: v7(), scopes: [] };
  });

  /** As the owner of the database, who may. */
  const remove = async (name: string): Promise<string> => {
    const sql = 'delete from audit_events where resources = $1 returning id::text';
    const [row] = await queryDatabase<{ id: string }>(database.url, sql, [[`Task/${name}`]]);
    return row!.id;
  };
  const breaks = async () => {
    const { breaks: found } = await log.verify();
    return found.filter(({ organizationId }) => organizationId === tenant.organizationId).map(({ reason }) => reason);
  };

  it('is missed by the process that wrote it, whether alone or within a transaction, and named once', async () => {
    await trail.recordNow(caller, access('alone'));
    await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      await trail.record(transaction, caller, access('within'));
      await trail.record(transaction, caller, access('kept'));
    });
    const ids = [await remove('alone'), await remove('within')];
    await log.seal();
    const { organizationId, environment } = tenant;
    expect(await witness.removed()).toEqual([{ organizationId, environment, ids }]);
    expect(await witness.removed()).toEqual([]);
  });

  it('makes no alarm of transactions that were given up, whatever gaps they leave in the ids', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(
        context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
          await trail.record(transaction, caller, access('given up'));
          throw new Error('given up');
        }),
      ).rejects.toThrow('given up');
    await trail.recordNow(caller, access('behind the gap'));
    await log.seal();
    expect(await witness.removed()).toEqual([]);
    expect(await breaks()).toEqual([]);
  });

  it('is watched until it is sealed, and then by the chain', async () => {
    await trail.recordNow(caller, access('late'));
    expect(await witness.removed()).toEqual([]);
    await log.seal();
    expect(await witness.removed()).toEqual([]);
    await remove('late');
    expect(await witness.removed()).toEqual([]);
    expect(await breaks()).toEqual(['row_changed_or_missing']);
  });

  it('is told by the check of the trail once it was written down there, and so is the loss of that row', async () => {
    await trail.recordNow(caller, access('gone'));
    await remove('gone');
    const [missed] = await witness.removed();
    await trail.recordNow(caller, {
      ...access('told'),
      interaction: ROWS_REMOVED,
      query: `ids=${missed!.ids.join(',')}`,
    });
    expect(await breaks()).toEqual(['row_removed_unsealed']);
    const told = await remove('told');
    expect(await witness.removed()).toMatchObject([{ ids: [told] }]);
  });
});
