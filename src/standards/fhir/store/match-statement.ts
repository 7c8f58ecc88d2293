import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { Condition, ReferenceMatch, SortKey, TermMatch } from '../search-index/search-condition.js';
import { ClinicalRange, isRanged, type RangedDates } from './clinical-range.js';
import { ConditionSql, isOnResource, type Subject } from './condition-sql.js';
import { contentColumns } from './packed-content.js';
import { withinPage } from './page-bytes.js';
import { SqlValues } from './sql-values.js';

/** Selection and order. */
export interface MatchQuery {
  readonly tenant: Tenant;
  readonly type: string;
  readonly where: readonly Condition[];
  readonly order: readonly SortKey[];
}

/** A place in the order: the values of its keys, dates in milliseconds since 1970, and the number of the resource there; all as text. */
export interface Position {
  readonly keys: readonly string[];
  readonly number: string;
}

export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The order and the limit of matches. Without keys, in any order. */
interface Sorting {
  readonly order: readonly SortKey[];
  readonly directions: readonly string[];
  readonly tie: string;
  readonly position: Position | null;
  readonly limit: number | null;
}

type Part = 'within' | 'before';
type Alternatives = Extract<Condition, { kind: 'terms' | 'references' }>;
type Leading = Extract<Condition, { kind: 'terms' | 'references' | 'quantities' }>;

const INDEX_TABLES: Readonly<Record<Leading['kind'], string>> = {
  terms: 'fhir_terms',
  references: 'fhir_references',
  quantities: 'fhir_quantities',
};

/** Each coding of a value has a row, and each component: a code and its translation are common. */
const ROWS_PER_RESOURCE = 2;

/** Behind every resource of one id. */
const LAST_NUMBER = '9223372036854775807';

/** Alternatives that are looked up one by one, each in order, and merged; more of them become a filter. */
const MERGED_LIMIT = 1000;

/**
 * Writes the statements of a search. What stands with a single code, reference or coded quantity is joined rather than asked for by `exists`: its index
 * rows lie in the order of the main date, so that a page is one range of an index, whatever else the tenant has; the planner chooses
 * which condition leads. Of several alternatives alone, each is such a range, and the ranges are merged.
 */
export class MatchStatement {
  private readonly values = new SqlValues();
  private readonly sql: ConditionSql;
  private readonly joined: readonly Leading[];
  private readonly merged: Alternatives | undefined;
  /** Conditions on the main date that bound when their matches began. */
  private readonly ranged: readonly RangedDates[];
  private readonly range: ClinicalRange;
  private readonly others: readonly Condition[];

  constructor(private readonly query: MatchQuery) {
    this.sql = new ConditionSql(query.tenant, this.values);
    const { where } = query;
    this.joined = where.filter((each): each is Leading => (isPositive(each) || isCoded(each)) && each.any.length === 1);
    this.merged = mergedOf(where, this.joined);
    this.ranged = where.filter(isRanged);
    this.range = new ClinicalRange(where);
    this.others = where.filter(
      (each) => each !== this.merged && !([...this.joined, ...this.ranged] as readonly Condition[]).includes(each),
    );
  }

  /** At most `limit` after the position, or before it, nearest first, and no more than a page holds; with content, and the position of each. */
  page(limit: number, position: Position | null, backwards: boolean): Statement {
    const order = this.query.order.map(({ descending }) => (descending !== backwards ? 'desc' : 'asc'));
    const sorting = { order: this.query.order, directions: order, tie: order[0]!, position, limit };
    const from = this.matches(sorting);
    const keys = this.query.order.map(
      ({ by }, index) =>
        `${isText(by) ? `q.k${index}` : `(extract(epoch from q.k${index}) * 1000)::text`} as k${index}`,
    );
    const rows = `select page.*, v.version, v.last_updated, r.created_by, ${contentColumns('v')}
      from page join fhir_resources r on r.number = page.number join fhir_versions v on v.resource = r.number and v.version = r.version`;
    const columns = [
      'q.version, q.last_updated, q.created_by, q.content, q.packed, q.number::text as number',
      ...keys,
    ].join(', ');
    return {
      sql: `with page as materialized (${from}) ${withinPage(rows, columns, keysOf('q', sorting).join(', '))}`,
      values: this.values.all,
    };
  }

  /** Selects ids alone. */
  ids(limit: number): Statement {
    const sql = `select r.id from (${this.matches(unsorted(limit))}) m join fhir_resources r on r.number = m.number`;
    return { sql, values: this.values.all };
  }

  /** Selects ids and numbers of those behind `after`, in the order of their ids. For queries in that order. */
  idsAfter(limit: number, after: string | null): Statement {
    const position = after === null ? null : { keys: [after], number: LAST_NUMBER };
    const sorting = { order: this.query.order, directions: ['asc'], tie: 'asc', position, limit };
    return {
      sql: `select m.k0 as id, m.number::text as number from (${this.matches(sorting)}) m order by m.k0`,
      values: this.values.all,
    };
  }

  /** Selects numbers alone. */
  numbers(limit: number): Statement {
    return {
      sql: `select m.number::text as number from (${this.matches(unsorted(limit))}) m`,
      values: this.values.all,
    };
  }

