import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { ReviewSubject } from '../../../core/report/review-link.js';
import type { IssuedReviewLink, ReviewLinkRequest } from '../../../core/report/review-links.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Settings } from '../../../platform/config/settings.js';
import { PublicAddress } from '../../../platform/http/public-address.js';

export interface DeskLinkView {
  readonly id: string;
  /** Opens once. */
  readonly url: string;
  readonly expiresAt: string;
}

/** What all links to the desk have in common. */
@Injectable()
export class DeskLinks {
  constructor(
    private readonly reader: ReportReader,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  /** `report.not_found`; `route.not_found` where the pages are switched off. */
  async reportFor(tenant: Tenant, reportId: string): Promise<ClinicalReport> {
    if (!this.settings.console.isOn)
      throw new SuturaError('route.not_found', { detail: 'The pages are switched off (SUTURA_CONSOLE).' });
    return (await this.reader.read(tenant, reportId)).report;
  }

  /** The secret stands behind `#`, which no browser sends: it comes into no log, and fetching the address opens nothing. */
  view({ id, secret, expiresAt }: IssuedReviewLink): DeskLinkView {
    return { id, url: `${this.address.url}/review/${id}#${secret}`, expiresAt: expiresAt.toISOString() };
  }
}

/** What the link of a list names: its reports, each once, in their order. */
export function listedBy(
  reports: readonly ClinicalReport[],
): Pick<ReviewLinkRequest, 'subject' | 'subjectId' | 'reportId' | 'reportIds'> {
  const reportIds = [...new Set(reports.map(({ id }) => id))];
  const [first = ''] = reportIds;
  return { subject: 'list', subjectId: first, reportId: first, reportIds };
}

/** What a link names. */
export function namedBy(
  report: ClinicalReport,
  subject: Exclude<ReviewSubject, 'list' | 'patient'>,
): Pick<ReviewLinkRequest, 'subject' | 'subjectId' | 'reportId'> {
  return {
    subject,
    subjectId: subject === 'report' ? report.id : report.content.subject.woundRef,
    reportId: report.id,
  };
}
