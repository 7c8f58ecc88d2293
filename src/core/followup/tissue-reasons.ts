import { rounded } from '../measurement/rounded.js';
import type { CourseReason } from './course.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** Less may come from another light, or another eye. */
const LEAST_POINTS = 20;
const DEAD_TISSUES = ['necrosis', 'slough'] as const;
type DeadTissue = (typeof DEAD_TISSUES)[number];

/** Dead tissue as clinicians confirmed it: its share down or up, and necrosis where they had confirmed that there was none. */
export function tissueReasons(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  return DEAD_TISSUES.map((tissue) => reasonOf(tissue, earlier, now)).filter((reason) => reason !== null);
}

function reasonOf(
  tissue: DeadTissue,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const to = confirmedPct(tissue, now);
  const before = earlier.findLast((one) => confirmedPct(tissue, one) !== null);
  if (to === null || before === undefined) return null;
  const from = confirmedPct(tissue, before)!;
  const isNew = tissue === 'necrosis' && from === 0 && to > 0;
  if (!isNew && Math.abs(to - from) < LEAST_POINTS) return null;
  return {
    domain: 'tissue',
    what: tissue,
    direction: to > from ? 'worse' : 'better',
    from,
    to,
    unit: 'percent',
    days: rounded(daysBetween(before, now), 1),
    interval: null,
    comparedWithReportId: before.reportId,
  };
}

/** null: no clinician stated it. */
function confirmedPct(tissue: DeadTissue, { findings }: AssessmentInSeries): number | null {
  if (findings.tissue === null || !findings.confirmedTissues.includes(tissue)) return null;
  return rounded(100 * findings.tissue[tissue], 1);
}
