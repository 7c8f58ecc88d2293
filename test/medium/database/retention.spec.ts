import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog } from '../../../src/core/audit/audit-log.js';
import { AuditTrail } from '../../../src/core/audit/audit-trail.js';
import { LegalHolds } from '../../../src/core/erasure/legal-holds.js';
import { PatientErasure } from '../../../src/core/erasure/patient-erasure.js';
import { PatientErasureRepository } from '../../../src/core/erasure/patient-erasure.repository.js';
import { PatientFinder } from '../../../src/core/erasure/patient-finder.js';
import { PatientKeepers } from '../../../src/core/erasure/patient-keeper.js';
import { PatientRecords } from '../../../src/core/erasure/patient-records.js';
import { Retention } from '../../../src/core/erasure/retention.js';
import { RetentionPolicies } from '../../../src/core/erasure/retention-policy.js';
import { TypedWordsErasure } from '../../../src/core/erasure/typed-words-erasure.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { Clock } from '../../../src/core/ports/clock.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { MessageEncryption } from '../../../src/hl7v2/encryption/message-encryption.js';
import { AgedMessages } from '../../../src/hl7v2/inbox/store/aged-messages.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { imageErasureOver } from '../../support/core-services.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** archives.spec.ts is about them. */
const NO_ARCHIVES = {
  sweep: () => Promise.resolve({ rows: 0, bytes: 0 }),
  redact: () => Promise.resolve({ rows: 0, folders: [] }),
};
const YEARS_AGO = `now() - interval '3 years'`;

describe('what is older than its organization wants to keep', () => {
  let database: TestDatabase;
  let dataDir: string;
  let context: DatabaseContext;
  let tenant: Tenant;
  let retention: Retention;
  const emptied: string[] = [];
  const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(database.url, sql, values);

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-retention-'));
    context = await DatabaseContext.open(database.url, { SUTURA_DATA_DIR: dataDir });
    const store = {
      deleteAll: (prefix: string) => Promise.resolve(void emptied.push(prefix)),
    } as unknown as ObjectStore;
    const shared = {
      ...{ unitOfWork: context.get(UnitOfWork), trail: context.get(AuditTrail), audit: context.get(AuditLog) },
      ...{ clock: context.get(Clock), ids: context.get(IdSource) },
    };
    const records = context.get(PatientRecords);
    const patients = new PatientErasure(
      {
        ...shared,
        ...{
          finder: new PatientFinder(records),
          patients: records,
          typed: new TypedWordsErasure(records, NO_ARCHIVES),
          store,
        },
        ...{ erasures: context.get(PatientErasureRepository), holds: context.get(LegalHolds) },
        keepers: new PatientKeepers(),
      },
      60,
    );
    retention = new Retention({
      ...shared,
      policies: context.get(RetentionPolicies),
      images: imageErasureOver(context, store),
      archives: NO_ARCHIVES,
      patients,
      messages: new AgedMessages(context.get(SystemStatements), new MessageEncryption(readSettings({}))),
    });
  }, 60_000);
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    emptied.length = 0;
  });

  /** A stored photo of a patient with this number, three years old; the ids of both. */
  async function oldPhoto(number: string): Promise<{ imageId: string; patientId: string }> {
    const { id: imageId } = await context.createImage(tenant);
    const patientId = context.get(IdSource).next();
    const { organizationId, environment } = tenant;
    await query(
      `insert into patients (id, organization_id, environment, created_at) values ($1, $2, $3, ${YEARS_AGO})`,
      [...[patientId, organizationId, environment]],
    );
    await query(
      `insert into patient_identifiers (organization_id, environment, system, value, patient_id) values ($1, $2, '', $3, $4)`,
      [organizationId, environment, number, patientId],
    );
    await query(
      `update images set patient_id = $2, stored_at = ${YEARS_AGO}, created_at = ${YEARS_AGO}, status = 'stored', size_bytes = 1000,
        sha256 = coalesce(sha256, 'x'), verdict = coalesce(verdict, '{}') where id = $1`,
      [imageId, patientId],
    );
    return { imageId, patientId };
  }
  const hold = (patientId: string) =>
    context.get(UnitOfWork).inSystem((transaction) =>
      context.get(LegalHolds).place(transaction.about(tenant), {
        ...{ patientId, reason: 'Court file 12-345', placedBy: 'operator', placedAt: new Date() },
      }),
    );
  const keep = (change: object) => context.get(RetentionPolicies).change(tenant.organizationId, change);
  const statusOf = async (id: string) =>
    (await query<{ status: string }>('select status from images where id = $1', [id]))[0]?.status;

  it('stays where nothing was said, where it is younger, and where a legal hold forbids it', async () => {
    const { imageId, patientId } = await oldPhoto('MRN-1');
    expect(await retention.sweep()).toBe(0);
    await keep({ photoDays: 5 * 365, recordDays: 5 * 365, messageDays: 5 * 365 });
    expect(await retention.sweep()).toBe(0);
    await keep({ photoDays: 365, recordDays: 365, messageDays: 365 });
    await hold(patientId);
    expect(await retention.sweep()).toBe(0);
    expect([await statusOf(imageId), emptied]).toEqual(['stored', []]);
    expect(await context.get(RetentionPolicies).runs(tenant.organizationId, 10)).toEqual([]);
  });

  it('goes as a photo, whose patient stays; a row says how many and how large, and a sealed one of the trail', async () => {
    const { imageId, patientId } = await oldPhoto('MRN-2');
    await keep({ photoDays: 365 });
    expect(await retention.sweep()).toBe(1);
    expect([await statusOf(imageId), emptied]).toEqual(['deleted', [`images/${imageId}/`]]);
    expect(await query('select from patients where id = $1', [patientId])).toHaveLength(1);
    expect(await context.get(RetentionPolicies).runs(tenant.organizationId, 10)).toEqual([
      expect.objectContaining({ what: 'photos', rows: 1, bytes: 1000, kept: 0 }),
    ]);
    const sealed = await query(
      `select from audit_events event join audit_seals seal on event.id = any (seal.event_ids) and seal.organization_id = event.organization_id
        where event.organization_id = $1 and event.interaction = '$retention' and event.query like '%what=photos%rows=1&bytes=1000'`,
      [tenant.organizationId],
    );
    expect(sealed).toHaveLength(1);
    expect(await retention.sweep()).toBe(0);
  });

  it('goes as a whole record once nothing of the patient is younger', async () => {
    const { imageId, patientId } = await oldPhoto('MRN-3');
    const young = await oldPhoto('MRN-4');
    await query('update images set created_at = now() where id = $1', [young.imageId]);
    await keep({ recordDays: 365 });
    expect(await retention.sweep()).toBe(1);
    expect(await query('select from patients where id = $1', [patientId])).toEqual([]);
    expect(await statusOf(imageId)).toBeUndefined();
    expect(await query('select from patients where id = $1', [young.patientId])).toHaveLength(1);
  });
});
