import type { Tenant } from '../../../core/tenancy/tenant.js';
import type {
  Condition,
  DateMatch,
  QuantityMatch,
  ReferenceMatch,
  StringMatch,
  TermMatch,
} from '../search-index/search-condition.js';
import { addressOf, parameterNumber } from '../search-index/values/index-key.js';
import { NOT_LONG, sureOf, type RangedDates } from './clinical-range.js';
import type { SqlValues } from './sql-values.js';

type Dates = Extract<Condition, { kind: 'dates' }>;

/** The alias, in a statement, of the resource that a condition is about. */
export interface Subject {
  readonly type: string;
  /** SQL of its number. */
  readonly number: string;
  /** Alias of fhir_resources where it is joined. */
  readonly resource: string;
  /** True where each condition is asked by its own index rows, never joined: nothing else shall be read for it. */
  readonly isLookedUp?: boolean;
}

/** Conditions on columns of the resource itself. */
export function isOnResource({ kind, ...rest }: Condition): boolean {
  return (
    kind === 'ids' ||
    kind === 'author' ||
    kind === 'present' ||
    kind === 'referrers' ||
    (kind === 'dates' && typeof (rest as { of?: unknown }).of === 'string')
  );
}

/** Writes conditions as SQL, each about one resource. Ranges and equalities of plain columns, which row-level security lets indexes serve. */
export class ConditionSql {
  private aliases = 0;

  constructor(
    private readonly tenant: Tenant,
    private readonly values: SqlValues,
  ) {}

  alias(): string {
    return `x${(this.aliases += 1)}`;
  }

  write(condition: Condition, subject: Subject): string {
    const { number, resource: r } = subject;
    switch (condition.kind) {
      case 'ids':
        return `${r}.id = any(${this.values.add(condition.ids, 'text[]')})`;
      case 'author':
        return `${r}.created_by = ${this.values.add(condition.keyId, 'uuid')}`;
      case 'present':
        return `${condition.isPresent ? '' : 'not '}${this.values.add(parameterNumber(condition.name), 'int')} = any(${r}.present)`;
      case 'terms':
        return `${condition.negated ? 'not ' : ''}${this.ownRow('fhir_terms', number, (x) => this.any(condition.any, (each) => this.term(each, x)))}`;
      case 'references':
        return this.ownRow(
          'fhir_references',
          number,
          (x) => `(${x}.link, ${x}.target) in (select * from ${this.referenceRows(condition.any)})`,
        );
      case 'quantities':
        return this.exists('fhir_quantities', subject, (x) => this.quantities(condition, x));
      case 'strings':
        return this.exists('fhir_strings', subject, (x) => this.any(condition.any, (each) => this.string(each, x)));
      case 'dates':
        return this.dates(condition, subject);
      case 'targets':
        return this.ownRow(
          'fhir_references',
          number,
          (x) =>
            `${x}.link = any(${this.values.add(condition.links, 'bigint[]')}) and (${condition.any.map((each) => this.target(each.type, each.where, x)).join(' or ')})`,
        );
      case 'referrers':
        return this.referrers(condition, r);
    }
  }

  term({ term, qualifier }: TermMatch, x: string): string {
    // Without a system each resource has one row that counts, so that joining finds it once.
    return `${x}.term = ${this.values.add(term, 'uuid')} and ${qualifier === null ? `${x}.foremost` : `${x}.qualifier = ${this.values.add(qualifier, 'bigint')}`}`;
  }

  reference({ link, targetType, targetId }: ReferenceMatch, x: string): string {
    return `${x}.link = ${this.values.add(link, 'bigint')} and ${x}.target = ${this.values.add(addressOf(this.tenant, targetType, targetId), 'uuid')}`;
  }

  /** The tenant's resources of a type, but for those that were deleted. */
  ofType(type: string, r: string): string {
    return `${r}.organization_id = ${this.values.add(this.tenant.organizationId, 'uuid')} and ${r}.environment = ${this.values.add(this.tenant.environment, 'text')} and ${r}.type = ${this.values.add(type, 'text')} and not ${r}.is_deleted`;
  }

  private exists(table: string, { number, isLookedUp = false }: Subject, where: (x: string) => string): string {
    if (isLookedUp) return this.ownRow(table, number, where);
    const x = this.alias();
    return `exists (select from ${table} ${x} where ${x}.resource = ${number} and ${where(x)})`;
  }

  /**
   * Among the rows of the resource alone: where statistics do not know a value yet, as after a tenant's first import, the planner takes its rows
   * for one, and would read all of them for each resource. `offset 0` keeps it from seeing through to them.
   */
  private ownRow(table: string, number: string, where: (x: string) => string): string {
    const x = this.alias();
    return `exists (select from (select * from ${table} ${x} where ${x}.resource = ${number} offset 0) ${x} where ${where(x)})`;
  }

