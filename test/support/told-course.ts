import type { TimedEvent } from '../../src/core/followup/clinical-event.js';
import { followSeries } from '../../src/core/followup/verdict.js';
import type { Closure } from '../../src/core/followup/wound-closure.js';
import { photoWithForm, type Form } from './drawn-forms.js';

/** A photo with a form, or with none. */
export type FormVisit = readonly [day: number, form: Form | null];

/** `mixed: worse depth 1 → 4.5` of the last photo, without the area. */
export function tellCourse(
  visits: readonly FormVisit[],
  events: readonly TimedEvent[] = [],
  closures: readonly Closure[] = [],
): string {
  const all = visits.map(([day, form]) => photoWithForm(day, form));
  const { verdict, because } = followSeries(all, closures, events).comparisons.get(all.at(-1)!.reportId)!.course!;
  const told = because.filter(({ domain }) => domain !== 'area');
  return [verdict, ...told.map(({ direction, what, from, to }) => `${direction} ${what} ${from} → ${to}`)].join(': ');
}
