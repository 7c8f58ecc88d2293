import { isOfOneVisit } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';

/** What one form states of a figure. */
export interface Statement {
  readonly at: AssessmentInSeries;
  readonly value: number;
}

/** Which way a figure went. */
export type Step = 'better' | 'worse';

/** So that what is said twice at one visit counts once. Oldest first. */
export function highestOfEachVisit(stated: readonly Statement[]): Statement[] {
  return ofEachVisit(stated, (one, other) => one > other);
}

/** By the form of each visit that says the least of it. */
export function lowestOfEachVisit(stated: readonly Statement[]): Statement[] {
  return ofEachVisit(stated, (one, other) => one < other);
}

function ofEachVisit(stated: readonly Statement[], isBefore: (one: number, other: number) => boolean): Statement[] {
  const visits: { readonly first: Statement; counting: Statement }[] = [];
  for (const one of stated) {
    const visit = visits.at(-1);
    if (visit === undefined || !isOfOneVisit(visit.first.at, one.at)) visits.push({ first: one, counting: one });
    else if (isBefore(one.value, visit.counting.value)) visit.counting = one;
  }
  return visits.map(({ counting }) => counting);
}

/** What it is told against: the lowest of those that it rose from, the highest of those that it fell from; of equal ones the newest. */
export function extremeOf(known: readonly Statement[], step: Step): Statement {
  const sign = step === 'worse' ? 1 : -1;
  return known.reduce((best, one) => (sign * one.value <= sign * best.value ? one : best));
}

export function medianOf(statements: readonly Statement[]): number {
  const values = statements.map(({ value }) => value).sort((a, b) => a - b);
  return (values[Math.floor((values.length - 1) / 2)]! + values[Math.ceil((values.length - 1) / 2)]!) / 2;
}

export function meanOf(statements: readonly Statement[]): number {
  return statements.reduce((sum, { value }) => sum + value, 0) / statements.length;
}

/** So many times what two statements differ by lies no mistyped figure below. */
const FAR = 3;

/**
 * Without the one that stands alone above all others by so much, and above the one before and the one after (at the beginning the two after) by more than
 * these differ: a figure that was mistyped. One that comes again is none, but where it stands far above those around it each time, and most are left.
 * @param all oldest first
 */
export function withoutHighs(all: readonly Statement[], least: number): Statement[] {
  const [, second = -Infinity] = all.map(({ value }) => value).sort((a, b) => b - a);
  const aboveAround = (high: Statement, place: number): { readonly by: number; readonly apart: number } | null => {
    const [one, other] = [all[place - 1] ?? all[place + 2], all[place + 1]].map((at) => at?.value);
    if (one === undefined || other === undefined) return null;
    return { by: high.value - Math.max(one, other), apart: Math.abs(one - other) };
  };
  const around = all.map(aboveAround);
  const kept = (isHigh: (place: number) => boolean) => all.filter((_, place) => !isHigh(place));
  const isAlone = (place: number) =>
    all[place]!.value - second >= least && around[place] !== null && around[place]!.by > around[place]!.apart;
  const withoutFar = kept((place) => isAlone(place) || (around[place]?.by ?? 0) >= FAR * least);
  return 2 * withoutFar.length > all.length ? withoutFar : kept(isAlone);
}
