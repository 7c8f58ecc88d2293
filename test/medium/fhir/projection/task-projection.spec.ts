import type { Media, Task } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { AnalysisJob, JobSubject } from '../../../../src/core/analysis/analysis-job.js';
import type { AnalysisRequest } from '../../../../src/core/analysis/analysis-request.js';
import { AnalysisRequestRepository } from '../../../../src/core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { Outbox } from '../../../../src/core/domain-events/outbox.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { toTask } from '../../../../src/doors/fhir/projection/task.js';
import { PLAIN_REQUEST } from '../../../support/core-services.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { drawResult } from '../../../support/wound-results.js';
import { ProjectionGround } from './projection-ground.js';
import { takeEvents } from '../../../support/outbox-events.js';

const SUBJECT: JobSubject = { patientId: 'MRN-1', woundId: 'W1' };

describe('jobs as Tasks', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let jobs: JobRepository;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
    jobs = context.get(JobRepository);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const queue = async (subject: JobSubject | null = SUBJECT): Promise<AnalysisJob> => {
    const patientId =
      subject === null
        ? null
        : await ground.within(tenant, (transaction) =>
            context.get(PatientRepository).resolve(transaction, { system: '', value: subject.patientId! }, v7()),
          );
    return context.createJob(tenant, { subject, patientId });
  };
  const claim = async ({ id }: AnalysisJob) => (await jobs.claim(60, id))!;
  const status = async ({ id }: { id: string }) => (await ground.find<Task>(tenant, 'Task', id))?.resource.status;
  const waitingTask = (id: string): Task =>
    toTask({
      id,
      state: 'waiting',
      error: null,
      patient: null,
      order: `ServiceRequest/${v7()}`,
      image: null,
      clinicalContext: null,
      priority: 'routine',
      requester: `Organization/${tenant.organizationId}`,
      owner: null,
      authoredOn: new Date(),
      lastModified: new Date(),
      startedAt: null,
      endedAt: null,
      report: null,
    });

  describe('there is none', () => {
    it('of a job of nobody, whatever happens to it', async () => {
      const job = await queue(null);
      await ground.handle(tenant, 'analysis.queued', job.id);
      await jobs.fail((await claim(job)).lease, { code: 'processing.failed', detail: 'No.', retryable: true });
      await ground.handle(tenant, 'analysis.failed', job.id);
      expect(await ground.all(tenant)).toEqual([]);
    });

    it('of a job that is not there, and none that another tenant sees', async () => {
      await ground.handle(tenant, 'analysis.started', v7());
      const job = await queue();
      const other = await context.createTenant();
      await ground.handle(other, 'analysis.queued', job.id);
      expect([await ground.all(tenant), await ground.all(other)]).toEqual([[], []]);
    });
  });

  it('shows a native job with its photo and patient, step by step', async () => {
    const job = await queue();
    await ground.handle(tenant, 'analysis.queued', job.id);
    expect(await ground.read<Task>(tenant, 'Task', job.id)).toMatchObject({
      status: 'accepted',
      focus: { reference: `Media/${job.imageId}` },
      for: { reference: `Patient/${job.patientId!}` },
    });
    expect(await ground.read<Media>(tenant, 'Media', job.imageId)).toMatchObject({
      status: 'completed',
      width: 640,
      height: 480,
      content: { url: `Binary/${job.imageId}`, size: 1000, hash: 'IRWh2IFDIWWzvo1QWc1KK6HA9Y4=' },
    });
    const claimed = await claim(job);
    await ground.handle(tenant, 'analysis.started', job.id);
    expect(await ground.read<Task>(tenant, 'Task', job.id)).toMatchObject({
      status: 'in-progress',
      executionPeriod: { start: expect.any(String) },
    });
    await jobs.fail(claimed.lease, { code: 'model.output_invalid', detail: 'No.', retryable: false });
    await ground.handle(tenant, 'analysis.failed', job.id);
    expect(await ground.read<Task>(tenant, 'Task', job.id)).toMatchObject({
      status: 'failed',
      statusReason: { coding: [{ code: 'model-output-invalid' }], text: 'No.' },
      executionPeriod: { end: expect.any(String) },
    });
    expect((await ground.faultsOf(tenant)).flatMap(([, found]) => found)).toEqual([]);
  });

  describe('never goes back', () => {
    it('where an event comes late or twice, nor where a lost worker returns its job', async () => {
      const job = await queue();
      const claimed = await claim(job);
      await ground.handle(tenant, 'analysis.started', job.id);
      await jobs.release(claimed.lease);
      await ground.handle(tenant, 'analysis.queued', job.id);
      expect(await status(job)).toBe('in-progress');
      await jobs.fail((await claim(job)).lease, { code: 'processing.timeout', detail: 'No.', retryable: true });
      for (const kind of ['analysis.failed', 'analysis.started', 'analysis.queued', 'analysis.failed'] as const)
        await ground.handle(tenant, kind, job.id);
      expect(await ground.find(tenant, 'Task', job.id)).toMatchObject({ version: 2, resource: { status: 'failed' } });
    });

    it('where the start is heard of only after the report', async () => {
      const job = await queue();
      const claimed = await claim(job);
      await jobs.complete(claimed.lease, drawResult());
      await ground.handle(tenant, 'analysis.started', job.id);
      expect(await status(job)).toBe('in-progress');
      await ground.followUp.assembly.assemble(tenant, job.id);
      await ground.deliver(tenant);
      await ground.handle(tenant, 'analysis.started', job.id);
      await ground.handle(tenant, 'analysis.queued', job.id);
      expect(await ground.read<Task>(tenant, 'Task', job.id)).toMatchObject({
        status: 'completed',
        output: [{ valueReference: { reference: `DiagnosticReport/${job.reportId}` } }],
        owner: { reference: 'Device/wound-segmentation-1.0.0' },
      });
    });

    it('where two processes hear of two states at once', async () => {
      const other = new ProjectionGround(context);
      for (let round = 0; round < 5; round += 1) {
        const job = await queue({ patientId: `MRN-${round}` });
        const claimed = await claim(job);
        await Promise.all([
          ground.handle(tenant, 'analysis.queued', job.id),
          other.handle(tenant, 'analysis.started', job.id),
          jobs
            .fail(claimed.lease, { code: 'processing.failed', detail: 'No.', retryable: true })
            .then(() => ground.handle(tenant, 'analysis.failed', job.id)),
        ]);
        expect(await status(job)).toBe('failed');
      }
    });
  });

  it('is told when a worker takes the job, with the claim itself', async () => {
    const job = await queue();
    const outbox = context.get(Outbox);
    await takeEvents(outbox);
    await claim(job);
    expect(await takeEvents(outbox)).toMatchObject([{ kind: 'analysis.started', subjectId: job.id, tenant }]);
    expect(await jobs.claim(60, job.id)).toBeNull();
    expect(await takeEvents(outbox)).toEqual([]);
  });

  it('keeps what its order wrote, and names the photo that it had waited for', async () => {
    const job = await queue();
    const task: Task = { ...waitingTask(job.id), note: [{ text: 'kept' }] };
    await ground.insert<Task>(tenant, task);
    await ground.handle(tenant, 'analysis.queued', job.id);
    expect(await ground.read<Task>(tenant, 'Task', job.id)).toMatchObject({
      status: 'accepted',
      focus: task.focus,
      note: task.note,
      input: [{ valueReference: { reference: `Media/${job.imageId}` } }],
    });
  });

  it('is rejected with the request that will not become a job, and cancelled with a job that was', async () => {
    const request: AnalysisRequest = {
      ...tenant,
      id: v7(),
      orderKey: null,
      imageId: null,
      options: { ...PLAIN_REQUEST },
      state: 'waiting',
      error: null,
      awaitsPatient: false,
      retryAt: new Date(),
      createdAt: new Date(),
    };
    const requests = context.get(AnalysisRequestRepository);
    await ground.within(tenant, (transaction) => requests.insert(transaction, request));
    await ground.insert<Task>(tenant, waitingTask(request.id));
    await ground.within(tenant, (transaction) =>
      requests.update(transaction, request.id, {
        state: 'rejected',
        error: { code: 'image.unreadable', detail: 'Broken.', retryable: false },
      }),
    );
    await ground.handle(tenant, 'analysis.rejected', request.id);
    expect(await ground.read<Task>(tenant, 'Task', request.id)).toMatchObject({
      status: 'rejected',
      businessStatus: { coding: [{ code: 'error' }] },
      statusReason: { coding: [{ code: 'image-unreadable' }] },
    });

    const job = await queue();
    await ground.handle(tenant, 'analysis.queued', job.id);
    await ground.within(tenant, (transaction) =>
      jobs.cancel(transaction, job.id, { code: 'job.cancelled', detail: 'Cancelled.', retryable: false }),
    );
    await ground.handle(tenant, 'analysis.failed', job.id);
    expect(await status(job)).toBe('cancelled');
  });
});
