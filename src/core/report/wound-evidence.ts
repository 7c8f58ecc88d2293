import { changeBetween, type AreaChange } from '../followup/area-change.js';
import { isResetting, type ClinicalEvent, type TimedEvent } from '../followup/clinical-event.js';
import { daysBetween } from '../followup/series-order.js';
import type { ClinicalReport, ReportSubject } from './clinical-report.js';
import type { ReportHeading } from './report-heading.js';
import { toAssessment } from './reported-assessment.js';
import { isConfirmed } from './review.js';

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
/** Photos are taken from clocks that run ahead by so much. */
const CLOCKS_APART_MS = 300_000;

/** The first and the last area of the period, and what lies between. */
export interface EvidenceChange {
  readonly first: ClinicalReport;
  readonly last: ClinicalReport;
  readonly change: AreaChange;
}

/** What is known of one wound over some weeks: what a payer's auditor asks for. */
export interface WoundEvidence {
  readonly heading: ReportHeading | null;
  readonly subject: ReportSubject;
  readonly from: Date;
  readonly to: Date;
  readonly issuedAt: Date;
  /** Present versions of those photos of the period that stand, oldest first; without those entered in error. */
  readonly reports: readonly ClinicalReport[];
  /** null: fewer than two photos of the period have an area that stands in the series. */
  readonly change: EvidenceChange | null;
  readonly events: readonly ClinicalEvent[];
  readonly missing: readonly EvidenceGap[];
}

/** What an auditor looks for and does not find; in this order. */
export const EVIDENCE_GAPS = [
  'patient_not_named',
  'site_not_stated',
  'type_not_stated',
  'no_assessment',
  'start_not_measured',
  'end_not_measured',
  'period_not_over',
  'week_without_assessment',
  'change_not_told',
  'change_not_comparable',
  'area_not_measured',
  'depth_not_stated',
  'tissue_not_told',
  'photo_deleted',
  'awaiting_person',
  'not_signed',
  'treatment_not_recorded',
] as const;
export type EvidenceGapCode = (typeof EVIDENCE_GAPS)[number];

export interface EvidenceGap {
  readonly code: EvidenceGapCode;
  /** Of a time without an assessment. */
  readonly between?: { readonly from: Date; readonly to: Date };
  /** The reports that lack it. */
  readonly reportIds?: readonly string[];
}

/**
 * The change over the period, from its first area in the series to its last; of a wound that was closed between them, since it is open again.
 * `events`: of the wound; a treatment between the two that changes the area by itself is warned of.
 */
export function changeOver(
  reports: readonly ClinicalReport[],
  events: readonly TimedEvent[] = [],
): EvidenceChange | null {
  const measured = reports.filter(({ content }) => content.comparison.noTrendReason === null);
  const last = measured.at(-1);
  const closedAt = closedAtOf(last);
  const first = measured.find((report) => closedAtOf(report) === closedAt);
  if (first === undefined || last === undefined || first === last) return null;
  const [from, to] = [toAssessment(first), toAssessment(last)];
  const change = changeBetween(from, to);
  const isTreated = events.some(
    (event) => isResetting(event) && event.occurredAt >= from.capturedAt && event.occurredAt < to.capturedAt,
  );
  return { first, last, change: isTreated ? { ...change, warnings: [...change.warnings, 'treated_between'] } : change };
}

/** More pictures make the document large, and show no more. */
const MOST_PHOTOS = 9;

/** Those whose photos the document shows: all, or of many the first, the last and some evenly between. */
export function shownReports(reports: readonly ClinicalReport[]): readonly ClinicalReport[] {
  const withPhoto = reports.filter((report) => !isPhotoDeleted(report));
  if (withPhoto.length <= MOST_PHOTOS) return withPhoto;
  const step = (withPhoto.length - 1) / (MOST_PHOTOS - 1);
  return Array.from({ length: MOST_PHOTOS }, (_, place) => withPhoto[Math.round(place * step)]!);
}

