import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import type { ReportFormat } from '../../../core/report/report-document.js';
import { ReportPictureReader } from '../../../core/report/report-pictures.js';
import { ReportReader, type CapturePeriod } from '../../../core/report/report-reader.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Settings } from '../../../platform/config/settings.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { REPORT_PAGE_POLICY, ReportRenderer } from '../../../reports/index.js';
import { accessTo } from '../audit/native-access.js';
import { reportTag } from './report-tag.js';
import { toCourseView, toReportView } from './report-view.mapper.js';
import type { ReportMediaType, Representation } from './representation.js';

interface DocumentType {
  readonly format: ReportFormat;
  readonly contentType: string;
  readonly extension: string;
  /** Content-Security-Policy, where the page needs another than every answer has. */
  readonly policy?: string;
}

const DOCUMENT_TYPES: Readonly<Record<Exclude<ReportMediaType, 'application/json'>, DocumentType>> = {
  'text/html': {
    format: 'html',
    contentType: 'text/html; charset=utf-8',
    extension: 'html',
    policy: REPORT_PAGE_POLICY,
  },
  'application/pdf': { format: 'pdf', contentType: 'application/pdf', extension: 'pdf' },
  'text/plain': { format: 'text', contentType: 'text/plain; charset=utf-8', extension: 'txt' },
};
const VARY = { vary: 'Accept, Accept-Language' };

/** Reports as HTTP answers, in the representation that the caller wants. */
@Injectable()
export class ReportReadingService {
  constructor(
    private readonly reader: ReportReader,
    private readonly pictures: ReportPictureReader,
    private readonly archive: ReportDocumentArchive,
    private readonly renderer: ReportRenderer,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
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
    return jsonAnswer(200, { items: versions.map((version) => toReportView(version, null, this.address.url)) });
  }

  /** One version as it was written. `report.not_found` for a version that there is not. */
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

  async course(
    caller: Caller,
    woundId: string,
    period: CapturePeriod,
    { mediaType, language, paper }: Representation,
  ): Promise<HttpAnswer> {
    const course = await this.reader.course(caller, woundId, period);
    await this.audit.recordNow(
      caller,
      accessTo('R', `BodyStructure/${woundId}`, { wound: woundId }, `course ${mediaType}`),
    );
    if (mediaType === 'application/json') return jsonAnswer(200, toCourseView(course, this.address.url), VARY);
    const [first, last] = await Promise.all([
      this.pictures.overview(course.reports[0]!),
      this.pictures.overview(course.reports.at(-1)!),
    ]);
    const type = DOCUMENT_TYPES[mediaType];
    const body = await this.renderer.renderCourse(
      course,
      { first, last },
      type.format,
      language,
      paper ?? this.settings.reports.paper,
    );
    return { status: 200, headers: documentHeaders(type, `wound-${woundId}`, language), body };
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

function documentHeaders(
  { contentType, extension, policy }: DocumentType,
  name: string,
  language: string,
): Record<string, string> {
  return {
    ...VARY,
    'content-type': contentType,
    'content-language': language,
    'content-disposition': `inline; filename="${name}.${extension}"`,
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  };
}
