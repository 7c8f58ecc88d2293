import { Injectable } from '@nestjs/common';
import { dailyLimitOf } from '../../../core/organizations/organization.js';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import { QUOTA_THRESHOLDS_PCT, QuotaLedger, thresholdOf } from '../../../core/organizations/quota-ledger.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { eventIdOf } from '../queue/event-id.js';
import type { WebhookEvent } from '../queue/webhook-queue.js';

const HAPPENED_AT = 'select created_at as "at" from outbox_events where organization_id = $1 and id = $2 limit 1';
/** Between the charge, which takes its day by a clock of its own, and what its transaction gives as the time of the event. */
const APART_MS = 60_000;

/** Events of the daily quota. */
@Injectable()
export class QuotaEvents {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly quota: QuotaLedger,
    private readonly clock: ClinicalClock,
  ) {}

  /** Thresholds that the day of this event of the outbox has reached by now, whenever it is told: midnight may lie between. */
  async reached(transaction: TenantTransaction, eventId: string): Promise<WebhookEvent[]> {
    const { organizationId } = transaction.tenant;
    const organization = await this.organizations.find(transaction, organizationId);
    if (organization === null) return [];
    const happenedAt = await this.happenedAt(transaction, eventId);
    const charged = [-APART_MS, APART_MS].map((apartMs) => new Date(happenedAt.getTime() + apartMs));
    const days = new Set(charged.map((at) => at.toISOString().slice(0, 10)));
    const timestamp = (await this.clock.timeline(transaction)).at(happenedAt);
    const events: WebhookEvent[] = [];
    const limit = dailyLimitOf(organization);
    for (const day of days) {
      const used = await this.quota.usedOn(transaction, organizationId, day);
      for (const sharePct of QUOTA_THRESHOLDS_PCT.filter((share) => used >= thresholdOf({ limit }, share)))
        events.push({
          id: eventIdOf('quota.threshold', organizationId, day, sharePct),
          type: 'quota.threshold',
          timestamp,
          reportId: null,
          data: { sharePct, day, limit, used },
          text: {},
        });
    }
    return events;
  }

  private async happenedAt(transaction: TenantTransaction, eventId: string): Promise<Date> {
    const { organizationId } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<{ at: Date }>(HAPPENED_AT, [organizationId, eventId]);
    // Another process has told it meanwhile, and told it again changes nothing.
    return rows[0]?.at ?? this.clock.realNow();
  }
}