/** All that is missing of a period, so that nobody takes silence for "none". */
export function gapsOf(evidence: Omit<WoundEvidence, 'missing'>): EvidenceGap[] {
  const { subject, reports, change, events } = evidence;
  const found: EvidenceGap[] = [
    ...gapWhere('patient_not_named', subject.patient === null),
    ...gapWhere('site_not_stated', subject.bodySite === null),
    ...gapWhere('type_not_stated', subject.woundType === null),
    ...gapWhere('no_assessment', reports.length === 0),
    ...timesWithout(evidence),
    ...gapWhere('change_not_told', change === null),
    ...gapWhere('change_not_comparable', change !== null && change.change.warnings.length > 0),
    ...gapWhere('treatment_not_recorded', events.length === 0),
    ...REPORT_GAPS.flatMap(([code, lacks]) => {
      const reportIds = reports.filter(lacks).map(({ id }) => id);
      return reportIds.length === 0 ? [] : [{ code, reportIds }];
    }),
  ];
  return found.sort((a, b) => EVIDENCE_GAPS.indexOf(a.code) - EVIDENCE_GAPS.indexOf(b.code));
}

/** Whether a clinician's decision stands behind the report. */
export function isSigned({ status, content }: ClinicalReport): boolean {
  return status !== 'preliminary' && isConfirmed(content.review);
}

const REPORT_GAPS: readonly (readonly [EvidenceGapCode, (report: ClinicalReport) => boolean])[] = [
  ['area_not_measured', ({ content }) => content.comparison.noTrendReason !== null],
  ['depth_not_stated', ({ content }) => content.clinicianObservations?.depthCm === undefined],
  ['tissue_not_told', ({ content }) => content.findings.tissue === null],
  ['photo_deleted', isPhotoDeleted],
  ['awaiting_person', ({ content }) => content.comparison.attention.length > 0],
  ['not_signed', (report) => !isSigned(report)],
];

export function isPhotoDeleted({ imageId, content }: ClinicalReport): boolean {
  return (content.erasedPhotos ?? []).some((photo) => photo.imageId === imageId);
}

function closedAtOf(report: ClinicalReport | undefined): string | undefined {
  return report?.content.comparison.closure?.closedAt;
}

function gapWhere(code: EvidenceGapCode, isMissing: boolean): EvidenceGap[] {
  return isMissing ? [{ code }] : [];
}

/** The first and the last week need an area; of the weeks between, each a photo. What is still to come is not missing. */
function timesWithout({ reports, from, to, issuedAt }: Omit<WoundEvidence, 'missing'>): EvidenceGap[] {
  const isOver = to.getTime() <= issuedAt.getTime() + CLOCKS_APART_MS;
  const end = isOver ? to : issuedAt;
  const measured = reports.filter(({ content }) => content.comparison.noTrendReason === null).map(capturedAtOf);
  const endsOfWeek = DAYS_PER_WEEK * DAY_MS;
  const isStartMeasured = measured.some((at) => at.getTime() <= from.getTime() + endsOfWeek);
  const isEndMeasured = measured.some((at) => at.getTime() >= end.getTime() - endsOfWeek);
  return [
    ...gapWhere('start_not_measured', reports.length > 0 && !isStartMeasured),
    ...gapWhere('end_not_measured', reports.length > 0 && isOver && !isEndMeasured),
    ...gapWhere('period_not_over', !isOver),
    ...(reports.length === 0 ? [] : weeksWithout(reports.map(capturedAtOf), from, end)),
  ];
}

/** Whole weeks of the period without a photo; those that follow each other as one. */
function weeksWithout(photos: readonly Date[], from: Date, end: Date): EvidenceGap[] {
  const weeks = Math.floor(daysBetween({ capturedAt: from }, { capturedAt: end }) / DAYS_PER_WEEK);
  const startOf = (week: number) => new Date(from.getTime() + week * DAYS_PER_WEEK * DAY_MS);
  const gaps: { from: Date; to: Date }[] = [];
  for (let week = 0; week < weeks; week += 1) {
    const [start, next] = [startOf(week), startOf(week + 1)];
    if (photos.some((at) => at >= start && at <= next)) continue;
    const last = gaps.at(-1);
    if (last?.to.getTime() === start.getTime()) last.to = next;
    else gaps.push({ from: start, to: next });
  }
  return gaps.map((between) => ({ code: 'week_without_assessment', between }));
}

function capturedAtOf({ content }: ClinicalReport): Date {
  return new Date(content.capturedAt);
}
