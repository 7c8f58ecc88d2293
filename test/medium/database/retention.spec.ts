import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LegalHolds } from '../../../src/core/erasure/legal-holds.js';
import { PatientDataEraser, PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import type { Retention } from '../../../src/core/erasure/retention.js';
import { RetentionPolicies } from '../../../src/core/erasure/retention-policy.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { erasureServicesOver } from '../../support/erasure-services.js';
import { FollowUpContext } from '../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const YEARS_AGO = `now() - interval '3 years'`;

describe('what is older than its organization wants to keep', () => {
  let database: TestDatabase;
  let dataDir: string;
  let context: DatabaseContext;
  let tenant: Tenant;
  let retention: Retention;
  let erasers: PatientDataErasers;
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
    erasers = new PatientDataErasers();
    retention = erasureServicesOver(context, store, erasers).retention;
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    // Of organizations of other tests.
    await query('delete from retention_policies');
    emptied.length = 0;
  });

  /** A stored photo of a patient with this number, three years old; the ids of both. */
  async function oldPhoto(number: string): Promise<{ imageId: string; patientId: string }> {
    const { id: imageId } = await context.createImage(tenant);
    const patientId = context.get(IdSource).next();
    const { organizationId, environment } = tenant;
    await query(
      `insert into patients (id, organization_id, environment, created_at) values ($1, $2, $3, ${YEARS_AGO})`,
      [patientId, organizationId, environment],
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
        patientId,
        reason: 'Court file 12-345',
        placedBy: 'operator',
        placedAt: new Date(),
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

  it('goes in every other organization, and for every other patient, where something fails in one', async () => {
    const faulty = await oldPhoto('MRN-5');
    const fine = await oldPhoto('MRN-6');
    const next = await oldPhoto('MRN-7');
    class Faulty extends PatientDataEraser {
      erase(_: unknown, { patientIds }: { readonly patientIds: readonly string[] }) {
        if (patientIds.includes(faulty.patientId)) return Promise.reject(new Error('a disk that fails'));
        return Promise.resolve({ counts: [] });
      }
    }
    erasers.declare(new Faulty());
    await keep({ recordDays: 365 });
    tenant = await context.createTenant();
    const elsewhere = await oldPhoto('MRN-8');
    await keep({ recordDays: 365 });
    await expect(retention.sweep()).rejects.toThrow('a disk that fails');
    const left = await query<{ id: string }>('select id from patients where id = any($1)', [
      [faulty, fine, next, elsewhere].map(({ patientId }) => patientId),
    ]);
    expect(left.map(({ id }) => id)).toEqual([faulty.patientId]);
    expect(await context.get(RetentionPolicies).runs(tenant.organizationId, 10)).toEqual([
      expect.objectContaining({ what: 'records', rows: 1 }),
    ]);
  });

  it('is of the patient whose id it is, though another has that id as a number', async () => {
    const old = await oldPhoto('MRN-9');
    const young = await oldPhoto(old.patientId);
    await query('update images set created_at = now() where id = $1', [young.imageId]);
    await keep({ recordDays: 365 });
    expect(await retention.sweep()).toBe(1);
    expect(await query('select from patients where id = $1', [old.patientId])).toEqual([]);
    expect(await query('select from patients where id = $1', [young.patientId])).toHaveLength(1);
  });

  describe('as a result that names no patient', () => {
    let followUp: FollowUpContext;
    beforeAll(() => {
      followUp = new FollowUpContext(context);
    });
    const age = (jobId: string) =>
      query(
        `with job as (update analysis_jobs set created_at = ${YEARS_AGO}, completed_at = ${YEARS_AGO} where id = $1),
          told as (delete from outbox_events)
        update report_versions set issued_at = ${YEARS_AGO} where report_id in (select id from reports where job_id = $1)`,
        [jobId],
      );
    const countOf = async (table: string, column: string, id: string) =>
      (await query(`select from ${table} where ${column} = $1`, [id])).length;
    const oldResult = async (subject: Parameters<FollowUpContext['assess']>[3]) => {
      const { jobId, id } = await followUp.assess(tenant, 0, 4, subject);
      await age(jobId);
      const [job] = await query<{ image_id: string }>('select image_id from analysis_jobs where id = $1', [jobId]);
      return { jobId, reportId: id, imageId: job!.image_id };
    };

    it('stays where nothing was said, where it names a patient, where a visit of its wound is younger, and while anybody is on hold', async () => {
      const unnamed = await oldResult(null);
      expect(await retention.sweep()).toBe(0);
      await keep({ unnamedDays: 365 });
      const named = await oldResult({ patientId: 'MRN-10', woundId: 'W-1' });
      const early = await oldResult({ woundId: 'W-2' });
      await followUp.assess(tenant, 1, 3, { woundId: 'W-2' });
      const { patientId } = await oldPhoto('MRN-11');
      await hold(patientId);
      expect(await retention.sweep()).toBe(0);
      await query('delete from legal_holds where patient_id = $1', [patientId]);
      expect(await retention.sweep()).toBe(1);
      expect(await countOf('analysis_jobs', 'id', unnamed.jobId)).toBe(0);
      expect(await countOf('analysis_jobs', 'id', named.jobId)).toBe(1);
      expect(await countOf('analysis_jobs', 'id', early.jobId)).toBe(1);
    });

    it('goes with its report and its photo, and a sealed row of the trail says so', async () => {
      const { jobId, reportId, imageId } = await oldResult(null);
      await keep({ unnamedDays: 365 });
      expect(await retention.sweep()).toBe(1);
      for (const [table, column, id] of [
        ['analysis_jobs', 'id', jobId],
        ['reports', 'id', reportId],
        ['report_versions', 'report_id', reportId],
        ['images', 'id', imageId],
      ] as const)
        expect([table, await countOf(table, column, id)]).toEqual([table, 0]);
      expect(emptied).toEqual(expect.arrayContaining([`images/${imageId}/`, `documents/${reportId}-v1/`]));
      expect(await context.get(RetentionPolicies).runs(tenant.organizationId, 10)).toEqual([
        expect.objectContaining({ what: 'unnamed', rows: 1, kept: 0 }),
      ]);
      const sealed = await query(
        `select from audit_events event join audit_seals seal on event.id = any (seal.event_ids) and seal.organization_id = event.organization_id
          where event.organization_id = $1 and event.interaction = '$retention' and event.query like '%what=unnamed%'`,
        [tenant.organizationId],
      );
      expect(sealed).toHaveLength(1);
    });

    it('leaves a photo that another analysis shows', async () => {
      const { jobId, imageId } = await oldResult(null);
      const other = await context.createJob(tenant, { imageId });
      await keep({ unnamedDays: 365 });
      expect(await retention.sweep()).toBe(1);
      expect(await countOf('analysis_jobs', 'id', jobId)).toBe(0);
      expect(await countOf('analysis_jobs', 'id', other.id)).toBe(1);
      expect(await countOf('images', 'id', imageId)).toBe(1);
    });
  });
});
