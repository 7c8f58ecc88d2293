import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import type { ClaimedJob } from '../../../src/core/analysis/analysis-job.js';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { JobCompletion } from '../../../src/core/report/job-completion.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../support/database-context.js';
import { FollowUpContext, WOUND, weekDate } from '../../support/follow-up-context.js';
import { takeEvents } from '../../support/outbox-events.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { drawResult, squareOf } from '../../support/wound-results.js';
import { v7 } from 'uuid';

describe('the end of a job', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: FollowUpContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new FollowUpContext(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    await takeEvents(context.get(Outbox));
  });

  const claim = async (week: number): Promise<ClaimedJob> => {
    const patientId = await ground.within(tenant, (transaction) =>
      context.get(PatientRepository).resolve(transaction, { system: '', value: WOUND.patientId! }, v7()),
    );
    const job = await context.createJob(tenant, { subject: WOUND, patientId, capturedAt: weekDate(week) });
    return (await context.get(JobRepository).claim(60, job.id))!;
  };
  const resultOf = (areaCm2: number) => drawResult(squareOf(areaCm2));
  const find = ({ job }: ClaimedJob) =>
    ground.within(tenant, (transaction) => context.get(JobRepository).find(transaction, job.id));
  const reports = async () =>
    (
      await context
        .get(SystemStatements)
        .run<{ id: string }>('select id from reports where organization_id = $1', [tenant.organizationId])
    ).rows.map(({ id }) => id);
  const told = async () => (await takeEvents(context.get(Outbox))).map(({ kind, subjectId }) => [kind, subjectId]);

  it('writes neither result nor report where another worker has the job', async () => {
    const claimed = await claim(0);
    const late = { ...claimed, lease: { ...claimed.lease, token: v7() } };
    expect(await ground.completion.complete(late, resultOf(9))).toBe(false);
    expect(await find(claimed)).toMatchObject({ status: 'processing', result: null });
    expect(await reports()).toEqual([]);
    expect(await told()).not.toContainEqual(['report.ready', claimed.job.reportId]);
  });

  it('ends the job where its report cannot be made, which is then made later', async () => {
    const failing = {
      fileFirst: () => Promise.reject(new SuturaError('data.newer_release')),
    };
    const completion = new JobCompletion(
      { unitOfWork: context.get(UnitOfWork), jobs: context.get(JobRepository) },
      failing,
      ground.summariser,
    );
    const claimed = await claim(0);
    expect(await completion.complete(claimed, resultOf(9))).toBe(true);
    expect(await find(claimed)).toMatchObject({ status: 'completed' });
    expect(await reports()).toEqual([]);
    expect(await told()).toContainEqual(['analysis.completed', claimed.job.id]);
    await ground.assembly.assemble(tenant, claimed.job.id);
    expect(await reports()).toEqual([claimed.job.reportId]);
  });

  it('files the report with the result, and tells of both once', async () => {
    const first = await claim(0);
    expect(await ground.completion.complete(first, resultOf(9))).toBe(true);
    const second = await claim(1);
    await takeEvents(context.get(Outbox));
    expect(await ground.completion.complete(second, resultOf(6))).toBe(true);
    expect(await reports()).toEqual([first.job.reportId, second.job.reportId]);
    expect(await told()).toEqual([['report.ready', second.job.reportId]]);
    // A repeat of an older event makes no other.
    await ground.assembly.assemble(tenant, second.job.id);
    expect(await reports()).toHaveLength(2);
  });

  it('says in the result what the report says of the change', async () => {
    await ground.completion.complete(await claim(0), resultOf(9));
    const second = await claim(1);
    await ground.completion.complete(second, resultOf(6));
    const { result } = (await find(second))!;
    const { comparison } = (await ground.read(tenant, second.job.reportId)).content;
    expect(result!.followUp).toMatchObject({
      previousJobId: comparison.previous!.jobId,
      daysSincePrevious: 7,
      areaChangePct: comparison.sincePrevious!.areaPct,
      areaChangeSinceBaselinePct: comparison.sinceBaseline!.areaPct,
    });
    expect(result!.attention).toEqual(comparison.attention);
  });
});
