import type { AnalysisJob, JobError } from '../../../src/core/analysis/analysis-job.js';
import { AnalysisRequestRepository } from '../../../src/core/analysis/analysis-request.repository.js';
import { JobRetries } from '../../../src/core/analysis/job-retries.js';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { analysisServiceOver } from '../../support/core-services.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const TIMEOUT: JobError = { code: 'processing.timeout', detail: 'The analysis did not end in time.', retryable: true };
const CRASH: JobError = { code: 'processing.failed', detail: 'The photo could not be analysed.', retryable: false };
const CANCELLED: JobError = { code: 'job.cancelled', detail: 'The analysis was cancelled.', retryable: false };
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

let database: TestDatabase;
let context: DatabaseContext;
let jobs: JobRepository;
let retries: JobRetries;
let tenant: Tenant;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
  jobs = context.get(JobRepository);
  const ports = { unitOfWork: context.get(UnitOfWork), jobs, requests: context.get(AnalysisRequestRepository) };
  retries = new JobRetries(ports, analysisServiceOver(context));
});
beforeEach(async () => {
  tenant = await context.createTenant();
});
afterAll(async () => {
  await context?.close();
  await database?.drop();
});

async function failedJob(error: JobError = TIMEOUT, changes: Partial<AnalysisJob> = {}): Promise<AnalysisJob> {
  const { id } = await context.createJob(tenant, changes);
  const claim = await jobs.claim(60, id);
  await jobs.fail(claim!.lease, error);
  return (await jobs.read(tenant, id))!;
}

const endedAt = (jobId: string, at: string) =>
  context.get(SystemStatements).run('update analysis_jobs set completed_at = $2 where id = $1', [jobId, at]);

async function chargedToday(): Promise<number> {
  return (await analysisServiceOver(context).usage(tenant)).used;
}

describe('a single job', () => {
  it.each(['', '../x', UNKNOWN])('is refused where there is none: "%s"', async (id) => {
    await expect(retries.retry(tenant, id)).rejects.toMatchObject({ code: 'job.not_found' });
  });

  it('is refused to another organization and the other environment', async () => {
    const { id } = await failedJob();
    for (const other of [await context.createTenant(), { ...tenant, environment: 'live' as const }])
      await expect(retries.retry(other, id)).rejects.toMatchObject({ code: 'job.not_found' });
  });

  it('is refused while it waits, once it has ended well, and where it was cancelled', async () => {
    const waiting = await context.createJob(tenant);
    const done = await context.createJob(tenant);
    const result = { schemaVersion: '1.0', woundDetected: false } as never;
    await jobs.complete((await jobs.claim(60, done.id))!.lease, result);
    const cancelled = await context.createJob(tenant);
    await context.get(UnitOfWork).inTenant(tenant, (transaction) => jobs.cancel(transaction, cancelled.id, CANCELLED));
    for (const { id } of [waiting, done, cancelled])
      await expect(retries.retry(tenant, id)).rejects.toMatchObject({ code: 'job.not_failed' });
  });

  it('is refused where the caller has had the photo analysed since, and names that job', async () => {
    const { id, imageId } = await failedJob();
    const later = await context.createJob(tenant, { imageId });
    await expect(retries.retry(tenant, id)).rejects.toMatchObject({
      code: 'job.retried',
      detail: expect.stringContaining(later.id) as string,
    });
  });

  it('is refused as one of many where a later job of the photo failed, too, and that one is done again', async () => {
    const { id, imageId } = await failedJob();
    const later = await failedJob(CRASH, { imageId });
    await expect(retries.retryLast(tenant, id)).rejects.toMatchObject({
      code: 'job.retried',
      detail: expect.stringContaining(later.id) as string,
    });
    expect(await retries.retryLast(tenant, later.id)).toMatchObject({ retryOf: later.id });
  });

  it('is refused where its photo was erased', async () => {
    const { id, imageId } = await failedJob();
    await context
      .get(SystemStatements)
      .run(`update images set status = 'deleted', deleted_at = sutura_now() where id = $1`, [imageId]);
    await expect(retries.retry(tenant, id)).rejects.toMatchObject({ code: 'image.not_found' });
  });

  it('becomes a new job with all that was asked, at no charge; the failed one stays as it is', async () => {
    const asked = {
      clinicalContext: 'Heel, second week.',
      subject: { patientId: 'P-1', woundId: 'W-1' },
      capturedAt: new Date('2026-01-02T03:04:05Z'),
      mmPerPixel: 0.2,
      priority: 'stat' as const,
      metadata: { ward: '7' },
      source: 'hl7v2' as const,
    };
    const failed = await failedJob(TIMEOUT, asked);
    const before = await chargedToday();
    const id = (await retries.retry(tenant, failed.id)).id!;
    expect(await jobs.read(tenant, id)).toMatchObject({
      ...asked,
      imageId: failed.imageId,
      status: 'queued',
      attempts: 0,
      error: null,
      retryOf: failed.id,
    });
    expect(await chargedToday()).toBe(before);
    expect(await jobs.read(tenant, failed.id)).toEqual(failed);
    const events = await context
      .get(SystemStatements)
      .run('select kind from outbox_events where subject_id = $1', [id]);
    expect(new Set(events.rows)).toEqual(new Set([{ kind: 'analysis.queued' }]));
  });

  it('belongs to the order of the failed one', async () => {
    const failed = await failedJob();
    const requests = context.get(AnalysisRequestRepository);
    const { id, imageId, createdAt, ...options } = failed;
    const orderKey = `ServiceRequest/${UNKNOWN}`;
    const unit = context.get(UnitOfWork);
    const ordered = { ...tenant, id, imageId, orderKey, options, state: 'started', error: null } as const;
    await unit.inTenant(tenant, (transaction) =>
      requests.insert(transaction, { ...ordered, awaitsPatient: false, createdAt, retryAt: createdAt }),
    );
    const again = await retries.retry(tenant, id);
    const ofOrder = await unit.inTenant(tenant, (transaction) => requests.listOfOrder(transaction, orderKey));
    expect(ofOrder.map((request) => [request.id, request.state])).toEqual([
      [id, 'started'],
      [again.id, 'started'],
    ]);
  });

  it('is done again once, however often it is asked for at the same time, and again when the second one failed, too', async () => {
    const failed = await failedJob();
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => retries.retry(tenant, failed.id)));
    const made = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(made).toHaveLength(1);
    const second = made[0]!.id!;
    await jobs.fail((await jobs.claim(60, second))!.lease, CRASH);
    const third = (await retries.retry(tenant, second)).id!;
    const line = await context.get(UnitOfWork).inTenant(tenant, (transaction) => jobs.retriedBy(transaction, third));
    expect(line).toEqual([second, failed.id]);
  });
});

