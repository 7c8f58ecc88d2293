import type { Media, Resource, Task } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { ImageRepository } from '../../../../src/core/images/image.repository.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { FhirProjectionHandler } from '../../../../src/doors/fhir/projection/fhir-projection.handler.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { newJob } from '../../../support/new-job.js';
import { WOUND } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from './projection-ground.js';

/** Ids differ between tenants, and times and versions between one that was always open and one that was opened late. */
function comparable(resources: readonly Resource[]): unknown[] {
  const names = new Map<string, string>();
  const named = (text: string) =>
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!names.has(id)) names.set(id, `id-${names.size}`);
        return names.get(id)!;
      })
      .replace(/\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d)/g, 'a time');
  const kinds = resources.map((resource) => {
    const { meta, ...rest } = resource;
    return { rest, profile: meta?.profile };
  });
  return kinds.map((one) => named(JSON.stringify(one))).sort();
}

describe('FHIR for tenants that ask for it', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
  });
  afterAll(async () => {
    await ground?.stop();
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const isComplete = async () => (await ground.opened.find(tenant))?.isComplete ?? false;
  /** Hands over all events of the tenant's reports to a process. */
  const deliver = async (of: Tenant, handler: FhirProjectionHandler = ground.handler) => {
    for (const { kind, subjectId } of await ground.followUp.takeReportEvents(of))
      await handler.handle({ id: subjectId, kind, tenant: of, subjectId });
  };

  /** Whom an assessment is of. */
  const patientOf = async ({ jobId }: { jobId: string }, of: Tenant = tenant) =>
    (await ground.within(of, (transaction) => context.get(JobRepository).find(transaction, jobId)))!.patientId;

  /** A wound with a corrected and a withdrawn report, one of another patient, one of nobody, and a photo that failed. */
  const history = async (of: Tenant) => {
    const first = await ground.followUp.assess(of, 0, 9);
    await deliver(of);
    await ground.followUp.review(of, first, { decision: 'accept' });
    const second = await ground.followUp.assess(of, 1, 7);
    await deliver(of);
    await ground.followUp.review(of, second, { decision: 'reject', note: 'Out of focus.' });
    await deliver(of);
    await ground.followUp.assess(of, 2, 6);
    await ground.followUp.assess(of, 0, 3, { patientId: 'MRN-4712', woundId: 'W1' });
    await ground.followUp.assess(of, 0, 3, null);
    await deliver(of);
    const patientId = await patientOf(first, of);
    const failed = await context.createJob(of, { subject: WOUND, patientId });
    const claimed = await context.get(JobRepository).claim(60, failed.id);
    await context
      .get(JobRepository)
      .fail(claimed!.lease, { code: 'image.unreadable', detail: 'The photo cannot be read.', retryable: false });
    await ground.handler.handle({ id: failed.id, kind: 'analysis.failed', tenant: of, subjectId: failed.id });
    return { first, failed };
  };

  it('writes nothing for a tenant that never asked', async () => {
    await history(tenant);
    expect(await ground.opened.find(tenant)).toBeNull();
    expect(await ground.all(tenant)).toEqual([]);
    expect(await ground.backfill.run()).toBe(0);
  });

  it('has at the first request what a tenant has that was always open', async () => {
    const always = await context.createTenant();
    await ground.opened.open(always);
    await history(always);
    const { failed, first } = await history(tenant);
    await ground.opening.ensureActive(tenant);
    expect(comparable(await ground.all(tenant))).toEqual(comparable(await ground.all(always)));
    expect((await ground.faultsOf(tenant)).filter(([, found]) => found.length > 0)).toEqual([]);
    expect((await ground.read<Task>(tenant, 'Task', failed.id)).status).toBe('failed');
    // Each version of a report is one of its DiagnosticReport, whenever it is written.
    expect(await ground.find(tenant, 'DiagnosticReport', first.id)).toMatchObject({ version: 2 });
  });

  it('keeps an opened tenant up to date, and other tenants and environments closed', async () => {
    await ground.opening.ensureActive(tenant);
    await ground.followUp.assess(tenant, 0, 9);
    await deliver(tenant);
    expect((await ground.all(tenant)).map(({ resourceType }) => resourceType)).toContain('DiagnosticReport');
    expect(
      await ground.opening.isActive({ ...tenant, environment: tenant.environment === 'test' ? 'live' : 'test' }),
    ).toBe(false);
    expect(await ground.opening.isActive(await context.createTenant())).toBe(false);
  });

  it('shows what another process left out because it still took the tenant for closed', async () => {
    const other = ground.openingOfAProcess();
    expect(await other.isActive(tenant)).toBe(false);
    await ground.opening.ensureActive(tenant);
    const late = await ground.followUp.assess(tenant, 0, 9);
    // Within the moment for which the other process trusts what it saw.
    expect(await other.isActive(tenant)).toBe(false);
    await ground.followUp.takeReportEvents(tenant);
    await eventually('the report is shown', () => ground.find(tenant, 'DiagnosticReport', late.id));
    await eventually('nothing is missing', () => isComplete());
    await eventually('the other process sees it', () => other.isActive(tenant));
  });

  it('shows what a transaction filed that had found the tenant closed, however late it ends', async () => {
    const patientId = await patientOf(await ground.followUp.assess(tenant, 0, 9));
    const { id: imageId } = await context.createImage(tenant);
    const job = newJob(tenant, { imageId, subject: WOUND, patientId });
    const looked = jest.spyOn(ground.opened, 'looking');
    await ground.within(tenant, async (transaction) => {
      await context.get(JobRepository).insert(transaction, job);
      await ground.opening.ensureActive(tenant);
      // At once, and again when every process has seen that the tenant is open.
      await eventually('it is waited for', () => looked.mock.calls.length > 1);
      expect(await isComplete()).toBe(false);
    });
    await eventually('nothing is missing', () => isComplete());
    expect((await ground.read<Task>(tenant, 'Task', job.id)).status).toBe('accepted');
    looked.mockRestore();
  });

  it('shows the end of a job that ended as the tenant was opened, though its Task was there', async () => {
    const patientId = await patientOf(await ground.followUp.assess(tenant, 0, 9));
    const job = await context.createJob(tenant, { subject: WOUND, patientId });
    await ground.opening.ensureActive(tenant);
    expect((await ground.read<Task>(tenant, 'Task', job.id)).status).toBe('accepted');
    const claimed = await context.get(JobRepository).claim(60, job.id);
    await context
      .get(JobRepository)
      .fail(claimed!.lease, { code: 'image.unreadable', detail: 'The photo cannot be read.', retryable: false });
    // Another process still takes the tenant for closed, and leaves its events out.
    await ground.followUp.takeReportEvents(tenant);
    await eventually('nothing is missing', () => isComplete());
    expect((await ground.read<Task>(tenant, 'Task', job.id)).status).toBe('failed');
  });

  it('waits for another process that writes the same, and takes over where that is gone', async () => {
    const { first } = await history(tenant);
    await ground.opened.open(tenant);
    expect(await ground.opened.hold(tenant, v7(), 60)).toBe(true);
    const refusal = await ground.opening.ensureActive(tenant).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'fhir.preparing', kind: 'unavailable', facts: { retryAfterS: 10 } });
    await context.get(SystemStatements).run('update fhir_openings set held_until = sutura_now()');
    await eventually('the report is shown', () => ground.find(tenant, 'DiagnosticReport', first.id));
    await ground.opening.ensureActive(tenant);
  });

  it('goes on with the next request where a process was stopped while it wrote', async () => {
    const { first } = await history(tenant);
    const stopped = ground.openingOfAProcess();
    await stopped.ensureActive(tenant);
    await stopped.beforeApplicationShutdown();
    expect(await isComplete()).toBe(false);
    await ground.openingOfAProcess().ensureActive(tenant);
    expect(await ground.find(tenant, 'DiagnosticReport', first.id)).not.toBeNull();
    await eventually('nothing is missing', () => isComplete());
  });

  it('shows a photo that was deleted before as one that is gone', async () => {
    const report = await ground.followUp.assess(tenant, 0, 9);
    await ground.within(tenant, (transaction) => context.get(ImageRepository).markDeleted(transaction, report.imageId));
    await ground.opening.ensureActive(tenant);
    const media = await ground.read<Media>(tenant, 'Media', report.imageId);
    expect(media.content).not.toHaveProperty('url');
    expect((await ground.faultsOf(tenant)).filter(([, found]) => found.length > 0)).toEqual([]);
  });
});