  /** The number of matches, counted up to `limit`. */
  count(limit: number | null): Statement {
    const [first, second] = this.query.where;
    if (limit !== null && first?.kind === 'quantities' && second === undefined)
      return this.countQuantities(first, limit);
    const sql = `select count(*)::int as count from (${this.matches(unsorted(limit))}) m`;
    return { sql, values: this.values.all };
  }

  /** Rows of the index alone, as many as mostly hold that many resources: some have several. Where they do not, everything is counted. */
  private countQuantities(condition: Extract<Condition, { kind: 'quantities' }>, limit: number): Statement {
    const rows = limit * ROWS_PER_RESOURCE;
    const sql = `with found as materialized (select x.resource from fhir_quantities x where ${this.sql.quantities(condition, 'x')} limit ${rows}),
      counted as (select count(*) as rows, count(distinct resource) as resources from found)
      select (case when rows < ${rows} or resources >= ${limit} then least(resources, ${limit}) else (select count(*) from (${this.matches(unsorted(limit))}) m) end)::int as count from counted`;
    return { sql, values: this.values.all };
  }

  /** The planner's estimate of their number. */
  estimate(): Statement {
    return { sql: `explain (format json) ${this.matches(unsorted(null))}`, values: this.values.all };
  }

  private matches(sorting: Sorting): string {
    const parts: Part[] = this.range.reachesBack ? ['within', 'before'] : ['within'];
    const written = parts.map((part) => this.part(part, sorting));
    const limited = sorting.limit === null ? '' : ` limit ${sorting.limit}`;
    const one =
      written.length === 1
        ? written[0]!
        : `select * from (${written.map((each) => `(${each})`).join(' union all ')}) p${orderOf('p', sorting)}${limited}`;
    if (this.merged === undefined) return one;
    const names = ['m.number', ...sorting.order.map((_, index) => `m.k${index}`)].join(', ');
    // A resource with two of the alternatives comes once.
    return `select ${names} from ${this.alternatives()} cross join lateral (${one}) m group by ${names}${orderOf('m', sorting)}${limited}`;
  }

  /** The matches that began within the range of the dates asked for, or those that began before it and reach into it. */
  private part(part: Part, { order, directions, tie, position, limit }: Sorting): string {
    const { from, subject, at, conditions } = this.source(part);
    const keys = order.map((key) => this.sortKey(key, subject, at));
    const columns = [`${subject.number} as number`, ...keys.map((key, index) => `${key} as k${index}`)].join(', ');
    if (position !== null)
      conditions.push(this.beyond([...keys, subject.number], [...directions, tie], this.placeOf(position, order)));
    const sorting =
      order.length === 0
        ? ''
        : ` order by ${[...keys.map((key, index) => `${key} ${directions[index]}`), `${subject.number} ${tie}`].join(', ')}`;
    // A resource can have several quantities with a code; anything else that is joined is there once.
    const grouping = this.joined.some(isCoded) ? ` group by ${[...keys, subject.number].join(', ')}` : '';
    return `select ${columns} from ${from}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}${grouping}${sorting}${limit === null ? '' : ` limit ${limit}`}`;
  }

  /** The source of a select, and the aliases of the resource and its main date in it. */
  private source(part: Part): { from: string; subject: Subject; at: string; conditions: string[] } {
    const leading: Leading[] = [...(this.merged === undefined ? [] : [this.merged]), ...this.joined];
    // Only this order gains from rows that lie in it; to the planner a second equality would be one more thing that rarely holds.
    const inOrder = this.query.order.every(({ by }) => by === 'clinical');
    const needsResource = part === 'before' || leading.length === 0 || this.others.some(isOnResource) || !inOrder;
    const first = needsResource ? 'r' : 't0';
    const subject = { type: this.query.type, number: needsResource ? 'r.number' : 't0.resource', resource: 'r' };
    const at = `${first}.sort_at`;
    const tables = leading.map((condition, index) => {
      const x = `t${index}`;
      const same =
        x === first ? [] : [`${x}.resource = ${subject.number}`, ...(inOrder ? [`${x}.sort_at = ${at}`] : [])];
      return { table: `${INDEX_TABLES[condition.kind]} ${x}`, on: [...same, this.matchOf(condition, x)].join(' and ') };
    });
    const from = [
      needsResource ? 'fhir_resources r' : tables[0]!.table,
      ...tables.slice(needsResource ? 0 : 1).map(({ table, on }) => `join ${table} on ${on}`),
    ].join(' ');
    const conditions = [
      needsResource ? this.sql.ofType(this.query.type, 'r') : tables[0]!.on,
      ...this.others.map((condition) => this.sql.write(condition, subject)),
    ];
    conditions.push(...(needsResource ? this.onResource(part) : this.onIndex(leading, subject)));
    return { from, subject, at, conditions };
  }

  private onResource(part: Part): string[] {
    const range = part === 'before' ? this.range.before('r', this.values) : this.range.within('r.sort_at', this.values);
    return [...range, ...this.ranged.map((each) => this.sql.clinical(each, 'r'))];
  }

