import { Injectable } from '@nestjs/common';
import type { DeliveredEvent } from '../../../core/domain-events/domain-event.js';
import { standingChangesOf } from '../../../core/followup/wound-closure.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import { eventIdOf } from '../queue/event-id.js';
import type { WebhookEvent } from '../queue/webhook-queue.js';
import { AnalysisEvents } from './analysis-events.js';
import type { SourceKind } from './event-sources.js';
import { QuotaEvents } from './quota-events.js';
import { eventsOfReport } from './report-events.js';

/** Reads the webhook events of a domain event: all until now, so that none is missed whatever the order. */
@Injectable()
export class WebhookEventReader {
  constructor(
    private readonly analyses: AnalysisEvents,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly quota: QuotaEvents,
    private readonly clock: ClinicalClock,
  ) {}

  read(
    transaction: TenantTransaction,
    { id, kind, subjectId }: Pick<DeliveredEvent, 'id' | 'subjectId'> & { readonly kind: SourceKind },
  ): Promise<WebhookEvent[]> {
    switch (kind) {
      case 'analysis.completed':
        return this.analyses.completed(transaction, subjectId);
      case 'analysis.failed':
        return this.analyses.failed(transaction, subjectId);
      case 'analysis.rejected':
        return this.analyses.rejected(transaction, subjectId);
      case 'wound.closed':
      case 'wound.reopened':
        return this.decisions(transaction, subjectId);
      case 'quota.threshold':
        return this.quota.reached(transaction, id);
      case 'report.ready':
      case 'report.amended':
      case 'report.moved':
        return this.report(transaction, subjectId);
    }
  }

  private async report(transaction: TenantTransaction, reportId: string): Promise<WebhookEvent[]> {
    const versions = await this.reports.versions(transaction, reportId);
    const first = versions[0];
    if (first === undefined) return [];
    const wound = await this.wounds.find(transaction, first.content.stated.woundRef);
    if (wound === null) return eventsOfReport(versions, null);
    const openedAt = (await this.clock.timeline(transaction)).at(wound.createdAt);
    return eventsOfReport(versions, { ...wound, openedAt });
  }

  private async decisions(transaction: TenantTransaction, woundId: string): Promise<WebhookEvent[]> {
    const history = await this.wounds.history(transaction, woundId);
    const timeline = await this.clock.timeline(transaction);
    return standingChangesOf(history).map(({ event, status }): WebhookEvent => {
      const { id, decidedAt, reviewer, note } = event;
      const type = status === 'closed' ? 'wound.closed' : 'wound.opened';
      const data = { woundId, decidedAt: decidedAt.toISOString(), ...(status === 'closed' ? {} : { reopened: true }) };
      const text = { reviewer, note };
      // A decision may be dated back; the event happened when it was recorded.
      const timestamp = timeline.at(momentOf(id));
      return { id: eventIdOf(type, woundId, id), type, timestamp, reportId: null, data, text };
    });
  }
}

/** The time in a UUID of version 7, which this service gave. */
function momentOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
