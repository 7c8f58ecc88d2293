import type { TimedEvent } from '../../core/followup/clinical-event.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import type { Pen } from './document-blocks.js';

/** More would fill the page; the wound's own list has all. */
const MOST_LISTED = 24;

/** By which treatment the area counts anew, and since when; "" where it does not. */
export function resetText(pen: Pen, comparison: SeriesComparison): string {
  const { reset, course, baseline } = comparison;
  if (reset === undefined) return '';
  const { say, figures } = pen;
  const told = { treatment: say(`treatment.${reset.type}`), date: figures.day(reset.occurredAt) };
  const before = course?.because.find(({ direction }) => direction === 'reset')?.from;
  if (typeof before === 'number') {
    const alike = baseline === null ? '' : ` ${say('reset.alike')}`;
    return `${say('reset.new', { ...told, area: figures.areaCm2(before) })}${alike}`;
  }
  return say(baseline === null ? 'reset.first' : 'reset.since', told);
}

/** The events beside a curve, oldest first, each with its day; "" without one. */
export function eventListText({ say, figures }: Pen, events: readonly TimedEvent[]): string {
  if (events.length === 0) return '';
  const listed = events.slice(-MOST_LISTED);
  const names = listed.map(
    ({ type, occurredAt }) => `${say(`event.${type}`)} ${figures.day(occurredAt.toISOString())}`,
  );
  const earlier = events.length - listed.length;
  const more = earlier === 0 ? [] : [say('event.earlier', { count: figures.number(earlier) })];
  return say('event.list', { list: [...names, ...more].join(', ') });
}
