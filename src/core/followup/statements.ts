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
  const visits: { readonly first: Statement; highest: Statement }[] = [];
  for (const one of stated) {
    const visit = visits.at(-1);
    if (visit === undefined || !isOfOneVisit(visit.first.at, one.at)) visits.push({ first: one, highest: one });
    else if (one.value > visit.highest.value) visit.highest = one;
  }
  return visits.map(({ highest }) => highest);
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

/**
 * Without the one that stands alone above all others by so much, and above the one before and the one after (at the beginning the two after) by more than
 * these differ: a figure that was mistyped. One that comes again is none.
 * @param all oldest first
 */
export function withoutLoneHigh(all: readonly Statement[], least: number): Statement[] {
  return all.filter((high, place) => {
    const around = [all[place - 1] ?? all[place + 2], all[place + 1]];
    const [one, other] = around.map((at) => at?.value);
    if (one === undefined || other === undefined) return true;
    const isAlone = all.every((at) => at === high || high.value - at.value >= least);
    return !isAlone || high.value - Math.max(one, other) <= Math.abs(one - other);
  });
}
