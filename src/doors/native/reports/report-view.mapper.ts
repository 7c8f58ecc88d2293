import type { ClinicalReport, ReportSubject } from '../../../core/report/clinical-report.js';
import type { CourseReport } from '../../../core/report/clinical-report.js';
import { jobPath, reportPath, woundPath } from '../route/paths.js';
import type { ReportView } from './report.views.js';
import { toPatientView, toSystemView } from '../subject/subject-view.mapper.js';

/** One version of a report. `sequence` is null where it is not known of this version. */
export function toReportView(report: ClinicalReport, sequence: number | null, publicUrl: string): ReportView {
  const { subject, formReplaced: _kept, ...content } = report.content;
  const self = `${publicUrl}${reportPath(report.id)}`;
  const wound = `${publicUrl}${woundPath(subject.woundRef)}`;
  return {
    id: report.id,
    version: report.version,
    status: report.status,
    reason: report.reason,
    environment: report.environment,
    jobId: report.jobId,
    imageId: report.imageId,
    sequence,
    replaces: report.replaces,
    replacedBy: report.replacedBy,
    issuedAt: report.issuedAt.toISOString(),
    subject: toSubjectView(subject),
    ...content,
    links: {
      self,
      versions: `${self}/versions`,
      job: `${publicUrl}${jobPath(report.jobId)}`,
      wound,
      timeline: `${wound}/timeline`,
    },
  };
}

export function toCourseView(course: CourseReport, publicUrl: string): Record<string, unknown> {
  return {
    subject: toSubjectView(course.subject),
    from: course.from?.toISOString() ?? null,
    to: course.to?.toISOString() ?? null,
    issuedAt: course.issuedAt.toISOString(),
    reports: course.reports.map((report) => toReportView(report, null, publicUrl)),
  };
}

export function toSubjectView({ patient, woundIdSystem, ...rest }: ReportSubject): Record<string, unknown> {
  return { patient: toPatientView(patient), woundIdSystem: toSystemView(woundIdSystem), ...rest };
}
