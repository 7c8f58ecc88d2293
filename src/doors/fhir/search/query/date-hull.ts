import type { Condition, DateMatch } from '../../../../standards/fhir/search-index/search-condition.js';
import type { Bound } from '../../../../standards/fhir/search-index/rows/index-rows.js';

/** What begins on a day without a zone and ends at a moment with one may end before it begins, by hours: it lies within a day all the same. */
const SLACK_MS = 25 * 3_600_000;

/**
 * A condition that follows from one on the main date by the clocks of a place, and that an index in that order can use; null where none does,
 * or none is needed.
 */
export function dateHull(condition: Condition): Condition | null {
  if (condition.kind !== 'dates' || condition.of !== 'clinical' || condition.any.length !== 2) return null;
  const [one, other] = condition.any as readonly [DateMatch, DateMatch];
  if (one.among === undefined || other.among === undefined) return null;
  const match = hullOf(one, other);
  return match === null ? null : { kind: 'dates', of: 'clinical', any: [match] };
}

/** What either of two conditions with the same prefix allows, and little more. */
function hullOf(one: DateMatch, other: DateMatch): DateMatch | null {
  const at = (prefix: DateMatch['prefix'], low: Bound, high = low): DateMatch => ({ prefix, low, high });
  const [low, lastLow] = inOrder(one.low, other.low);
  const [firstHigh, high] = inOrder(one.high, other.high);
  switch (one.prefix) {
    case 'eq':
    case 'ap':
      return at(one.prefix, low, high);
    case 'ge':
      return at('gt', shifted(low, -SLACK_MS));
    case 'gt':
    case 'sa':
      return at(one.prefix, firstHigh);
    case 'lt':
    case 'eb':
      return at(one.prefix, lastLow);
    case 'le':
      return at('lt', shifted(high, SLACK_MS));
    case 'ne':
      return null;
  }
}

function shifted(bound: Bound, ms: number): Bound {
  return typeof bound === 'string' ? bound : new Date(bound.getTime() + ms);
}

function inOrder(one: Bound, other: Bound): readonly [Bound, Bound] {
  return one <= other ? [one, other] : [other, one];
}
