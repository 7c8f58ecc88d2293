import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { ReportPictureReader } from '../../../core/report/report-pictures.js';
import { shownReports, type WoundEvidence } from '../../../core/report/wound-evidence.js';
import { WoundEvidenceReader, type EvidencePeriod } from '../../../core/report/wound-evidence-reader.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { ReportRenderer } from '../../../reports/index.js';
import { accessTo } from '../audit/native-access.js';
import { DOCUMENT_TYPES, documentHeaders, VARY } from './document-headers.js';
import { toEvidenceView } from './evidence-view.mapper.js';
import type { Representation } from './representation.js';

/** The evidence of a wound as an HTTP answer, in the representation that the caller wants. Made anew each time and not kept. */
@Injectable()
export class EvidenceReadingService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reader: WoundEvidenceReader,
    private readonly pictures: ReportPictureReader,
    private readonly renderer: ReportRenderer,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
  ) {}

  async read(
    caller: Caller,
    woundId: string,
    period: EvidencePeriod,
    { mediaType, language, paper }: Representation,
  ): Promise<HttpAnswer> {
    const evidence = await this.unitOfWork.inTenant(caller, (transaction) =>
      this.reader.readIn(transaction, woundId, period),
    );
    await this.audit.recordNow(
      caller,
      accessTo('R', `BodyStructure/${woundId}`, { wound: woundId }, `evidence ${mediaType}`),
    );
    if (mediaType === 'application/json') return jsonAnswer(200, toEvidenceView(evidence, this.address.url), VARY);
    const type = DOCUMENT_TYPES[mediaType];
    const pictures = type.format === 'text' ? [] : await this.picturesOf(evidence);
    const body = await this.renderer.renderEvidence(evidence, pictures, type.format, language, paper);
    return { status: 200, headers: documentHeaders(type, `evidence-${woundId}`, language), body };
  }

  private async picturesOf({ reports }: WoundEvidence) {
    const shown = shownReports(reports);
    const pictures = await this.pictures.sideBySide(shown);
    return shown.map(({ id }, place) => ({ reportId: id, picture: pictures[place] ?? null }));
  }
}
