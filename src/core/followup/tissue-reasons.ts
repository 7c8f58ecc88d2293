import { rounded } from '../measurement/rounded.js';
import type { CourseReason, Direction } from './course.js';
import { isLately } from './remembered.js';
import { lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** Less may come from another light, or another eye. */
const LEAST_POINTS = 20;
const DEAD_TISSUES = ['necrosis', 'slough'] as const;
type DeadTissue = (typeof DEAD_TISSUES)[number];

interface Share {
  readonly at: AssessmentInSeries;
  readonly pct: number;
}

/**
 * Dead tissue as clinicians confirmed it: its share down or up, and necrosis where they had confirmed that there was none. Of one visit the highest share
 * counts, so that neither a second photo nor a rise in small steps hides it. Necrosis that nobody had looked for before, and a rise that nobody has looked
 * at since, persist for some weeks: neither is known to be new, or gone.
 */
export function tissueReasons(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  return DEAD_TISSUES.map((tissue) => reasonOf(tissue, earlier, now)).filter((reason) => reason !== null);
}

function reasonOf(
  tissue: DeadTissue,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const shares = [...earlier, now].flatMap((at): Share[] => {
    const pct = confirmedPct(tissue, at);
    return pct === null ? [] : [{ at, pct }];
  });
  const last = shares.at(-1);
  if (last === undefined) return null;
  return last.at === now ? reasonOfVisit(tissue, shares, earlier) : remembered(tissue, earlier, last.at, now);
}

/** Of the visit of the last share. */
function reasonOfVisit(
  tissue: DeadTissue,
  shares: readonly Share[],
  earlier: readonly AssessmentInSeries[],
): CourseReason | null {
  const visit = lastVisitOf(shares);
  const before = shares[shares.length - visit.length - 1];
  const steps = before === undefined ? visit : [before, ...visit];
  const rise = riseOf(tissue, steps);
  if (rise !== null) return told(tissue, 'worse', rise.from, rise.to);
  const highest = highestOf(visit);
  if (before === undefined) {
    const isPerhapsNew = tissue === 'necrosis' && highest.pct > 0 && visit[0]!.at !== (earlier[0] ?? visit[0]!.at);
    return isPerhapsNew ? told(tissue, 'persists', null, highest) : null;
  }
  return before.pct - highest.pct < LEAST_POINTS ? null : told(tissue, 'better', before, highest);
}

/** The greatest rise from one to a later one, necrosis out of none before others. */
function riseOf(tissue: DeadTissue, steps: readonly Share[]): { readonly from: Share; readonly to: Share } | null {
  const rises = steps.flatMap((to, place) => steps.slice(0, place).map((from) => ({ from, to })));
  const counting = rises.filter(({ from, to }) => {
    const isNew = tissue === 'necrosis' && from.pct === 0 && to.pct > 0;
    return isNew || to.pct - from.pct >= LEAST_POINTS;
  });
  return counting.reduce<(typeof counting)[number] | null>(
    (most, one) => (most === null || one.to.pct - one.from.pct > most.to.pct - most.from.pct ? one : most),
    null,
  );
}

function highestOf(visit: readonly Share[]): Share {
  return visit.reduce((most, one) => (one.pct > most.pct ? one : most));
}

function told(tissue: DeadTissue, direction: Direction, from: Share | null, to: Share): CourseReason {
  return {
    domain: 'tissue',
    what: tissue,
    direction,
    from: from?.pct ?? null,
    to: to.pct,
    unit: 'percent',
    days: from === null ? 0 : rounded(daysBetween(from.at, to.at), 1),
    interval: null,
    comparedWithReportId: from?.at.reportId ?? null,
  };
}

/** That it was worse when a clinician last looked. */
function remembered(
  tissue: DeadTissue,
  earlier: readonly AssessmentInSeries[],
  last: AssessmentInSeries,
  now: AssessmentInSeries,
): CourseReason | null {
  const then = isLately(last, now) ? reasonOf(tissue, earlier.slice(0, earlier.indexOf(last)), last) : null;
  if (then === null || then.direction === 'better') return null;
  return { ...then, direction: 'persists', to: null, days: rounded(daysBetween(last, now), 1) };
}

/** null: no clinician stated it. */
function confirmedPct(tissue: DeadTissue, { findings }: AssessmentInSeries): number | null {
  if (findings.tissue === null || !findings.confirmedTissues.includes(tissue)) return null;
  return rounded(100 * findings.tissue[tissue], 1);
}
