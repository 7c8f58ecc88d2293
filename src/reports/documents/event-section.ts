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

/** What grew together or fell apart, and what is compared since; "" where nothing did. */
export function relationText({ say, figures }: Pen, { relation, previous }: SeriesComparison): string {
  if (relation === undefined) return '';
  const { kind, change, sumOf, areaCm2 } = relation;
  const told = {
    date: figures.day(relation.at),
    count: figures.number(Math.max(sumOf.length, relation.wounds.length)),
  };
  const known = say(`relation.${kind}`, told);
  if (change === null || areaCm2 === null)
    return kind === 'joined' && previous === null ? `${known} ${say('relation.noSum')}` : known;
  const sums = { from: figures.areaCm2(areaCm2 - change.areaCm2), to: figures.areaCm2(areaCm2), count: told.count };
  return `${known} ${say(`relation.${kind}.sum`, sums)}`;
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
