import { v7 } from 'uuid';
import { AnalysisRequestRepository } from '../../../src/core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { WoundRepository } from '../../../src/core/followup/wound.repository.js';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { QuotaLedger } from '../../../src/core/organizations/quota-ledger.js';
import { ClinicalClock } from '../../../src/core/ports/clinical-clock.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { ReportRepository } from '../../../src/core/report/report.repository.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { AnalysisEvents } from '../../../src/exits/webhooks/events/analysis-events.js';
import type { SourceKind } from '../../../src/exits/webhooks/events/event-sources.js';
import { QuotaEvents } from '../../../src/exits/webhooks/events/quota-events.js';
import { WebhookEventReader } from '../../../src/exits/webhooks/events/webhook-event-reader.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('what webhooks say of a job and a quota', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  let reader: WebhookEventReader;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant();
    reader = new WebhookEventReader(
      new AnalysisEvents(
        context.get(JobRepository),
        context.get(AnalysisRequestRepository),
        context.get(ClinicalClock),
      ),
      context.get(ReportRepository),
      context.get(WoundRepository),
      new QuotaEvents(context.get(OrganizationRepository), context.get(QuotaLedger), context.get(ClinicalClock)),
      context.get(ClinicalClock),
    );
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const read = (kind: SourceKind, subjectId: string, id = v7(), of = tenant) =>
    context.get(UnitOfWork).inTenant(of, (transaction) => reader.read(transaction, { id, kind, subjectId }));

  it('is the quota of the day in which it was used, although midnight passed before it was told', async () => {
    const of = await context.createTenant();
    const { organizationId, environment } = of;
    await queryDatabase(
      database.url,
      `insert into quota_usage (organization_id, day, used) values ($1, '2026-03-14', 10000000)`,
      [organizationId],
    );
    const daysOf = async (createdAt: string) => {
      const id = v7();
      await queryDatabase(
        database.url,
        `insert into outbox_events (id, kind, organization_id, environment, subject_id, created_at, handler)
           values ($1, 'quota.threshold', $2, $3, $2, $4, 'webhooks')`,
        [id, organizationId, environment, createdAt],
      );
      const told = await read('quota.threshold', organizationId, id, of);
      return told.map(({ data }) => `${String(data['day'])} ${String(data['sharePct'])}`);
    };
    const used = ['2026-03-14 80', '2026-03-14 100'];
    // The charge and its event have clocks of their own.
    for (const at of ['2026-03-14T12:00:00Z', '2026-03-14T23:59:59.9Z', '2026-03-15T00:00:00.1Z'])
      expect([at, await daysOf(at)]).toEqual([at, used]);
    expect(await daysOf('2026-03-15T00:02:00Z')).toEqual([]);
  });

  it('is nothing while it waits', async () => {
    const { id } = await context.createJob(tenant);
    expect(await read('analysis.failed', id)).toEqual([]);
    expect(await read('analysis.completed', id)).toEqual([]);
  });

  it('is analysis.failed with its code, and not its detail, once it has failed', async () => {
    const { id, imageId, reportId } = await context.createJob(tenant);
    await queryDatabase(
      database.url,
      `update analysis_jobs set status = 'error', completed_at = now(), error = $2 where id = $1`,
      [id, JSON.stringify({ code: 'image.unreadable', detail: 'An invented detail.', retryable: false })],
    );
    const events = await read('analysis.failed', id);
    expect(events).toMatchObject([
      {
        type: 'analysis.failed',
        reportId,
        data: { jobId: id, imageId, error: { code: 'image.unreadable', retryable: false } },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('invented');
  });
});