  /** Alternatives as rows: a chain may have found a thousand. */
  referenceRows(any: readonly ReferenceMatch[]): string {
    const columns = [
      this.values.add(
        any.map(({ link }) => link),
        'bigint[]',
      ),
      this.values.add(
        any.map(({ targetType, targetId }) => addressOf(this.tenant, targetType, targetId)),
        'uuid[]',
      ),
    ];
    return `unnest(${columns.join(', ')})`;
  }

  private any<T>(all: readonly T[], write: (each: T) => string): string {
    return all.length === 0 ? 'false' : `(${all.map((each) => `(${write(each)})`).join(' or ')})`;
  }

  /** The condition of `write` on the main date, for rows ordered by its beginning `at`: looked up where the beginning alone does not tell. */
  dated(condition: RangedDates, at: string, { number }: Subject): string {
    const r = this.alias();
    const sure = sureOf(condition, at, this.values);
    // `offset 0` keeps it a look-up: joined, every resource with a code or reference may be read and sorted for one page.
    const found = `exists (select from fhir_resources ${r} where ${r}.number = ${number} and ${this.clinical(condition, r)} offset 0)`;
    return sure === null ? found : `((${sure}) or ${found})`;
  }

  /** The condition on the main date, without what follows for the beginning alone. */
  clinical({ any }: Dates, r: string): string {
    // A resource without the date has no end to it either, and meets nothing.
    return this.any(
      any,
      (each) => `${r}.sort_end is not null and ${this.interval(each, `${r}.sort_at`, `${r}.sort_end`)}`,
    );
  }

  private dates(condition: Dates, subject: Subject): string {
    const { of, any } = condition;
    const { resource: r } = subject;
    if (of === 'changed') return this.any(any, (each) => this.interval(each, `${r}.last_updated`, `${r}.last_updated`));
    if (of === 'clinical') return [this.clinical(condition, r), ...this.earliest(any, subject)].join(' and ');
    return this.exists(
      'fhir_dates',
      subject,
      (x) =>
        `${x}.link = any(${this.values.add(of, 'bigint[]')}) and ${this.any(any, (each) => this.interval(each, `${x}.low`, `${x}.high`))}`,
    );
  }

  /**
   * Most resources that reach beyond a date began no more than a day before it: a bound that follows from the condition and that the index, which
   * is in the order of beginnings, can use. It is earlier where something long reaches there.
   */
  private earliest(any: readonly DateMatch[], { resource: r, type }: Subject): string[] {
    const [match] = any;
    if (any.length !== 1 || (match!.prefix !== 'ge' && match!.prefix !== 'gt')) return [];
    const x = this.alias();
    const low = this.values.add(match!.low, 'timestamptz');
    const long = `select coalesce(min(${x}.sort_at), 'infinity') from fhir_resources ${x} where ${this.ofType(type, x)} and ${x}.is_long and ${x}.sort_end > ${low}`;
    return [`${r}.sort_at >= (select least((${long}), ${low} - ${NOT_LONG}))`];
  }

  /** R4 search.html 3.1.1.4.5 and .7, with ends excluded; an instant has its own length of nothing. */
  private interval(match: DateMatch, from: string, until: string): string {
    const compared = this.compared(match, from, until);
    if (match.among === undefined) return compared;
    // Infinite ends are no intervals to subtract: `until` is moved instead.
    return `${until} ${match.among === 'moments' ? '<' : '>='} ${from} + interval '24 hours' and ${compared}`;
  }

  private compared({ prefix, low, high }: DateMatch, from: string, until: string): string {
    // Written at their use: PostgreSQL refuses an unused parameter.
    const l = (): string => this.values.add(low, 'timestamptz');
    const h = (): string => this.values.add(high, 'timestamptz');
    const isInstant = from === until;
    const within = (): string => `${from} >= ${l()} and ${until} ${isInstant ? '<' : '<='} ${h()}`;
    const after = (): string => `${until} ${isInstant ? '>=' : '>'} ${h()}`;
    switch (prefix) {
      case 'eq':
        return within();
      case 'ne':
        return `not (${within()})`;
      case 'gt':
        return after();
      case 'lt':
        return `${from} < ${l()}`;
      case 'ge':
        return isInstant ? `${from} >= ${l()}` : `(${after()} or ${within()})`;
      case 'le':
        return isInstant ? `${from} < ${h()}` : `(${from} < ${l()} or ${within()})`;
      case 'sa':
        return `${from} >= ${h()}`;
      case 'eb':
        return `${until} ${isInstant ? '<' : '<='} ${l()}`;
      case 'ap':
        return `${from} < ${h()} and ${until} ${isInstant ? '>=' : '>'} ${l()}`;
    }
  }

