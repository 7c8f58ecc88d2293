import { LONGEST_SLOPE_DAYS } from './area-slope.js';
import { isLately } from './remembered.js';
import { daysBetween } from './series-order.js';
import { extremeOf, meanOf, medianOf, withoutHighs, type Statement, type Step } from './statements.js';

/** How well two people agree on a figure. */
export interface FigureError {
  /** Less is no change. */
  readonly least: number;
  /** One standard deviation of a statement: half of ± 3 mm by a probe, of ± 2 of 10 for pain. */
  readonly sd: number;
}

export interface FigureChange {
  readonly direction: Step | 'persists';
  readonly from: Statement;
}

/** Statements that the present one is compared with. */
const MOST_LATELY = 3;
/** Statements from which on the two newest are compared with the two oldest, so that a slow change is seen, too: also of a wound that is seen once a month. */
const LEAST_FOR_ENDS = 4;
/** Exceeded by chance at one statement in four hundred of a wound that stands still, in each direction. */
const RARE = 2.8;
/** Half a year, over which a figure may rise by too little for eight weeks to show. */
const LONGEST_SLOW_DAYS = 183;
/** Sums of tenths are not exact. */
export const TINY = 1e-9;

/**
 * The change of a figure against the mean of the last three statements of eight weeks, or of the two newest against the two oldest of those; where visits
 * lie further apart, of the last four; a rise also of half a year. A rise that was told is worse again only where it goes on, or rises anew from where it had fallen to,
 * and persists else: for four weeks, as all that stays. null: no change, or no more than people differ by.
 * @param stated before, oldest first
 */
export function changeOf(error: FigureError, stated: readonly Statement[], present: Statement): FigureChange | null {
  const found = foundBetween(error, stated, present);
  const from = found === null ? null : extremeOf(found.among, found.step === 'better' ? 'better' : 'worse');
  if (found?.step === 'better') {
    // One figure that was mistyped far above the others makes no fall of those after it.
    return medianOf(found.among) - present.value < error.least - TINY ? null : { direction: 'better', from: from! };
  }
  const told = lastToldRise(error, stated);
  const anew = riseAnew(error, told, stated, present);
  if (anew !== null) return { direction: 'worse', from: anew };
  if (found === null || from === null) return null;
  if (told === null) return { direction: found.step === 'worse' ? 'worse' : 'persists', from };
  if (found.step === 'worse' && isMoreBy(found.least, present.value, told.level)) return { direction: 'worse', from };
  const isRising = isMoreBy(error.least, present.value, told.level);
  return isRising || isLately(told.to.at, present.at) ? { direction: 'persists', from } : null;
}

/** Whether it changed for the better, told or not. */
export function isLess(error: FigureError, stated: readonly Statement[], present: Statement): boolean {
  return foundBetween(error, stated, present)?.step === 'better';
}

/** Of eight weeks; after a long pause the last statement is better than none. */
export function latelyOf(stated: readonly Statement[], present: Statement, least = 1): readonly Statement[] {
  const lately = stated.filter(({ at }) => daysBetween(at, present.at) <= LONGEST_SLOPE_DAYS);
  return lately.length >= least ? lately : stated.slice(-least);
}

/** More than two statements of one figure differ by. */
function leastApart({ least, sd }: FigureError): number {
  return Math.max(least, RARE * sd * Math.SQRT2);
}

interface Found {
  /** `turned`: more than before, and less than at the last statement by as much as counts. */
  readonly step: Step | 'turned';
  readonly among: readonly Statement[];
  /** What a further rise has to be more by. */
  readonly least: number;
}

interface FoundBefore extends FigureError {
  readonly value: number;
  readonly among: readonly Statement[];
  readonly found: Found | null;
}

/** Newest first, of each assessment: what was found over other lists is asked once more as long as no form has left the weeks that count, and not after that. */
const MOST_KEPT = 16;
/** Of each assessment what was found: whether a rise was told is asked of all that lie before, at each assessment. */
const foundAt = new WeakMap<Statement['at'], FoundBefore[]>();

function foundBetween(error: FigureError, stated: readonly Statement[], present: Statement): Found | null {
  const among = countingFor(stated, present);
  const before = foundAt.get(present.at) ?? [];
  const same = before.find(
    ({ least, sd, value, among: then }) =>
      least === error.least && sd === error.sd && value === present.value && isSameList(then, among),
  );
  if (same !== undefined) return same.found;
  const found = findBetween(error, among, present);
  const { least, sd } = error;
  foundAt.set(present.at, [{ least, sd, value: present.value, among, found }, ...before.slice(0, MOST_KEPT - 1)]);
  return found;
}

/** Nothing that lies before these is looked at. */
function countingFor(stated: readonly Statement[], present: Statement): readonly Statement[] {
  const first = stated.findIndex(({ at }) => daysBetween(at, present.at) <= LONGEST_SLOW_DAYS);
  return stated.slice(Math.min(first < 0 ? stated.length : first, Math.max(0, stated.length - LEAST_FOR_ENDS)));
}

function isSameList(one: readonly Statement[], other: readonly Statement[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ at, value }, place) => at === other[place]!.at && value === other[place]!.value)
  );
}

/** A rise by what tells the worst of it; a fall only where no mistyped figure makes it. */
function findBetween(error: FigureError, stated: readonly Statement[], present: Statement): Found | null {
  const { least } = error;
  const known = latelyOf(stated, present, LEAST_FOR_ENDS);
  if (stepAmong(error, known, present) === 'worse') return { step: 'worse', among: known, least };
  const settled = withoutHighs([...known, present], leastApart(error)).slice(0, -1);
  const recent = latelyOf(stated, present);
  const lists = recent.length < known.length ? [known, settled, recent] : [known, settled];
  const steps = lists.map((among) => ({ among, step: stepAmong(error, among, present) }));
  for (const step of ['worse', 'turned'] as const) {
    const at = steps.find((one) => one.step === step);
    if (at !== undefined) return { step, among: at.among, least };
  }
  if (steps.slice(0, 2).every(({ step }) => step === 'better')) return { step: 'better', among: known, least };
  return slowRise(error, stated, present);
}

