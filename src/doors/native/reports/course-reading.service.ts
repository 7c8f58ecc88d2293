import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { ReportPictureReader } from '../../../core/report/report-pictures.js';
import { ReportReader, type CapturePeriod } from '../../../core/report/report-reader.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { ReportRenderer } from '../../../reports/index.js';
import { accessTo } from '../audit/native-access.js';
import { DOCUMENT_TYPES, documentHeaders, VARY } from './document-headers.js';
import { toCourseView } from './report-view.mapper.js';
import type { Representation } from './representation.js';

/** The course of a wound as an HTTP answer, in the representation that the caller wants. */
@Injectable()
export class CourseReadingService {
  constructor(
    private readonly reader: ReportReader,
    private readonly pictures: ReportPictureReader,
    private readonly renderer: ReportRenderer,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  async read(
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
    const { reports } = course;
    const ends = reports.length === 1 ? reports : [reports[0]!, reports.at(-1)!];
    const pictures = mediaType === 'text/plain' ? [] : await this.pictures.sideBySide(ends);
    const [first, last] = [pictures.at(0) ?? null, pictures.at(-1) ?? null];
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
}
