import type { RelatedArea } from '../followup/related-areas.js';
import type { ClinicalReport, ReportFigures, TrendPoint } from './clinical-report.js';
import { isAreaDoubtful } from './photo-trust.js';
import { isConfirmed } from './review.js';

/**
 * The areas that stand in the series, oldest first, with what the verdict reads beside them: the sums of wounds that grew together, and of one that
 * split what it was before, and its parts together. `from`: nothing older; null: without limit.
 */
export function trendOf(reports: readonly (ClinicalReport | ReportFigures)[], from: Date | null = null): TrendPoint[] {
  const points: TrendPoint[] = [];
  for (const report of reports) points.push(...relatedPoints(report, points.at(-1)), ...ownPoint(report));
  return points
    .filter(({ capturedAt }) => from === null || capturedAt >= from)
    .sort((one, other) => one.capturedAt.getTime() - other.capturedAt.getTime());
}

function ownPoint({ id, content }: ClinicalReport | ReportFigures): TrendPoint[] {
  const { capturedAt, capturedAsStated, findings, comparison, flags } = content;
  const areaCm2 = findings.figures?.area.cm2 ?? null;
  if (areaCm2 === null || comparison.noTrendReason !== null) return [];
  const { closure, reset, relation } = comparison;
  const isReviewed = 'review' in content ? isConfirmed(content.review) : content.reviewed;
  return [
    {
      reportId: id,
      capturedAt: new Date(capturedAt),
      capturedAsStated,
      areaCm2,
      isFlagged: flags.length > 0,
      isDoubtful: isAreaDoubtful(findings, isReviewed),
      closure,
      reset,
      relation,
    },
  ];
}

/** Of wounds that grew together they lead on to this area; of a split they go on what the wound was before. `last`: the point before. */
function relatedPoints({ content }: ClinicalReport | ReportFigures, last: TrendPoint | undefined): TrendPoint[] {
  const { relation, closure, reset } = content.comparison;
  if (relation === undefined) return [];
  const { kind, before = [], together } = relation;
  const episode =
    kind === 'joined'
      ? { closure, reset, relation }
      : { closure: last?.closure ?? null, reset: last?.reset, relation: last?.relation };
  return [...before, ...(together === undefined ? [] : [together])].map((area) => ({ ...pointOf(area), ...episode }));
}

function pointOf({ capturedAt, capturedAsStated, areaCm2, sumOf }: RelatedArea) {
  return { reportId: null, capturedAt: new Date(capturedAt), capturedAsStated, areaCm2, isFlagged: false, sumOf };
}
