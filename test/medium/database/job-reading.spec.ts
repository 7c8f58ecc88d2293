import { v7 } from 'uuid';
import type { AnalysisJob } from '../../../src/core/analysis/analysis-job.js';
import { ImageRepository } from '../../../src/core/images/image.repository.js';
import { JobRepository, type JobCursor, type JobFilter } from '../../../src/core/analysis/job.repository.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { ApiKeyRepository } from '../../../src/core/organizations/api-key.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { TenantStatements } from '../../../src/platform/database/statements.js';
import { jobListQuery } from '../../../src/records/analysis/job-list.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const MALFORMED = [
  '',
  'x',
  '../../etc/passwd',
  `${v7()}\0`,
  v7().toUpperCase(),
  `{${v7()}}`,
  v7().replaceAll('-', ''),
  'a'.repeat(10_000),
];

describe('reading', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let jobs: JobRepository;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    jobs = context.get(JobRepository);
    tenant = await context.createTenant();
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const list = (filter: JobFilter = {}, limit = 100, after: JobCursor | null = null, of = tenant) =>
    context.get(UnitOfWork).inTenant(of, (transaction) => jobs.list(transaction, filter, limit, after));
  const idsOf = (found: readonly AnalysisJob[]) => found.map(({ id }) => id);

  it.each(MALFORMED)('knows no record under a malformed id (%#)', async (id) => {
    const run = jest.spyOn(context.get(TenantStatements), 'run');
    expect(await jobs.read(tenant, id)).toBeNull();
    expect(run).not.toHaveBeenCalled();
    run.mockRestore();
    await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      expect(await jobs.find(transaction, id)).toBeNull();
      expect(await jobs.hasUnfinished(transaction, id)).toBe(false);
      expect(await context.get(ImageRepository).find(transaction, id)).toBeNull();
      expect(await context.get(ImageRepository).findForUpdate(transaction, id)).toBeNull();
      expect(await context.get(ImageRepository).readAnywhere(id)).toBeNull();
      expect(await jobs.list(transaction, {}, 10, { createdAt: new Date(), id })).toEqual([]);
    });
    await context.get(UnitOfWork).inSystem(async (transaction) => {
      expect(await context.get(OrganizationRepository).find(transaction, id)).toBeNull();
      expect(await context.get(ApiKeyRepository).find(transaction, id)).toBeNull();
    });
  });

  it('gives a job back as it was written', async () => {
    const full = await context.createJob(tenant, {
      clinicalContext: 'Heel ulcer “links”, 3 weeks',
      subject: {
        patientId: 'P-7',
        patientSystem: 'urn:oid:1.2',
        woundId: 'W-1',
        bodySite: { code: '76853006', display: 'Heel' },
        laterality: 'left',
      },
      mmPerPixel: 0.125,
      clinicianObservations: { depthCm: 0.4, exudate: 'light', painNrs: 3 },
      metadata: { ward: '3B' },
      priority: 'stat',
      source: 'fhir',
      capturedAt: new Date('2026-01-02T03:04:05.678Z'),
      capturedAsStated: '2026-01-02T04:04:05.678+01:00',
    });
    expect(await jobs.read(tenant, full.id)).toEqual(full);
    expect(await context.get(UnitOfWork).inTenant(tenant, (transaction) => jobs.find(transaction, full.id))).toEqual(
      full,
    );
  });

  it('pages newest first over equal times, without gap or repeat while new jobs arrive', async () => {
    const own = await context.createTenant();
    const image = await context.createImage(own);
    const at = new Date('2026-02-01T00:00:00.123Z');
    const made: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const createdAt = new Date(at.getTime() + Math.floor(count / 10) * 1000);
      made.push((await context.createJob(own, { imageId: image.id, createdAt })).id);
    }
    const seen: string[] = [];
    let after: JobCursor | null = null;
    for (;;) {
      const page: AnalysisJob[] = await list({}, 7, after, own);
      seen.push(...idsOf(page));
      await context.createJob(own, { imageId: image.id });
      const last = page.at(-1);
      if (page.length < 7 || last === undefined) break;
      after = { createdAt: last.createdAt, id: last.id };
    }
    expect(seen).toEqual(made.reverse());
  });

  it('filters by status, patient, wound and time, and never shows another tenant’s jobs', async () => {
    const own = await context.createTenant();
    const before = new Date('2026-03-01T00:00:00Z');
    const first = await context.createJob(own, { subject: { patientId: 'P-1', woundId: 'W-1' }, createdAt: before });
    const second = await context.createJob(own, { subject: { patientId: 'P-1', woundId: 'W-2' } });
    await context.createJob(await context.createTenant(), { subject: { patientId: 'P-1', woundId: 'W-1' } });
    await jobs.claim(60, second.id);
    expect(idsOf(await list({ patientId: 'P-1' }, 10, null, own))).toEqual([second.id, first.id]);
    expect(idsOf(await list({ woundId: 'W-1' }, 10, null, own))).toEqual([first.id]);
    expect(idsOf(await list({ patientId: 'P-1', status: 'processing' }, 10, null, own))).toEqual([second.id]);
    expect(idsOf(await list({ createdAfter: before }, 10, null, own))).toEqual([second.id]);
    expect(await list({ patientId: "P-1' or true --" }, 10, null, own)).toEqual([]);
  });

  it.each([
    ['patientId', 'subject_patient_id'],
    ['woundId', 'subject_wound_id'],
    ['status', 'status'],
  ] as const)('finds jobs by %s through an index, also under row-level security', async (field, column) => {
    const { sql, values } = jobListQuery(tenant, { [field]: 'queued' }, 20, null);
    const plan = await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      // The table is small here: without this the planner would rightly read it whole.
      await statementsOf(transaction).run('set local enable_seqscan = off');
      return JSON.stringify((await statementsOf(transaction).run(`explain (format json) ${sql}`, values)).rows);
    });
    expect(plan).toMatch(new RegExp(`"Index Cond":"[^"]*\\(${column} = `));
  });

  it('knows whether a job still works on an image', async () => {
    const job = await context.createJob(tenant);
    const ask = (of: Tenant) =>
      context.get(UnitOfWork).inTenant(of, (transaction) => jobs.hasUnfinished(transaction, job.imageId));
    expect(await ask(await context.createTenant())).toBe(false);
    expect(await ask(tenant)).toBe(true);
  });
});
