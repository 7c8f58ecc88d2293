import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { ReportLookUp, type FiledReport } from '../../../core/report/report-look-up.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { listingOf } from '../audit/native-access.js';
import { readLookUp } from '../paging/page.js';
import { metadataOf } from '../route/metadata-pairs.js';
import { jobPath, reportPath, woundPath } from '../route/paths.js';
import type { FiledReportView, ReportListQuery } from './report-list.schema.js';

/** Reports by the caller's own references, as HTTP answers. */
@Injectable()
export class ReportListService {
  constructor(
    private readonly reports: ReportLookUp,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
  ) {}

  /** `request.invalid` without a pair. */
  async list(caller: Caller, query: ReportListQuery): Promise<HttpAnswer> {
    const pairs = metadataOf(query);
    if (Object.keys(pairs).length === 0)
      throw invalidInput('/query', 'needs at least one pair of your own: metadata.KEY=VALUE');
    const { items, nextCursor } = await readLookUp(query, (limit, after) =>
      this.unitOfWork.inTenant(caller, (transaction) => this.reports.byMetadata(transaction, pairs, limit, after)),
    );
    const patients = items.map(({ patientId }) => patientId);
    await this.audit.recordNow(caller, listingOf('DiagnosticReport', patients, query));
    return jsonAnswer(200, { items: items.map((report) => toView(report, this.address.url)), nextCursor });
  }
}

function toView(report: FiledReport, publicUrl: string): FiledReportView {
  const { id, version, status, jobId, imageId, woundId, replaces, replacedBy, capturedAt, createdAt } = report;
  return {
    id,
    version,
    status,
    jobId,
    imageId,
    woundRef: woundId,
    attention: [...(report.attention ?? [])],
    replaces,
    replacedBy,
    capturedAt: capturedAt.toISOString(),
    createdAt: createdAt.toISOString(),
    links: {
      self: `${publicUrl}${reportPath(id)}`,
      job: `${publicUrl}${jobPath(jobId)}`,
      wound: `${publicUrl}${woundPath(woundId)}`,
    },
  };
}