  /** The range for each of the tables, whichever is read first; what it leaves open is looked up. */
  private onIndex(leading: readonly Leading[], subject: Subject): string[] {
    return [
      ...leading.flatMap((_, index) => this.range.within(`t${index}.sort_at`, this.values)),
      ...this.ranged.map((each) => this.sql.dated(each, 't0.sort_at', subject)),
    ];
  }

  private matchOf(condition: Leading, x: string): string {
    if (condition === this.merged) {
      return condition.kind === 'terms'
        ? `${x}.term = w.term and (w.qualifier is null and ${x}.foremost or ${x}.qualifier = w.qualifier)`
        : `${x}.link = w.link and ${x}.target = w.target`;
    }
    if (condition.kind === 'terms') return this.sql.term(condition.any[0]!, x);
    return condition.kind === 'references'
      ? this.sql.reference(condition.any[0]!, x)
      : this.sql.quantity(condition.any[0]!, x);
  }

  private alternatives(): string {
    if (this.merged!.kind === 'terms') {
      const any = this.merged!.any as readonly TermMatch[];
      return `unnest(${this.values.add(
        any.map(({ term }) => term),
        'uuid[]',
      )}, ${this.values.add(
        any.map(({ qualifier }) => qualifier),
        'bigint[]',
      )}) w (term, qualifier)`;
    }
    return `${this.sql.referenceRows(this.merged!.any as readonly ReferenceMatch[])} w (link, target)`;
  }

  /** Missing values sort before all others. */
  private sortKey({ by, descending }: SortKey, { number }: Subject, at: string): string {
    if (by === 'clinical') return at;
    if (by === 'changed') return 'r.last_updated';
    if (by === 'id') return 'r.id';
    if (by === 'status')
      return `coalesce((select coalesce(v.status, v.content ->> 'status') from fhir_versions v where v.resource = r.number and v.version = r.version), '') collate "C"`;
    const end = descending ? 'max' : 'min';
    if ('textLinks' in by)
      return `coalesce((select ${end}(s.value) from fhir_strings s where s.resource = ${number} and s.link = any(${this.values.add(by.textLinks, 'bigint[]')})), '') collate "C"`;
    return `coalesce((select ${end}(d.low) from fhir_dates d where d.resource = ${number} and d.link = any(${this.values.add(by.links, 'bigint[]')})), '-infinity')`;
  }

  private placeOf({ keys, number }: Position, order: readonly SortKey[]): string[] {
    const values = order.map(({ by }, index) =>
      isText(by)
        ? this.values.add(keys[index], 'text')
        : `to_timestamp(${this.values.add(keys[index], 'double precision')} / 1000)`,
    );
    return [...values, this.values.add(number, 'bigint')];
  }

  private beyond(keys: readonly string[], directions: readonly string[], values: readonly string[]): string {
    const sign = (direction: string): string => (direction === 'desc' ? '<' : '>');
    // One comparison of rows is one range of an index.
    if (new Set(directions).size === 1) return `(${keys.join(', ')}) ${sign(directions[0]!)} (${values.join(', ')})`;
    const steps = keys.map((key, index) =>
      [
        ...keys.slice(0, index).map((each, before) => `${each} = ${values[before]}`),
        `${key} ${sign(directions[index]!)} ${values[index]}`,
      ].join(' and '),
    );
    return `(${steps.map((step) => `(${step})`).join(' or ')})`;
  }
}

function unsorted(limit: number | null): Sorting {
  return { order: [], directions: [], tie: 'asc', position: null, limit };
}

function orderOf(alias: string, sorting: Sorting): string {
  return sorting.order.length === 0 ? '' : ` order by ${keysOf(alias, sorting).join(', ')}`;
}

function keysOf(alias: string, { order, directions, tie }: Sorting): string[] {
  return [...order.map((_, index) => `${alias}.k${index} ${directions[index]}`), `${alias}.number ${tie}`];
}

/** References before codes: fewer resources have one of them. With ids, or something of that kind joined already, alternatives are a filter. */
function mergedOf(where: readonly Condition[], joined: readonly Leading[]): Alternatives | undefined {
  if (where.some(({ kind }) => kind === 'ids')) return undefined;
  const several = where.filter(
    (each): each is Alternatives => isPositive(each) && each.any.length > 1 && each.any.length <= MERGED_LIMIT,
  );
  const references = several.find(({ kind }) => kind === 'references');
  if (references !== undefined) return joined.some(({ kind }) => kind === 'references') ? undefined : references;
  return joined.length > 0 ? undefined : several[0];
}

/** A quantity of one code: its index rows are in the order of the main date. */
function isCoded(condition: Condition): condition is Extract<Condition, { kind: 'quantities' }> {
  return condition.kind === 'quantities' && condition.any.every(({ code }) => code !== undefined);
}

/** Dates are the other keys. */
function isText(by: SortKey['by']): boolean {
  return by === 'id' || by === 'status' || (typeof by === 'object' && 'textLinks' in by);
}

function isPositive(condition: Condition): condition is Alternatives {
  return condition.kind === 'references' || (condition.kind === 'terms' && !condition.negated);
}
