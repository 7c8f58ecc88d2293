import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { isPhotoDeleted, isSigned, type WoundEvidence } from '../../../core/report/wound-evidence.js';
import { reportPath, woundPath } from '../route/paths.js';
import { toSubjectView } from './report-view.mapper.js';

/** The evidence of a wound as JSON. */
export function toEvidenceView(evidence: WoundEvidence, publicUrl: string): Record<string, unknown> {
  const { heading, subject, from, to, issuedAt, reports, change, events, missing } = evidence;
  const wound = `${publicUrl}${woundPath(subject.woundRef)}`;
  return {
    subject: toSubjectView(subject),
    heading,
    from: from.toISOString(),
    to: to.toISOString(),
    issuedAt: issuedAt.toISOString(),
    change: change === null ? null : { firstReportId: change.first.id, lastReportId: change.last.id, ...change.change },
    assessments: reports.map((report) => toAssessmentView(report, publicUrl)),
    treatment: events.map(({ id, type, occurredAt, note, by }) => ({
      id,
      type,
      occurredAt: occurredAt.toISOString(),
      note,
      by: by?.name ?? null,
    })),
    missing: missing.map(({ code, between, reportIds }) => ({
      code,
      from: between?.from.toISOString() ?? null,
      to: between?.to.toISOString() ?? null,
      reportIds: reportIds ?? [],
    })),
    links: { self: `${wound}/evidence`, wound, report: `${wound}/report` },
  };
}

function toAssessmentView(report: ClinicalReport, publicUrl: string): Record<string, unknown> {
  const { id, version, status, imageId, content } = report;
  const { findings, comparison, review, clinicianObservations: stated } = content;
  return {
    reportId: id,
    version,
    status,
    capturedAt: content.capturedAt,
    capturedAsStated: content.capturedAsStated,
    woundDetected: findings.woundDetected,
    areaCm2: findings.figures?.area.cm2 ?? null,
    noTrendReason: comparison.noTrendReason,
    attention: comparison.attention,
    depthCm: stated?.depthCm ?? null,
    depthStatedAt: stated?.statedAt?.depthCm ?? null,
    undermining: stated?.undermining ?? [],
    tunnelling: stated?.tunnelling ?? [],
    tissue: findings.tissue,
    confirmedTissues: findings.confirmedTissues,
    clinicalContext: content.clinicalContext,
    course: comparison.course ?? null,
    imageId,
    photoDeleted: isPhotoDeleted(report),
    signed: isSigned(report) && review !== null ? { reviewer: review.reviewer, at: review.reviewedAt } : null,
    links: { report: `${publicUrl}${reportPath(id)}`, version: `${publicUrl}${reportPath(id)}/versions/${version}` },
  };
}
