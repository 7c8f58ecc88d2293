import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import { reportTag } from './report-tag.js';
import { DOCUMENT_TYPES, documentHeaders, VARY } from './document-headers.js';
import { toReportView } from './report-view.mapper.js';
import type { Representation } from './representation.js';
import { wholeList } from '../paging/page.js';

/** Reports as HTTP answers, in the representation that the caller wants. */
@Injectable()
export class ReportReadingService {
  constructor(
    private readonly reader: ReportReader,
    private readonly archive: ReportDocumentArchive,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
  ) {}

  async read(
    caller: Caller,
    reportId: string,
    representation: Representation,
    ifNoneMatch: string | undefined,
  ): Promise<HttpAnswer> {
    const reading = await this.reader.read(caller, reportId);
    const answer = await this.represent(caller, reading, representation);
    await this.note(caller, reading.report, representation);
    return conditional(answer, ifNoneMatch, reportTag(reading.report.version, answer.body ?? ''));
  }

  /** A report as JSON, with the tag that a review of it needs. */
  jsonOf({ report, sequence, heading }: ReportReading, status: number): HttpAnswer {
    const view = toReportView(report, sequence, this.address.url);
    const answer = jsonAnswer(status, heading === null ? view : { ...view, heading }, VARY);
    return { ...answer, headers: { ...answer.headers, etag: reportTag(report.version, answer.body ?? '') } };
  }

  async versions(caller: Caller, reportId: string): Promise<HttpAnswer> {
    const versions = await this.reader.versions(caller, reportId);
    for (const latest of versions.slice(-1)) await this.note(caller, latest);
    return jsonAnswer(200, wholeList(versions.map((version) => toReportView(version, null, this.address.url))));
  }

  /** One version as it was written. `report.not_found` for an unknown version. */
  async version(
    caller: Caller,
    reportId: string,
    version: string,
    representation: Representation,
    ifNoneMatch: string | undefined,
  ): Promise<HttpAnswer> {
    const versions = await this.reader.versions(caller, reportId);
    const report = versions.find((one) => String(one.version) === version);
    if (report === undefined)
      throw new SuturaError('report.not_found', {
        detail: 'The report has no such version. GET …/versions lists those it has.',
      });
    await this.note(caller, report, representation);
    const answer = await this.represent(
      caller,
      { ...(await this.reader.read(caller, reportId)), report, sequence: null, trend: [] },
      representation,
    );
    return conditional(answer, ifNoneMatch, reportTag(report.version, answer.body ?? ''));
  }

  private note(caller: Caller, { id, content }: ClinicalReport, representation?: Representation): Promise<void> {
    return this.audit.recordNow(
      caller,
      accessTo('R', `DiagnosticReport/${id}`, { wound: content.subject.woundRef }, representation?.mediaType),
    );
  }

  private async represent(
    tenant: Tenant,
    reading: ReportReading,
    { mediaType, language, paper }: Representation,
  ): Promise<HttpAnswer> {
    if (mediaType === 'application/json') return this.jsonOf(reading, 200);
    const { report } = reading;
    const type = DOCUMENT_TYPES[mediaType];
    const named = { reportId: report.id, version: report.version };
    const { bytes } = await this.archive.open(tenant, named, { format: type.format, language, paper });
    return {
      status: 200,
      headers: documentHeaders(type, `report-${report.id}-v${report.version}`, language),
      body: bytes,
    };
  }
}
