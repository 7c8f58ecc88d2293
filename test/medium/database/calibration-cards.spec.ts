import { CalibrationRepository, type MeasuredCard } from '../../../src/core/calibration/calibration.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { TenantStatements } from '../../../src/platform/database/statements.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { inTheNameOf } from '../../support/in-the-name-of.js';

const MEASURED_AT = new Date('2025-11-20T09:15:00Z');

describe('measured calibration cards', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let cards: CalibrationRepository;
  let own: Tenant;
  let foreign: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    cards = context.get(CalibrationRepository);
  });

  beforeEach(async () => {
    own = await context.createTenant();
    foreign = await context.createTenant();
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const inTenant = <T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>) =>
    context.get(UnitOfWork).inTenant(tenant, work);
  const save = (tenant: Tenant, card: Partial<MeasuredCard> = {}) =>
    inTenant(tenant, (transaction) =>
      cards.save(transaction, { size: 'a4', barMm: 98.5, measuredAt: MEASURED_AT, ...card }),
    );
  const list = (tenant: Tenant) => inTenant(tenant, (transaction) => cards.list(transaction));

  it('shows none where no tenant is set, and none of another organization or environment', async () => {
    await save(foreign);
    expect((await context.get(TenantStatements).run('select * from calibration_cards')).rows).toEqual([]);
    const withoutPredicate = (tenant: Tenant) =>
      inTenant(
        tenant,
        async (transaction) => (await statementsOf(transaction).run('select * from calibration_cards')).rows,
      );
    expect(await withoutPredicate(own)).toEqual([]);
    expect(await withoutPredicate({ ...foreign, environment: 'live' })).toEqual([]);
    expect(await withoutPredicate(foreign)).toHaveLength(1);
  });

  it('refuses to write or remove one for another organization', async () => {
    await save(foreign);
    await expect(
      inTenant(own, (transaction) =>
        cards.save(inTheNameOf(foreign, transaction), { size: 'a4', barMm: 90, measuredAt: MEASURED_AT }),
      ),
    ).rejects.toThrow();
    await inTenant(own, (transaction) => cards.remove(inTheNameOf(foreign, transaction), null));
    expect(await list(foreign)).toEqual([{ size: 'a4', barMm: 98.5, measuredAt: MEASURED_AT }]);
  });

  it('keeps one measurement for each size, the last one', async () => {
    await save(own);
    await save(own, { size: 'credit_card', barMm: 79.25 });
    await save(own, { barMm: 101 });
    expect(await list(own)).toEqual([
      { size: 'a4', barMm: 101, measuredAt: MEASURED_AT },
      { size: 'credit_card', barMm: 79.25, measuredAt: MEASURED_AT },
    ]);
  });

  it('removes one size, or all of them', async () => {
    await save(own);
    await save(own, { size: 'credit_card', barMm: 79 });
    await inTenant(own, (transaction) => cards.remove(transaction, 'a4'));
    expect(await list(own)).toMatchObject([{ size: 'credit_card', barMm: 79 }]);
    await inTenant(own, (transaction) => cards.remove(transaction, null));
    expect(await list(own)).toEqual([]);
  });
});
