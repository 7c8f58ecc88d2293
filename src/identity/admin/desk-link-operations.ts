import { Injectable } from '@nestjs/common';
import { OperatorTrail, type Operator } from '../../core/audit/operator-trail.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ReportReader } from '../../core/report/report-reader.js';
import type { ReviewSubject } from '../../core/report/review-link.js';
import { ReviewLinks } from '../../core/report/review-links.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import type { UserRecord } from '../../core/users/user.js';
import { Settings } from '../../platform/config/settings.js';
import { PublicAddress } from '../../platform/http/public-address.js';

const LINK_MIN = 30;

export interface DeskLinkView {
  readonly id: string;
  /** Opens once. */
  readonly url: string;
  readonly expiresAt: string;
}

interface WantedDesk {
  readonly tenant: Tenant;
  readonly reportId: string;
  readonly of: ReviewSubject;
}

/** Links to the review desk for people who are logged in. Each goes into the audit trail of the organization. */
@Injectable()
export class DeskLinkOperations {
  constructor(
    private readonly links: ReviewLinks,
    private readonly reader: ReportReader,
    private readonly trail: OperatorTrail,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  /** `report.not_found`; `service.unavailable` where the link cannot be recorded. */
  async make(
    operator: Operator,
    user: Pick<UserRecord, 'id' | 'name'>,
    { tenant, reportId, of }: WantedDesk,
  ): Promise<DeskLinkView> {
    if (!this.settings.console.isOn)
      throw new SuturaError('route.not_found', { detail: 'The pages are switched off (SUTURA_CONSOLE).' });
    const { report } = await this.reader.read(tenant, reportId);
    const { woundRef } = report.content.subject;
    const { id, secret, expiresAt } = await this.links.makeForUser(user, tenant, {
      ...{ mode: 'review', subject: of, subjectId: of === 'report' ? report.id : woundRef, reportId: report.id },
      ...{ minutes: LINK_MIN, language: null, frameOrigin: null },
    });
    await this.trail.record(operator, {
      ...{ interaction: '$review-link', action: 'R', of: tenant, query: `review link review ${of}` },
      resources: [`DiagnosticReport/${report.id}`],
    });
    return { id, url: `${this.address.url}/review/${id}#${secret}`, expiresAt: expiresAt.toISOString() };
  }
}
