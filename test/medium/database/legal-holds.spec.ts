import { v7 } from 'uuid';
import { LegalHolds } from '../../../src/core/erasure/legal-holds.js';
import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('the legal hold on a patient', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let holds: LegalHolds;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    holds = context.get(LegalHolds);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const within = <T>(work: (transaction: TenantTransaction) => Promise<T>, of = tenant): Promise<T> =>
    context.get(UnitOfWork).inSystem((transaction) => work(transaction.about(of)));
  async function newPatient(mergedInto: string | null = null): Promise<string> {
    const id = v7();
    await queryDatabase(
      database.url,
      'insert into patients (id, organization_id, environment, created_at, merged_into) values ($1, $2, $3, now(), $4)',
      [id, tenant.organizationId, tenant.environment, mergedInto],
    );
    return id;
  }
  const place = (patientId: string) =>
    within((transaction) =>
      holds.place(transaction, {
        patientId,
        reason: 'Court file 12-345',
        placedBy: 'operator',
        placedAt: new Date(),
      }),
    );
  const isHeld = (patientId: string, of = tenant) => within((transaction) => holds.isHeld(transaction, patientId), of);

  it('is none on another patient, and none that another tenant sees or lifts', async () => {
    const [held, other] = [await newPatient(), await newPatient()];
    await place(held);
    const foreign = await context.createTenant();
    expect([await isHeld(other), await isHeld(held, foreign)]).toEqual([false, false]);
    expect(await within((transaction) => holds.release(transaction, held), foreign)).toBe(false);
    expect(await isHeld(held)).toBe(true);
  });

  it('that was placed on a record before it was joined to another holds both as one, and is lifted as one', async () => {
    const survivor = await newPatient();
    await place(await newPatient(survivor));
    expect(await isHeld(survivor)).toBe(true);
    expect(await within((transaction) => holds.release(transaction, survivor))).toBe(true);
    expect(await isHeld(survivor)).toBe(false);
    expect(await within((transaction) => holds.release(transaction, survivor))).toBe(false);
  });
});
