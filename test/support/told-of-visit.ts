import type { Coding, DiagnosticReport, Observation, ObservationComponent } from '@medplum/fhirtypes';
import { profileUrl } from '../../src/reports/terminology/codes.js';
import { TREND } from '../../src/reports/terminology/follow-up-codes.js';
import type { Answer } from './api-client.js';
import { eventually } from './eventually.js';
import { dayOf, type DrawnHistory } from './drawn-history.js';

type Body = Answer['body'];

/** What one visit's report says of the course, by any door; days are those of visits. */
export interface ToldOfVisit {
  readonly place: number;
  /** The visit before, measured or not. */
  readonly after: number | null;
  /** The visit that the area is compared with. */
  readonly against: number | null;
  readonly trend: string | null;
  readonly basis: string | null;
  readonly slope: 'falls' | 'rises' | 'uncertain' | null;
  readonly flags: readonly string[];
  readonly closure: 'closed' | 'reopened' | null;
}

export interface ToldByReport {
  readonly told: ToldOfVisit;
  /** Why there is no course. */
  readonly why: string | null;
  /** `3: day 28 | after 14, against 0 | smaller by slope, falls | flags`. */
  readonly line: string;
}

function lineOf(
  day: number,
  { place, after, against, trend, basis, slope, flags, closure }: ToldOfVisit,
  why: string | null,
): string {
  const links = after === null ? 'the first' : `after ${after}, against ${against ?? 'none'}`;
  const course =
    trend === null ? (why ?? 'no course yet') : `${trend} by ${basis}${slope === null ? '' : `, ${slope}`}`;
  return [`${place}: day ${day}`, links, course, ...(closure === null ? [] : [closure]), ...flags].join(' | ');
}

export async function toldByReport(history: DrawnHistory, day: number): Promise<ToldByReport> {
  const { sequence, comparison, flags } = await history.report(day);
  const { previousAssessment, previous, sincePrevious, trend, trendBasis, slope, closure, noTrendReason } = comparison;
  const told: ToldOfVisit = {
    place: sequence,
    after: dayOf(previousAssessment?.capturedAt),
    against: sincePrevious === null ? null : dayOf(previous.capturedAt),
    trend,
    basis: trendBasis,
    slope: slope === null ? null : directionOf(slope.pctPerWeek.lower, slope.pctPerWeek.upper),
    flags: flags.map(({ code }: Body) => code),
    closure: closure === null ? null : closure.reopenedAt === null ? 'closed' : 'reopened',
  };
  const against = flags.map(({ code, comparedWithReportId }: Body) =>
    comparedWithReportId === null ? code : `${code} against ${history.dayOfReport(comparedWithReportId)}`,
  );
  return { told, why: noTrendReason, line: lineOf(day, { ...told, flags: against }, noTrendReason) };
}

/** An assessment of the timeline, which has neither links nor closures. */
export function toldByTimeline({ sequence, trend, trendBasis, slope, flags, noTrendReason }: Body) {
  return {
    place: sequence,
    trend,
    basis: trendBasis,
    slope: slope === null ? null : directionOf(slope.pctPerWeek.lower, slope.pctPerWeek.upper),
    flags: flags.map(({ code }: Body) => code),
    why: noTrendReason,
  };
}

export async function toldByFhir(history: DrawnHistory, day: number): Promise<ToldOfVisit> {
  const reportId = history.reportId(day);
  const { version } = await history.report(day);
  const report = await eventually(`FHIR shows version ${version} of the report of day ${day}`, async () => {
    const { body } = await history.client.request('GET', `/fhir/DiagnosticReport/${reportId}`);
    return body.meta?.versionId === String(version) ? (body as DiagnosticReport) : undefined;
  });
  const hasProgress = report.result!.some(({ reference }) => reference === `Observation/${reportId}-progress`);
  const progress: Observation | null = hasProgress
    ? await history.read(`/fhir/Observation/${reportId}-progress`)
    : null;
  const codes = (report.conclusionCode ?? []).map(({ coding }) => coding![0]!.code!);
  const extension = (name: string) => report.extension!.find(({ url }) => url === profileUrl(name));
  const previous = extension('previous-assessment')?.valueReference?.reference?.split('/')[1];
  const against = progress?.derivedFrom?.[1]?.reference?.replace(/^Observation\/|-area$/g, '');
  const component = (code: string): ObservationComponent | undefined =>
    progress?.component?.find((one) => one.code.coding!.some((coding: Coding) => coding.code === code));
  const [lower, upper] = ['area-slope-lower-bound', 'area-slope-upper-bound'].map(
    (code) => component(code)?.valueQuantity?.value,
  );
  const areaTrend = component('area-trend')?.valueCodeableConcept?.coding![0]!.code;
  return {
    place: extension('assessment-sequence')!.valuePositiveInt!,
    after: previous === undefined ? null : history.dayOfReport(previous),
    against: against === undefined ? null : history.dayOfReport(against),
    trend: Object.entries(TREND).find(([, { code }]) => code === areaTrend)?.[0] ?? null,
    basis: component('trend-basis')?.valueCodeableConcept?.coding![0]!.code!.replace('trend-by-', '') ?? null,
    slope: lower === undefined ? null : directionOf(lower, upper!),
    flags: codes
      .filter((code) => code.startsWith('flag-'))
      .map((code) => code.slice('flag-'.length).replaceAll('-', '_')),
    closure: codes.includes('wound-closed') ? 'closed' : codes.includes('wound-reopened') ? 'reopened' : null,
  };
}

function directionOf(lower: number, upper: number): 'falls' | 'rises' | 'uncertain' {
  return upper < 0 ? 'falls' : lower > 0 ? 'rises' : 'uncertain';
}
