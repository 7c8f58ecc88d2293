import { Injectable } from '@nestjs/common';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { dailyLimitOf } from '../../../core/organizations/organization.js';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import { QUOTA_THRESHOLDS_PCT, QuotaLedger, thresholdOf } from '../../../core/organizations/quota-ledger.js';
import { Clock } from '../../../core/ports/clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import { eventIdOf } from '../queue/event-id.js';
import type { WebhookEvent } from '../queue/webhook-queue.js';
import type { ToldKind } from './event-sources.js';
import { eventsOfReport } from './report-events.js';

/** Reads what webhooks say of something that happened: all of it until now, so that nothing is missed whichever event comes first. */
@Injectable()
export class WebhookEventReader {
  constructor(
    private readonly jobs: JobRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly organizations: OrganizationRepository,
    private readonly quota: QuotaLedger,
    private readonly clock: Clock,
  ) {}

  /** `isWanted`: what it costs more to know is read only where somebody is told of it. */
  read(
    transaction: TenantTransaction,
    { kind, subjectId }: { readonly kind: ToldKind; readonly subjectId: string },
    isWanted: (type: WebhookEventType) => Promise<boolean>,
  ): Promise<WebhookEvent[]> {
    switch (kind) {
      case 'analysis.completed':
        return this.completed(transaction, subjectId);
      case 'analysis.failed':
        return this.failed(transaction, subjectId);
      case 'analysis.rejected':
        return this.rejected(transaction, subjectId);
      case 'wound.closed':
      case 'wound.reopened':
        return this.decisions(transaction, subjectId);
      case 'quota.threshold':
        return this.quotaReached(transaction);
      case 'report.ready':
      case 'report.amended':
      case 'report.moved':
        return this.report(transaction, subjectId, () => isWanted('wound.opened'));
    }
  }

  private async report(
    transaction: TenantTransaction,
    reportId: string,
    tellsOfWounds: () => Promise<boolean>,
  ): Promise<WebhookEvent[]> {
    const versions = await this.reports.versions(transaction, reportId);
    const first = versions[0];
    if (first === undefined) return [];
    const wound = (await tellsOfWounds()) ? await this.wounds.find(transaction, first.content.stated.woundRef) : null;
    return eventsOfReport(versions, wound);
  }

  /** The report is still to be made. */
  private async completed(transaction: TenantTransaction, jobId: string): Promise<WebhookEvent[]> {
    const job = await this.jobs.find(transaction, jobId);
    if (job?.status !== 'completed' || job.result === null) return [];
    const { imageId, reportId, result, completedAt } = job;
    const data = { jobId, imageId, reportId, woundDetected: result.woundDetected };
    return [
      {
        id: eventIdOf('analysis.completed', jobId),
        type: 'analysis.completed',
        timestamp: completedAt ?? this.clock.now(),
        reportId,
        data,
        text: {},
      },
    ];
  }

  private async failed(transaction: TenantTransaction, jobId: string): Promise<WebhookEvent[]> {
    const job = await this.jobs.find(transaction, jobId);
    if (job?.status !== 'error' || job.error === null) return [];
    const { imageId, reportId, error, completedAt } = job;
    const data = { jobId, imageId, error: { code: error.code, retryable: error.retryable } };
    return [
      {
        id: eventIdOf('analysis.failed', jobId),
        type: 'analysis.failed',
        timestamp: completedAt ?? this.clock.now(),
        reportId,
        data,
        text: {},
      },
    ];
  }

  /** An order whose photo could not be used: its job, which has the request's id, will never be. */
  private async rejected(transaction: TenantTransaction, id: string): Promise<WebhookEvent[]> {
    const request = await this.requests.find(transaction, id);
    if (request === null || request.state !== 'rejected') return [];
    const error = { code: request.error?.code ?? 'image.unreadable', retryable: false };
    return [
      {
        id: eventIdOf('analysis.failed', id),
        type: 'analysis.failed',
        timestamp: this.clock.now(),
        reportId: null,
        data: { jobId: id, imageId: request.imageId, error },
        text: {},
      },
    ];
  }

  private async decisions(transaction: TenantTransaction, woundId: string): Promise<WebhookEvent[]> {
    const history = await this.wounds.history(transaction, woundId);
    return history.flatMap(({ id, decision, decidedAt, reviewer, note }): WebhookEvent[] => {
      if (decision !== 'closed' && decision !== 'reopened') return [];
      const type = decision === 'closed' ? 'wound.closed' : 'wound.opened';
      const data = {
        woundId,
        decidedAt: decidedAt.toISOString(),
        ...(decision === 'closed' ? {} : { reopened: true }),
      };
      const text = { reviewer, note };
      // A person may date a decision back; it happened when it was told.
      return [{ id: eventIdOf(type, woundId, id), type, timestamp: momentOf(id), reportId: null, data, text }];
    });
  }

  /** Those that the day has reached by now; a day that is over is told no more. */
  private async quotaReached(transaction: TenantTransaction): Promise<WebhookEvent[]> {
    const { organizationId } = transaction.tenant;
    const organization = await this.organizations.find(transaction, organizationId);
    if (organization === null) return [];
    const usage = await this.quota.usage(transaction, organizationId, dailyLimitOf(organization));
    const now = this.clock.now();
    const day = new Date(now.getTime() + usage.resetsInS * 1000 - 1000).toISOString().slice(0, 10);
    return QUOTA_THRESHOLDS_PCT.filter((share) => usage.used >= thresholdOf(usage, share)).map((sharePct) => ({
      id: eventIdOf('quota.threshold', organizationId, day, sharePct),
      type: 'quota.threshold',
      timestamp: now,
      reportId: null,
      data: { sharePct, day, limit: usage.limit, used: usage.used },
      text: {},
    }));
  }
}

/** The time in a UUID of version 7, which this service gave. */
function momentOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
