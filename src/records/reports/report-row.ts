import type { AssessmentFindings } from '../../core/followup/assessment.js';
import { NOTHING_COMPARED, type SeriesChanges, type SeriesComparison } from '../../core/followup/series.js';
import type {
  ClinicalReport,
  FiguresContent,
  ReportContent,
  ReportFigures,
  VersionReason,
} from '../../core/report/clinical-report.js';
import { isConfirmed } from '../../core/report/review.js';
import type { ReportStatus } from '../../core/report/report-status.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { StoredDocuments } from '../../platform/database/stored-documents.js';

/** The columns of a report and its version that a timeline reads. */
export interface FiguresRow {
  readonly id: string;
  readonly job_id: string;
  readonly image_id: string;
  readonly version: number;
  readonly status: ReportStatus;
  /** In the form of the release that wrote `content_version`, like the details below. */
  readonly figures: unknown;
  readonly content_version: number;
}

/** A report joined with one of its versions. */
export interface ReportRow extends FiguresRow {
  readonly organization_id: string;
  readonly environment: Environment;
  readonly wound_id: string;
  readonly replaces: string | null;
  readonly replaced_by: string | null;
  readonly reason: VersionReason;
  readonly issued_at: Date;
  readonly details: unknown;
}

/** The rest of the content, which a timeline does not read. */
interface ReportDetails extends Omit<ReportContent, keyof FiguresContent>, Omit<SeriesComparison, keyof SeriesChanges> {
  readonly findings: Pick<
    AssessmentFindings,
    'photo' | 'outlines' | 'otherOutlines' | 'wounds' | 'push' | 'confidence'
  >;
  readonly scale: Omit<AssessmentFindings['scale'], keyof FiguresContent['findings']['scale']>;
}

/** The two parts of a stored content. A timeline reads the figures alone. */
interface StoredContent {
  readonly figures: FiguresContent;
  readonly details?: ReportDetails;
}

/** A step must work on figures without details. */
export const REPORT_CONTENTS = new StoredDocuments<StoredContent>('report', [withSeries]);

/** The columns of `FiguresRow` and of `ReportRow`, of `reports report` and `report_versions made`. */
export const FIGURES_COLUMNS =
  'report.id, report.job_id, report.image_id, made.version, made.status, made.figures, made.content_version';
export const REPORT_COLUMNS = `${FIGURES_COLUMNS}, report.organization_id, report.environment, report.wound_id, report.replaces, report.replaced_by,
  made.reason, made.issued_at, made.details`;

/** A content in its two stored parts: the figures that timelines read, and the details. */
export function partContent(content: ReportContent): Required<StoredContent> {
  const { capturedAt, capturedAsStated, stated, otherUses, findings, comparison, flags, ...said } = content;
  const { photo, outlines, otherOutlines, wounds, push, confidence, scale, ...measured } = findings;
  const { source, uncertaintyPct, ...plane } = scale;
  const { points, changes } = partComparison(comparison);
  return {
    figures: {
      capturedAt,
      ...(capturedAsStated === undefined ? {} : { capturedAsStated }),
      stated,
      ...(otherUses === undefined ? {} : { otherUses }),
      reviewed: isConfirmed(content.review),
      findings: { ...measured, scale: { source, uncertaintyPct } },
      comparison: changes,
      flags,
    },
    details: {
      ...said,
      findings: { photo, outlines, otherOutlines, ...(wounds === undefined ? {} : { wounds }), push, confidence },
      scale: plane,
      ...points,
    },
  };
}

function partComparison({ previousAssessment, previous, baseline, smallest, ...changes }: SeriesComparison) {
  return { points: { previousAssessment, previous, baseline, smallest }, changes };
}

/** Restores the original order of keys: a version is always served as the same bytes. */
function joinContent(
  { capturedAt, capturedAsStated, stated, otherUses, findings, comparison, flags }: FiguresContent,
  details: ReportDetails,
): ReportContent {
  const { rules, noTrendReason, attention, ...changes } = comparison;
  const { subject, clinicalContext, clinicianObservations, formReplaced, review, models, erasedPhotos, sandbox } =
    details;
  const { previousAssessment, previous, baseline, smallest } = details;
  return {
    subject,
    stated,
    ...(otherUses === undefined ? {} : { otherUses }),
    capturedAt,
    ...(capturedAsStated === undefined ? {} : { capturedAsStated }),
    clinicalContext,
    clinicianObservations,
    findings: joinFindings(findings, details),
    comparison: { rules, noTrendReason, attention, previousAssessment, previous, baseline, smallest, ...changes },
    flags,
    review,
    models,
    ...(erasedPhotos === undefined ? {} : { erasedPhotos }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(formReplaced === undefined ? {} : { formReplaced }),
  };
}

function joinFindings(measured: FiguresContent['findings'], { findings, scale }: ReportDetails): AssessmentFindings {
  return {
    photo: findings.photo,
    woundDetected: measured.woundDetected,
    outlines: findings.outlines,
    outlineSource: measured.outlineSource,
    otherOutlines: findings.otherOutlines,
    ...(measured.outlineChoice === undefined ? {} : { outlineChoice: measured.outlineChoice }),
    ...(findings.wounds === undefined ? {} : { wounds: findings.wounds }),
    ambiguous: measured.ambiguous,
    figures: measured.figures,
    tissue: measured.tissue,
    confirmedTissues: measured.confirmedTissues,
    push: findings.push,
    confidence: findings.confidence,
    quality: measured.quality,
    scale: {
      source: measured.scale.source,
      mmPerPixel: scale.mmPerPixel,
      uncertaintyPct: measured.scale.uncertaintyPct,
      pixelToMm: scale.pixelToMm,
      marker: scale.marker,
    },
    areaRepeatabilityPct: measured.areaRepeatabilityPct,
    model: measured.model,
    ...(measured.familiarity === undefined ? {} : { familiarity: measured.familiarity }),
  };
}

/** Version 1 knew the previous and the first area alone, and one kind of site: the wound's. */
function withSeries({ figures, details }: { figures: object; details?: ReportDetails }): StoredContent {
  const older = figures as FiguresContent;
  const { woundRef = '', bodySite = null, laterality = null } = details?.subject ?? {};
  return {
    figures: {
      ...older,
      stated: { woundRef, bodySite, laterality },
      reviewed: isConfirmed(details?.review ?? null),
      comparison: { ...partComparison(NOTHING_COMPARED).changes, ...older.comparison, rules: 1 },
    },
    ...(details === undefined ? {} : { details: { ...details, previousAssessment: null, smallest: null } }),
  };
}

export function toReportFigures(row: FiguresRow): ReportFigures {
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    jobId: row.job_id,
    imageId: row.image_id,
    content: REPORT_CONTENTS.read({ figures: row.figures }, row.content_version).figures,
  };
}

export function toReport(row: ReportRow): ClinicalReport {
  const { figures, details } = REPORT_CONTENTS.read(
    { figures: row.figures, details: row.details },
    row.content_version,
  ) as Required<StoredContent>;
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    version: row.version,
    status: row.status,
    reason: row.reason,
    jobId: row.job_id,
    imageId: row.image_id,
    replaces: row.replaces,
    replacedBy: row.replaced_by,
    issuedAt: row.issued_at,
    content: joinContent(figures, details),
  };
}