describe('all that failed', () => {
  it('in a range of time, of a code, in this organization and environment alone; oldest first', async () => {
    const [early, crashed, late, tooLate] = [
      await failedJob(),
      await failedJob(CRASH),
      await failedJob(),
      await failedJob(),
    ];
    await endedAt(early.id, '2026-01-01T10:00:00Z');
    await endedAt(crashed.id, '2026-01-01T10:05:00Z');
    await endedAt(late.id, '2026-01-01T10:10:00Z');
    await endedAt(tooLate.id, '2026-01-01T11:00:00Z');
    const filter = { failedSince: new Date('2026-01-01T10:00:00Z'), failedBefore: new Date('2026-01-01T11:00:00Z') };
    const elsewhere = await retries.retryAll(await context.createTenant(), filter, false);
    expect(elsewhere).toEqual({ retried: [], skipped: [], more: false });
    const dry = await retries.retryAll(tenant, { ...filter, code: 'processing.timeout' }, true);
    expect(dry).toEqual({
      retried: [
        { retryOf: early.id, id: null },
        { retryOf: late.id, id: null },
      ],
      skipped: [],
      more: false,
    });
    const done = await retries.retryAll(tenant, { ...filter, code: 'processing.timeout' }, false);
    expect(done.retried.map(({ retryOf }) => retryOf)).toEqual([early.id, late.id]);
    const rest = await retries.retryAll(tenant, filter, false);
    expect(rest.retried.map(({ retryOf }) => retryOf)).toEqual([crashed.id]);
  });

  it('names the photos that cannot be analysed again, and goes on with the others', async () => {
    const gone = await failedJob();
    const good = await failedJob();
    await context
      .get(SystemStatements)
      .run(`update images set status = 'deleted', deleted_at = sutura_now() where id = $1`, [gone.imageId]);
    const report = await retries.retryAll(tenant, {}, false);
    expect(report.skipped).toEqual([{ id: gone.id, code: 'image.not_found' }]);
    expect(report.retried.map(({ retryOf }) => retryOf)).toEqual([good.id]);
  });
});
