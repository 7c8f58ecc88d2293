import { STAGE_SYSTEMS, type StageSystem, type WoundStage } from '../analysis/wound-stage.js';
import { rounded } from '../measurement/rounded.js';
import type { CourseReason } from './course.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { beforeStepLately } from './stated-at-visit.js';

/**
 * A stage that a person stated to be higher than the time before in the same system. A lower one is no reason: a pressure injury that heals fills with
 * granulation and scar, not with the tissue that was lost, so that a stage 4 that heals stays a stage 4 (NPIAP, against reverse staging).
 */
export function stageReason(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason | null {
  const found = STAGE_SYSTEMS.map((system) => {
    const isNow = now.observations?.stage?.system === system;
    return isNow ? reasonOfVisit(earlier, now, system) : rememberedReason(earlier, now, system);
  });
  const told = found.filter((reason) => reason !== null);
  return told.find(({ direction }) => direction === 'worse') ?? told[0] ?? null;
}

/** What had become worse on the same day counts: a second form takes nothing back. */
function reasonOfVisit(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  system: StageSystem,
): CourseReason | null {
  const told = [...earlier, now].flatMap((at, index) => {
    const isOfVisit = stageOf(at, system) !== undefined && isOfOneVisit(at, now);
    return isOfVisit ? [reasonOf(stageOf(at, system)!, earlier.slice(0, index), at)] : [];
  });
  const reasons = told.filter((reason) => reason !== null);
  return reasons.findLast(({ direction }) => direction === 'worse') ?? reasons.at(-1) ?? null;
}

/** A step up that nobody has stated anew, nor taken back at another visit. */
function rememberedReason(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  system: StageSystem,
): CourseReason | null {
  const stated = earlier.flatMap((at) => (stageOf(at, system) === undefined ? [] : [{ at }]));
  for (const { at } of lastVisitOf(stated).toReversed()) {
    const reason = isLately(at, now)
      ? reasonOf(stageOf(at, system)!, earlier.slice(0, earlier.indexOf(at) + 1), at)
      : null;
    if (reason !== null) return { ...reason, to: null, days: rounded(reason.days + daysBetween(at, now), 1) };
  }
  return null;
}

function stageOf({ observations }: AssessmentInSeries, system: StageSystem): WoundStage | undefined {
  return observations?.stage?.system === system ? observations.stage : undefined;
}

function reasonOf(
  stage: WoundStage,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const known = earlier.flatMap((at) => {
    const value = stageOf(at, stage.system);
    return value === undefined ? [] : [{ at, value }];
  });
  const last = known.at(-1);
  if (last === undefined) return null;
  const told = ({ at, value }: (typeof known)[number], direction: 'worse' | 'persists'): CourseReason => ({
    domain: 'stage',
    what: 'stage',
    direction,
    from: wordOf(value),
    to: wordOf(stage),
    unit: null,
    days: rounded(daysBetween(at, now), 1),
    interval: null,
    comparedWithReportId: at.reportId,
  });
  if (isHigher(stage, last.value)) return told(last, 'worse');
  if (isRevealed(stage, last.value)) return told(last, 'persists');
  const lower = beforeStepLately(known, now, (value) => isHigher(stage, value));
  return lower === undefined ? null : told(lower, 'persists');
}

function wordOf({ system, value }: WoundStage): string {
  return `${system}_${value}`;
}

/** By the loss of tissue that is known: an unstageable injury is one of stage 3 or 4, one of deep tissue more than stage 2. */
const PRESSURE_RANK: Readonly<Record<string, number>> = {
  '1': 1,
  '2': 2,
  suspected_deep_tissue_injury: 3,
  '3': 4,
  unstageable: 4,
  '4': 5,
};

function isHigher(now: WoundStage, then: WoundStage): boolean {
  if (now.system === 'texas') return isHigherTexas(now.value, then.value);
  if (now.system === 'wagner') return Number(now.value) > Number(then.value);
  return !isRevealed(now, then) && (PRESSURE_RANK[now.value] ?? 0) > (PRESSURE_RANK[then.value] ?? Infinity);
}

/** What had been covered was seen: no one knows when it came about. */
function isRevealed({ system, value }: WoundStage, then: WoundStage): boolean {
  return system === 'pressure' && then.value === 'unstageable' && (value === '3' || value === '4');
}

/** A deeper grade, or newly infected (B, D) or ischaemic (C, D). */
function isHigherTexas(now: string, then: string): boolean {
  const has = (value: string, letters: string) => letters.includes(value.charAt(1));
  const isNewly = (letters: string) => has(now, letters) && !has(then, letters);
  return Number(now.charAt(0)) > Number(then.charAt(0)) || isNewly('BD') || isNewly('CD');
}
