import type { TimedEvent } from '../../src/core/followup/clinical-event.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import { followSeries } from '../../src/core/followup/verdict.js';
import type { Closure } from '../../src/core/followup/wound-closure.js';
import { photoWithForm, type Form } from './drawn-forms.js';

/** A photo with a form, or with none. */
export type FormVisit = readonly [day: number, form: Form | null, change?: Partial<AssessmentInSeries>];

/** `mixed: worse depth 1 → 4.5` of the last photo, without the area. */
export function tellCourse(
  visits: readonly FormVisit[],
  events: readonly TimedEvent[] = [],
  closures: readonly Closure[] = [],
): string {
  return tellEachPhoto(visits, events, closures).at(-1)!;
}

/** The same of each photo. */
export function tellEachPhoto(
  visits: readonly FormVisit[],
  events: readonly TimedEvent[] = [],
  closures: readonly Closure[] = [],
): string[] {
  const all = visits.map(([day, form, change]) => photoWithForm(day, form, change));
  const { comparisons } = followSeries(all, closures, events);
  return all.map(({ reportId }) => {
    const { verdict, because } = comparisons.get(reportId)!.course!;
    const told = because.filter(({ domain }) => domain !== 'area');
    return [verdict, ...told.map(({ direction, what, from, to }) => `${direction} ${what} ${from} → ${to}`)].join(': ');
  });
}