/** Told again only after as much more. */
function slowRise(error: FigureError, stated: readonly Statement[], present: Statement): Found | null {
  const among = stated.filter(({ at }) => daysBetween(at, present.at) <= LONGEST_SLOW_DAYS);
  const last = among.at(-1);
  if (last === undefined || changeOfEnds(error, [...among, present]) !== 'worse') return null;
  const isTurned = isMoreBy(error.least, last.value, present.value);
  return isTurned ? null : { step: 'worse', among, least: leastOfEnds(error) };
}

/** Against those before; a fall that went back since the last of them is no change. */
function stepAmong(error: FigureError, known: readonly Statement[], present: Statement): Found['step'] | null {
  const last = known.at(-1);
  if (last === undefined) return null;
  const step =
    changeLately(error, known.slice(-MOST_LATELY), present.value) ?? changeOfEnds(error, [...known, present]);
  if (step === 'worse') return isMoreBy(error.least, last.value, present.value) ? 'turned' : step;
  return step === 'better' && isMoreBy(error.least, present.value, last.value) ? null : step;
}

interface ToldRise {
  readonly to: Statement;
  /** What was told, or where it has fallen to since, by more than people differ by. */
  readonly level: number;
  /** The place of the first of two statements in turn that are lower: a rise from there is another one. null: it has not fallen so. */
  readonly fallenAt: number | null;
}

/** The last rise that was told; what has fallen since and rises again is told anew. */
function lastToldRise(error: FigureError, stated: readonly Statement[]): ToldRise | null {
  return stated.reduce<ToldRise | null>((told, one, place) => {
    const mayRise =
      mayBeRisen(error, stated, place) ||
      (told !== null && told.fallenAt !== null && mayBeRisen(error, stated, place, told.fallenAt));
    if (mayRise && isToldAnew(error, told, stated.slice(0, place), one))
      return { to: one, level: one.value, fallenAt: null };
    if (told === null) return null;
    const last = stated[place - 1]!;
    const fallenAt = told.fallenAt ?? (Math.max(last.value, one.value) < told.level - TINY ? place - 1 : null);
    const level = isMoreBy(leastApart(error), told.level, one.value) ? one.value : told.level;
    return { ...told, level, fallenAt };
  }, null);
}

/**
 * False where the statement at `place` is certainly no rise over those from `start` on: by the least and the most of all that it may be compared with,
 * whichever of them count. Most are none, and to look closer costs twenty times as much.
 */
function mayBeRisen(error: FigureError, stated: readonly Statement[], place: number, start = 0): boolean {
  const { at, value } = stated[place]!;
  let [lowest, highest, first] = [Infinity, -Infinity, place];
  for (let before = place - 1; before >= start; before -= 1) {
    const one = stated[before]!;
    const days = daysBetween(one.at, at);
    if (days <= LONGEST_SLOPE_DAYS || place - before <= LEAST_FOR_ENDS) {
      lowest = Math.min(lowest, one.value);
      highest = Math.max(highest, one.value);
    } else if (days > LONGEST_SLOW_DAYS) break;
    if (days <= LONGEST_SLOW_DAYS) first = before;
  }
  const limit = leastOfEnds(error) - TINY;
  if (Math.max(value, (value + highest) / 2) - lowest >= limit) return true;
  if (place - first < LEAST_FOR_ENDS - 1) return false;
  const firstTwo = [stated[first]!, stated[first + 1]!];
  return meanOf([stated[place - 1]!, stated[place]!]) - meanOf(firstTwo) >= limit;
}

function isToldAnew(error: FigureError, told: ToldRise | null, before: readonly Statement[], one: Statement): boolean {
  if (riseAnew(error, told, before, one) !== null) return true;
  if (told !== null && !isMoreBy(error.least, one.value, told.level)) return false;
  const found = foundBetween(error, before, one);
  return found?.step === 'worse' && (told === null || isMoreBy(found.least, one.value, told.level));
}

/** Where the figure had fallen to, at two statements in turn, and rises from by more than people differ by; null: it does not. */
function riseAnew(
  error: FigureError,
  told: ToldRise | null,
  stated: readonly Statement[],
  present: Statement,
): Statement | null {
  if (told === null || told.fallenAt === null || told.fallenAt > stated.length - 2) return null;
  const found = foundBetween(error, stated.slice(told.fallenAt), present);
  return found?.step === 'worse' ? extremeOf(found.among, 'worse') : null;
}

function changeLately({ least, sd }: FigureError, lately: readonly Statement[], value: number): Step | null {
  const limit = Math.max(least, RARE * sd * Math.sqrt(1 + 1 / lately.length));
  return stepOf(value - meanOf(lately), limit);
}

function changeOfEnds(error: FigureError, all: readonly Statement[]): Step | null {
  if (all.length < LEAST_FOR_ENDS) return null;
  return stepOf(meanOf(all.slice(-2)) - meanOf(all.slice(0, 2)), leastOfEnds(error));
}

function leastOfEnds({ least, sd }: FigureError): number {
  return Math.max(least, RARE * sd);
}

function stepOf(change: number, limit: number): Step | null {
  if (Math.abs(change) < limit - TINY) return null;
  return change > 0 ? 'worse' : 'better';
}

export function isMoreBy(least: number, one: number, other: number): boolean {
  return one - other >= least - TINY;
}
