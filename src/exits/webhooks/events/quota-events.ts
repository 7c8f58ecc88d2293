import { Injectable } from '@nestjs/common';
import { dailyLimitOf } from '../../../core/organizations/organization.js';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import { QUOTA_THRESHOLDS_PCT, QuotaLedger, thresholdOf } from '../../../core/organizations/quota-ledger.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { eventIdOf } from '../queue/event-id.js';
import type { WebhookEvent } from '../queue/webhook-queue.js';

/** Events of the daily quota. */
@Injectable()
export class QuotaEvents {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly quota: QuotaLedger,
    private readonly clock: ClinicalClock,
  ) {}

  /** Thresholds that the day has reached by now; past days are not reported. */
  async reached(transaction: TenantTransaction): Promise<WebhookEvent[]> {
    const { organizationId } = transaction.tenant;
    const organization = await this.organizations.find(transaction, organizationId);
    if (organization === null) return [];
    const usage = await this.quota.usage(transaction, organizationId, dailyLimitOf(organization));
    const now = this.clock.realNow();
    const timestamp = await this.clock.now(transaction);
    const day = new Date(now.getTime() + usage.resetsInS * 1000 - 1000).toISOString().slice(0, 10);
    return QUOTA_THRESHOLDS_PCT.filter((share) => usage.used >= thresholdOf(usage, share)).map((sharePct) => ({
      id: eventIdOf('quota.threshold', organizationId, day, sharePct),
      type: 'quota.threshold',
      timestamp,
      reportId: null,
      data: { sharePct, day, limit: usage.limit, used: usage.used },
      text: {},
    }));
  }
}