  quantities({ any }: Extract<Condition, { kind: 'quantities' }>, x: string): string {
    return this.any(any, (each) => this.quantity(each, x));
  }

  quantity(match: QuantityMatch, x: string): string {
    const { link, unit, code } = match;
    return [
      `${x}.link = ${this.values.add(link, 'bigint')}`,
      ...(code === undefined
        ? []
        : [
            `${x}.code = ${this.values.add(code.code, 'text')}`,
            ...(code.qualifier === null ? [] : [`${x}.code_system = ${this.values.add(code.qualifier, 'bigint')}`]),
          ]),
      ...(unit === undefined
        ? []
        : [
            `${x}.unit = ${this.values.add(unit.unit, 'text')}`,
            ...(unit.system === null ? [] : [`${x}.unit_system = ${this.values.add(unit.system, 'text')}`]),
          ]),
      this.range(match, x),
    ].join(' and ');
  }

  /** Indexes are in the order of the upper end: what follows for that of a condition on the lower one is said as well. */
  private range({ prefix, low: from, value, high: until, unit }: QuantityMatch, x: string): string {
    const [low, high] = unit === undefined ? [`${x}.given_low`, `${x}.given_high`] : [`${x}.low`, `${x}.high`];
    const number = (each: number): string => this.values.add(each, 'double precision');
    const within = (): string => `${low} >= ${number(from)} and ${high} < ${number(until)}`;
    // Few have two different ends, and an index of their own.
    const lowIs = (sign: '<' | '<=', limit: string): string =>
      `(${high} ${sign} ${limit} or (${x}.low < ${x}.high and ${low} ${sign} ${limit}))`;
    switch (prefix) {
      case 'eq':
        return `${within()} and ${high} >= ${number(from)}`;
      case 'ne':
        return `not (${within()})`;
      case 'gt':
        return `${high} > ${number(value)}`;
      case 'sa':
        return `${low} > ${number(value)} and ${high} > ${number(value)}`;
      case 'lt':
        return lowIs('<', number(value));
      case 'eb':
        return `${high} < ${number(value)}`;
      case 'ge':
        return `${high} >= ${number(value)}`;
      case 'le':
        return lowIs('<=', number(value));
      case 'ap':
        return `${lowIs('<=', number(until))} and ${high} >= ${number(from)}`;
    }
  }

  private string({ link, mode, text }: StringMatch, x: string): string {
    const of = `${x}.link = ${this.values.add(link, 'bigint')}`;
    if (mode === 'equals') return `${of} and ${x}.exact = ${this.values.add(text, 'text')}`;
    if (mode === 'text') return `${of} and strpos(${x}.exact, ${this.values.add(text, 'text')}) > 0`;
    if (mode === 'contains') return `${of} and strpos(${x}.value, ${this.values.add(text, 'text')}) > 0`;
    // A range rather than LIKE, which row-level security keeps from the index. In collation "C" nothing sorts after the last code point.
    return `${of} and ${x}.value >= ${this.values.add(text, 'text')} and ${x}.value < ${this.values.add(`${text}\u{10ffff}`, 'text')}`;
  }

  /** The target by its address. */
  private target(type: string, where: readonly Condition[], x: string): string {
    const r = this.alias();
    const conditions = where.map((each) =>
      this.write(each, { type, number: `${r}.number`, resource: r, isLookedUp: true }),
    );
    return `exists (select from fhir_resources ${r} where ${[this.ofType(type, r), `${r}.address = ${x}.target`, ...conditions].join(' and ')} offset 0)`;
  }

  /** The resources that refer to it, by number. */
  private referrers({ links, by }: Extract<Condition, { kind: 'referrers' }>, r: string): string {
    const [x, other] = [this.alias(), this.alias()];
    const conditions = by.where.map((each) =>
      this.write(each, { type: by.type, number: `${other}.number`, resource: other, isLookedUp: true }),
    );
    const referring = `select ${x}.resource from fhir_references ${x} where ${x}.link = any(${this.values.add(links, 'bigint[]')}) and ${x}.target = ${r}.address offset 0`;
    return `exists (select from (${referring}) ${x} where exists (select from fhir_resources ${other} where ${[`${other}.number = ${x}.resource`, this.ofType(by.type, other), ...conditions].join(' and ')} offset 0))`;
  }
}
