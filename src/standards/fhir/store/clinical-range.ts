import type { Bound } from '../search-index/rows/index-rows.js';
import type { Condition, DateMatch } from '../search-index/search-condition.js';
import type { SqlValues } from './sql-values.js';

type Dates = Extract<Condition, { kind: 'dates' }>;

/** A condition on the main date that says between which beginnings its matches lie. */
export interface RangedDates extends Dates {
  readonly of: 'clinical';
  readonly any: readonly [DateMatch];
}

export function isRanged(condition: Condition): condition is RangedDates {
  return (
    condition.kind === 'dates' &&
    condition.of === 'clinical' &&
    condition.any.length === 1 &&
    condition.any[0]!.prefix !== 'ne' &&
    condition.any[0]!.among === undefined
  );
}

/** Resources that do not count as long ended at most so long after they began (write-statement.ts). */
export const NOT_LONG = `interval '25 hours'`;
/** A day without a zone counts as one of UTC: what ends on it with a zone of its own may end before it begins, by hours. */
const SLACK = NOT_LONG;
/** Before every date that FHIR can write. Only resources without a date, or without a beginning, are earlier; the latter count as long. */
const FIRST: Bound = '4713-01-01 BC' as Bound;

/**
 * The beginnings that conditions on the main date allow, as ranges that indexes in that order serve. A condition on the
 * end says so of what is not long alone: what is long and began before all that is looked for apart.
 */
export class ClinicalRange {
  private readonly ranges: readonly DateMatch[];

  constructor(conditions: readonly Condition[]) {
    this.ranges = conditions.filter(isRanged).map(({ any: [match] }) => match);
  }

  /** True where something long may match that began before `within` does. */
  get reachesBack(): boolean {
    return this.ranges.some((match) => looseFrom(match) !== null);
  }

  /** Holds for every match of the conditions that is not long. */
  within(at: string, values: SqlValues): string[] {
    return [...this.hard(at, values), ...this.loose(values).map((from) => `${at} >= ${from}`)];
  }

  /** Holds for those matches that `within` does not hold for. */
  before(resource: string, values: SqlValues): string[] {
    const at = `${resource}.sort_at`;
    return [`${resource}.is_long`, ...this.hard(at, values), `${at} < greatest(${this.loose(values).join(', ')})`];
  }

  private hard(at: string, values: SqlValues): string[] {
    const time = (bound: Bound): string => values.add(bound, 'timestamptz');
    return this.ranges.flatMap((match) => {
      const [from, until] = [hardFrom(match), untilOf(match)];
      return [
        ...(from === null ? [] : [`${at} >= ${time(from)}`]),
        ...(until === null ? [] : [`${at} < ${time(until)} + ${SLACK}`]),
      ];
    });
  }

  private loose(values: SqlValues): string[] {
    return this.ranges
      .map(looseFrom)
      .flatMap((from) =>
        from === null
          ? []
          : [from === FIRST ? values.add(from, 'timestamptz') : `${values.add(from, 'timestamptz')} - ${NOT_LONG}`],
      );
  }
}

/** A range of beginnings in which nothing fails the condition, whenever it ended; null where the end counts always. */
export function sureOf({ any: [{ prefix, low, high }] }: RangedDates, at: string, values: SqlValues): string | null {
  const time = (bound: Bound): string => values.add(bound, 'timestamptz');
  if (prefix === 'ge') return `${at} >= ${time(low)}`;
  if (prefix === 'gt') return `${at} >= ${time(high)} + ${SLACK}`;
  if (prefix === 'sa') return `${at} >= ${time(high)}`;
  // Without a date, the beginning is before them all.
  return prefix === 'lt' || prefix === 'le' ? `${at} >= ${time(FIRST)} and ${at} < ${time(low)}` : null;
}

function hardFrom({ prefix, low, high }: DateMatch): Bound | null {
  if (prefix === 'eq') return low;
  return prefix === 'sa' ? high : null;
}

function looseFrom({ prefix, low, high }: DateMatch): Bound | null {
  if (prefix === 'gt') return high;
  if (prefix === 'ge' || prefix === 'ap') return low;
  return prefix === 'lt' || prefix === 'le' || prefix === 'eb' ? FIRST : null;
}

function untilOf({ prefix, low, high }: DateMatch): Bound | null {
  if (prefix === 'lt' || prefix === 'eb') return low;
  return prefix === 'eq' || prefix === 'le' || prefix === 'ap' ? high : null;
}
