import { isStageOf, STAGE_SYSTEMS, type StageSystem, type WoundStage } from '../analysis/wound-stage.js';
import { rounded } from '../measurement/rounded.js';
import type { CourseReason } from './course.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { beforeStepLately, statedBy, visitOf, type Stated } from './stated-at-visit.js';

/** Wagner 0, and Texas 0 without an infection (B and D have one). */
export const WITHOUT_ULCER: readonly string[] = ['0', '0A', '0C'];

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
  return told.find(({ direction }) => direction === 'worse') ?? told.find(isOfOneSystem) ?? told[0] ?? null;
}

/** Of two systems nobody knows which stage is the higher: what is known of one of them tells more. */
function isOfOneSystem({ from, to }: CourseReason): boolean {
  const [one, other] = [from, to].map((word) => word?.toString().split('_')[0]);
  return one === undefined || other === undefined || one === other;
}

/** Of one visit the worse counts: a second form takes nothing back. */
function reasonOfVisit(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  system: StageSystem,
): CourseReason | null {
  const { rise } = visitOf(earlier, now, ({ stage }) => (stage?.system === system ? stage : undefined), isHigher);
  if (rise !== null) return told('worse', rise.from, rise.to);
  const persisting = [...earlier, now].flatMap((at, index) => {
    const stage = stageOf(at, system);
    return stage === undefined || !isOfOneVisit(at, now) ? [] : [persistingReason(stage, earlier.slice(0, index), at)];
  });
  return persisting.findLast((reason) => reason !== null) ?? null;
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
      ? persistingReason(stageOf(at, system)!, earlier.slice(0, earlier.indexOf(at) + 1), at)
      : null;
    if (reason !== null) return { ...reason, to: null, days: rounded(reason.days + daysBetween(at, now), 1) };
  }
  return null;
}

function stageOf({ observations }: AssessmentInSeries, system: StageSystem): WoundStage | undefined {
  return observations?.stage?.system === system ? observations.stage : undefined;
}

/** A stage that was covered before, a step up that stays, one of an infection or gangrene as long as it is stated, or the first in another system. */
function persistingReason(
  value: WoundStage,
  earlier: readonly AssessmentInSeries[],
  at: AssessmentInSeries,
): CourseReason | null {
  const known = statedBy(earlier, ({ stage }) => (stage?.system === value.system ? stage : undefined));
  const last = known.at(-1);
  const to = { at, value };
  if (last !== undefined && isRevealed(value, last.value)) return told('persists', last, to);
  const lower = beforeStepLately(known, at, (one) => isHigher(value, one));
  if (lower !== undefined) return told('persists', lower, to);
  if (isGrave(value)) return told('persists', last ?? null, to);
  if (WITHOUT_ULCER.includes(value.value)) return null;
  const [first = to] = known;
  const others = statedBy(earlier.slice(0, placeOf(first.at, earlier)), ({ stage }) => stage);
  // How the two systems compare nobody knows.
  return others.length > 0 && isLately(first.at, at) ? told('persists', others.at(-1)!, to) : null;
}

function placeOf(at: AssessmentInSeries, earlier: readonly AssessmentInSeries[]): number {
  const place = earlier.indexOf(at);
  return place < 0 ? earlier.length : place;
}

function told(direction: 'worse' | 'persists', from: Stated<WoundStage> | null, to: Stated<WoundStage>): CourseReason {
  return {
    domain: 'stage',
    what: 'stage',
    direction,
    from: from === null ? null : wordOf(from.value),
    to: wordOf(to.value),
    unit: null,
    days: from === null ? 0 : rounded(daysBetween(from.at, to.at), 1),
    interval: null,
    comparedWithReportId: from?.at.reportId ?? null,
  };
}

function wordOf({ system, value }: WoundStage): string {
  return `${system}_${value}`;
}

/** Texas B and D are infected (D ischaemic as well), Wagner 3 reaches an abscess or the bone, 4 and 5 are gangrene. */
function isGrave({ system, value }: WoundStage): boolean {
  if (system === 'texas') return 'BD'.includes(value.charAt(1));
  return system === 'wagner' && Number(value) >= LEAST_GRAVE_WAGNER;
}

const LEAST_GRAVE_WAGNER = 3;

/** By the loss of tissue that is known: an unstageable injury is one of stage 3 or 4, one of deep tissue more than stage 2. */
const PRESSURE_RANK: Readonly<Record<string, number>> = {
  '1': 1,
  '2': 2,
  suspected_deep_tissue_injury: 3,
  '3': 4,
  unstageable: 4,
  '4': 5,
};

/** Of two stages as a reason names them, of one system: whether the one is the lower, in each respect. */
export function isLowerStage(one: string, other: string): boolean {
  const now = stageOfWord(one);
  const then = stageOfWord(other);
  if (now === null || then === null || now.system !== then.system) return false;
  return isHigher(then, now) && !isHigher(now, then);
}

function stageOfWord(word: string): WoundStage | null {
  const system = STAGE_SYSTEMS.find((known) => word.startsWith(`${known}_`));
  if (system === undefined) return null;
  const value = word.slice(system.length + 1);
  return isStageOf(system, value) ? { system, value } : null;
}

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
