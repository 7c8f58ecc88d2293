import type { MeasuredCm } from '../../../core/measurement/wound-result.js';
import type { ListedWound, WoundDetails } from '../../../core/wounds/wound.service.js';
import type { Wound } from '../../../core/followup/wound.js';
import type { Timeline } from '../../../core/report/report-reader.js';
import type { ReportFigures } from '../../../core/report/clinical-report.js';
import { toClinicalEventView } from './clinical-event.schema.js';
import { toWoundRelationView } from './wound-relation.schema.js';
import { jobPath, reportPath, woundPath } from '../route/paths.js';
import type { MeasureField } from './timeline.schema.js';
import { toPatientView, toSystemView } from '../subject/subject-view.mapper.js';

/** A wound as its owner sees it. `publicUrl` is the base of the absolute addresses, without a trailing slash. */
export function toWoundView(wound: Wound, publicUrl: string): Record<string, unknown> {
  const self = `${publicUrl}${woundPath(wound.id)}`;
  return {
    id: wound.id,
    patient: toPatientView(wound.patient),
    woundId: wound.woundId,
    woundIdSystem: toSystemView(wound.woundIdSystem),
    linked: wound.woundId !== null,
    bodySite: wound.bodySite,
    laterality: wound.laterality,
    woundType: wound.woundType,
    status: wound.status,
    closedAt: wound.closedAt?.toISOString() ?? null,
    mergedInto: wound.mergedInto,
    environment: wound.environment,
    createdAt: wound.createdAt.toISOString(),
    links: { self, timeline: `${self}/timeline`, report: `${self}/report` },
  };
}

/** With the reports of its series that wait for a person, and why. */
export function toListedWoundView({ waiting, ...wound }: ListedWound, publicUrl: string): Record<string, unknown> {
  return {
    ...toWoundView(wound, publicUrl),
    attention: waiting.map(({ reportId, capturedAt, capturedAsStated, reasons }) => ({
      reportId,
      capturedAt: capturedAt.toISOString(),
      ...(capturedAsStated === null ? {} : { capturedAsStated }),
      reasons,
      links: { report: `${publicUrl}${reportPath(reportId)}` },
    })),
  };
}

export function toWoundDetailsView(
  { wound, candidates, events, clinicalEvents, relations, course }: WoundDetails,
  publicUrl: string,
): Record<string, unknown> {
  return {
    ...toListedWoundView(wound, publicUrl),
    course,
    candidates: candidates.map((candidate) => toWoundView(candidate, publicUrl)),
    events: events.map(({ decision, otherWoundId, reviewer, note, reason, decidedAt, enteredBy }) => ({
      decision,
      otherWound: otherWoundId,
      reviewer,
      note,
      reason,
      decidedAt: decidedAt.toISOString(),
      enteredBy,
    })),
    clinicalEvents: clinicalEvents.map(toClinicalEventView),
    relations: relations.map(toWoundRelationView),
  };
}

export function toTimelineView({ wound, assessments }: Timeline, publicUrl: string): Record<string, unknown> {
  return {
    wound: toWoundView(wound, publicUrl),
    assessments: assessments.map(({ sequence, report }) => toAssessmentView(sequence, report, publicUrl)),
  };
}

function toAssessmentView(sequence: number, report: ReportFigures, publicUrl: string): Record<string, unknown> {
  const { findings, comparison, flags, capturedAt, capturedAsStated } = report.content;
  const { figures } = findings;
  return {
    sequence,
    capturedAt,
    ...(capturedAsStated === undefined ? {} : { capturedAsStated }),
    jobId: report.jobId,
    imageId: report.imageId,
    reportId: report.id,
    reportVersion: report.version,
    reportStatus: report.status,
    woundDetected: findings.woundDetected,
    ...({
      areaCm2: figures?.area.cm2 ?? null,
      lengthCm: figures?.length.cm ?? null,
      widthCm: figures?.width.cm ?? null,
      perimeterCm: figures?.perimeter.cm ?? null,
    } satisfies Record<MeasureField, MeasuredCm | null>),
    areaPixels: figures?.area.pixels ?? null,
    tissue: findings.tissue,
    confirmedTissues: findings.confirmedTissues,
    quality: findings.quality,
    scaleSource: findings.scale.source,
    model: findings.model,
    outlineSource: findings.outlineSource,
    noTrendReason: comparison.noTrendReason,
    attention: comparison.attention,
    sincePrevious: comparison.sincePrevious,
    sinceBaseline: comparison.sinceBaseline,
    sinceSmallest: comparison.sinceSmallest,
    slope: comparison.slope,
    trendBasis: comparison.trendBasis,
    supersededBy: comparison.supersededBy,
    ...(comparison.ageGroup === undefined ? {} : { ageGroup: comparison.ageGroup }),
    ...(comparison.reset === undefined ? {} : { reset: comparison.reset }),
    ...(comparison.relation === undefined ? {} : { relation: comparison.relation }),
    ...(comparison.unconfirmedNecrosis === undefined ? {} : { unconfirmedNecrosis: comparison.unconfirmedNecrosis }),
    trend: comparison.trend,
    course: comparison.course ?? null,
    flags,
    links: { job: `${publicUrl}${jobPath(report.jobId)}`, report: `${publicUrl}${reportPath(report.id)}` },
  };
}
