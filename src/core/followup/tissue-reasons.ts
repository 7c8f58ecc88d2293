import { rounded } from '../measurement/rounded.js';
import type { CourseReason, Direction } from './course.js';
import { isLately } from './remembered.js';
import { isOfOneVisit } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** Less may come from another light, or another eye. */
const LEAST_POINTS = 20;
const DEAD_TISSUES = ['necrosis', 'slough'] as const;
type DeadTissue = (typeof DEAD_TISSUES)[number];

/**
 * Dead tissue as clinicians confirmed it: its share down or up, and necrosis where they had confirmed that there was none. Necrosis that nobody had
 * looked for before, and a rise that nobody has looked at since, persist for some weeks: neither is known to be new, or gone.
 */
export function tissueReasons(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  return DEAD_TISSUES.map((tissue) => reasonOf(tissue, earlier, now)).filter((reason) => reason !== null);
}

function reasonOf(
  tissue: DeadTissue,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const to = confirmedPct(tissue, now);
  const at = earlier.findLastIndex((one) => confirmedPct(tissue, one) !== null);
  const before = earlier[at];
  if (to === null) return before === undefined ? null : remembered(tissue, earlier.slice(0, at), before, now);
  const told = (direction: Direction): CourseReason => ({
    domain: 'tissue',
    what: tissue,
    direction,
    from: before === undefined ? null : confirmedPct(tissue, before),
    to,
    unit: 'percent',
    days: before === undefined ? 0 : rounded(daysBetween(before, now), 1),
    interval: null,
    comparedWithReportId: before?.reportId ?? null,
  });
  if (before === undefined) return tissue === 'necrosis' && to > 0 && earlier.length > 0 ? told('persists') : null;
  const from = confirmedPct(tissue, before)!;
  // Of one day the higher share counts.
  if (isOfOneVisit(before, now) && to < from) return reasonOf(tissue, earlier.slice(0, at), before);
  const isNew = tissue === 'necrosis' && from === 0 && to > 0;
  if (!isNew && Math.abs(to - from) < LEAST_POINTS) return null;
  return told(to > from ? 'worse' : 'better');
}

/** That it was worse when a clinician last looked. */
function remembered(
  tissue: DeadTissue,
  earlier: readonly AssessmentInSeries[],
  last: AssessmentInSeries,
  now: AssessmentInSeries,
): CourseReason | null {
  const then = isLately(last, now) ? reasonOf(tissue, earlier, last) : null;
  if (then === null || then.direction === 'better') return null;
  return { ...then, direction: 'persists', to: null, days: rounded(daysBetween(last, now), 1) };
}

/** null: no clinician stated it. */
function confirmedPct(tissue: DeadTissue, { findings }: AssessmentInSeries): number | null {
  if (findings.tissue === null || !findings.confirmedTissues.includes(tissue)) return null;
  return rounded(100 * findings.tissue[tissue], 1);
}
