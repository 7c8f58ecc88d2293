import type { MeasuredCm2 } from '../measurement/wound-result.js';
import { areaOf, changeBetween, type AreaChange } from './area-change.js';
import type { AssessmentInSeries, SummedArea } from './series-order.js';

/** An assessment, measured or not. */
export interface AssessmentLink {
  readonly reportId: string;
  readonly jobId: string;
  readonly imageId: string;
  /** RFC 3339, UTC. */
  readonly capturedAt: string;
  /** As its sender stated it. */
  readonly capturedAsStated?: string;
}

/** An earlier assessment that a later one is compared with. */
export interface SeriesPoint extends AssessmentLink {
  readonly areaCm2: MeasuredCm2;
  /** The area is that of several wounds which have grown together since, and its ids are those of the newest; absent: of one. */
  readonly sumOf?: readonly SummedArea[];
}

/** The change between two areas between which a treatment lies. */
export function acrossTreatment(from: AssessmentInSeries, to: AssessmentInSeries): AreaChange {
  const change = changeBetween(from, to);
  return { ...change, warnings: [...change.warnings, 'treated_between'] };
}

/** null: of none. */
export function smallestOf(assessments: readonly AssessmentInSeries[]): AssessmentInSeries | null {
  const area = ({ findings }: AssessmentInSeries) => areaOf(findings).value;
  return assessments.reduce<AssessmentInSeries | null>(
    (least, one) => (least === null || area(one) < area(least) ? one : least),
    null,
  );
}

/** What names an assessment. */
export function linkOf({ reportId, jobId, imageId, capturedAt, capturedAsStated }: AssessmentInSeries): AssessmentLink {
  const link = { reportId, jobId, imageId, capturedAt: capturedAt.toISOString() };
  return capturedAsStated === undefined ? link : { ...link, capturedAsStated };
}

/** With its area, which may be a sum. */
export function pointOf(assessment: AssessmentInSeries): SeriesPoint {
  const { sumOf } = assessment;
  const point = { ...linkOf(assessment), areaCm2: areaOf(assessment.findings) };
  return sumOf === undefined ? point : { ...point, sumOf };
}
