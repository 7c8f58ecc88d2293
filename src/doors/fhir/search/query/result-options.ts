import {
  parametersOf,
  sortsOf,
  targetTypesOf,
} from '../../../../standards/fhir/search-index/parameters/search-parameters.js';
import type { TypeSearches } from '../../../../standards/fhir/search-index/parameters/type-searches.js';
import { linkOf } from '../../../../standards/fhir/search-index/values/index-key.js';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import type { SortKey } from '../../../../standards/fhir/search-index/search-condition.js';
import { badParameter, type Ignored } from './search-fault.js';

export const DEFAULT_COUNT = 20;
export const COUNT_LIMIT = 200;
const SORT_LIMIT = 5;

const SUMMARIES = ['true', 'text', 'data', 'count', 'false'] as const;
export type Summary = (typeof SUMMARIES)[number];
const TOTALS = ['none', 'estimate', 'accurate'] as const;
type Total = (typeof TOTALS)[number];

/** `Type:parameter[:TargetType]`, or every reference of the type where the parameter is `*`. */
export interface Include {
  readonly type: string;
  readonly parameter: string;
  readonly targetType: string | null;
  /** Applies to included resources as well. */
  readonly iterate: boolean;
}

/** The form of the answer; its content is in the conditions. */
export interface ResultOptions {
  readonly count: number;
  readonly countOnly: boolean;
  readonly order: readonly SortKey[] | null;
  readonly includes: readonly Include[];
  readonly revIncludes: readonly Include[];
  readonly total: Total | null;
  readonly summary: Summary;
  readonly elements: readonly string[] | null;
  readonly cursor: string | null;
}

const SINGLE = ['_count', '_summary', '_total', '_elements', '_sort', '_cursor'];
const REPEATED = [
  '_include',
  '_include:iterate',
  '_include:recurse',
  '_revinclude',
  '_revinclude:iterate',
  '_revinclude:recurse',
];
/** Read by the door; they stay in the links. */
const OF_THE_DOOR = ['_format', '_pretty'];

/** True for a parameter about the form of the answer. */
export function isResultParameter(name: string): boolean {
  return SINGLE.includes(name) || REPEATED.includes(name) || OF_THE_DOOR.includes(name);
}

interface ReadOptions {
  readonly options: ResultOptions;
  /** The options that apply, for the self link. */
  readonly used: readonly [string, string][];
  readonly ignored: readonly Ignored[];
}

/** `fhir.search` for a value that a parameter cannot have. */
export class OptionReader {
  private readonly used: [string, string][] = [];
  private readonly ignored: Ignored[] = [];

  constructor(
    private readonly searches: TypeSearches,
    private readonly tenant: Tenant,
    private readonly type: string,
    private readonly parameters: URLSearchParams,
  ) {}

  read(): ReadOptions {
    const summary = this.oneOf('_summary', SUMMARIES) ?? 'false';
    const count = this.readCount();
    const options: ResultOptions = {
      count: Math.min(count ?? DEFAULT_COUNT, COUNT_LIMIT),
      countOnly: count === 0 || summary === 'count',
      order: this.readOrder(),
      includes: this.readIncludes('_include'),
      revIncludes: this.readIncludes('_revinclude'),
      total: this.oneOf('_total', TOTALS),
      summary,
      elements: this.readElements(),
      cursor: this.single('_cursor'),
    };
    for (const name of OF_THE_DOOR) for (const value of this.parameters.getAll(name)) this.used.push([name, value]);
    return { options, used: this.used, ignored: this.ignored };
  }

  private readCount(): number | null {
    const text = this.single('_count');
    if (text === null) return null;
    if (!/^\d{1,9}$/.test(text)) throw badParameter('_count', 'must be a whole number, 0 or more.');
    this.used.push(['_count', String(Math.min(Number(text), COUNT_LIMIT))]);
    return Number(text);
  }

  private readOrder(): SortKey[] | null {
    const text = this.single('_sort');
    if (text === null) return null;
    const wanted = text.split(',').filter((each) => each !== '');
    if (wanted.length > SORT_LIMIT) throw badParameter('_sort', `must name at most ${SORT_LIMIT} parameters.`);
    const known = wanted.filter((each) => sortsOf(this.type).includes(each.replace(/^-/, '')));
    if (known.length < wanted.length)
      this.ignored.push({ name: '_sort', why: 'names a parameter that this type is not sorted by.' });
    if (known.length === 0) return null;
    this.used.push(['_sort', known.join(',')]);
    return known.map((each) => ({ by: this.orderBy(each.replace(/^-/, '')), descending: each.startsWith('-') }));
  }

  private orderBy(name: string): SortKey['by'] {
    const parameter = this.searches.of(this.type)!.parameters.get(name)!;
    if (name === '_lastUpdated') return 'changed';
    if (name === '_id') return 'id';
    if (name === 'status') return 'status';
    // Reports of a wound are numbered in the order of their photos.
    if (parameter.isClinicalDate || name === 'sequence') return 'clinical';
    const links = parameter.paths.map(({ key }) => linkOf(this.tenant, key));
    return parameter.type === 'string' ? { textLinks: links } : { links };
  }

  private readIncludes(name: '_include' | '_revinclude'): Include[] {
    return [name, `${name}:iterate`, `${name}:recurse`].flatMap((written) =>
      this.parameters.getAll(written).flatMap((value) => {
        const include = this.readInclude(name, value, written !== name);
        if (include === null) this.ignored.push({ name: written, why: 'names no reference that can be followed.' });
        else this.used.push([written.replace(':recurse', ':iterate'), value]);
        return include ?? [];
      }),
    );
  }

  private readInclude(name: '_include' | '_revinclude', value: string, iterate: boolean): Include | null {
    const forward = name === '_include';
    if (value === '*') return forward ? { type: this.type, parameter: '*', targetType: null, iterate } : null;
    const [type = '', parameter = '', targetType = null, ...more] = value.split(':') as [
      string?,
      string?,
      string?,
      ...string[],
    ];
    if (forward && parameter === '*' && more.length === 0) return { type, parameter, targetType, iterate };
    const isReference = parametersOf(type).some((each) => each.name === parameter && each.type === 'reference');
    if (!isReference || more.length > 0) return null;
    const targets = targetTypesOf(type, parameter);
    if (targetType !== null && !targets.includes(targetType)) return null;
    const applies =
      iterate ||
      (forward ? type === this.type : targets.includes(this.type) && (targetType ?? this.type) === this.type);
    return applies ? { type, parameter, targetType, iterate } : null;
  }

  private readElements(): string[] | null {
    const names = elementsIn(this.single('_elements'), this.type);
    if (names === null) return null;
    this.used.push(['_elements', names.join(',')]);
    return names;
  }

  private oneOf<T extends string>(name: string, allowed: readonly T[]): T | null {
    const text = this.single(name);
    if (text === null) return null;
    if (!(allowed as readonly string[]).includes(text))
      throw badParameter(name, `must be one of ${allowed.join(', ')}.`);
    this.used.push([name, text]);
    return text as T;
  }

  private single(name: string): string | null {
    const values = this.parameters.getAll(name);
    if (values.length > 1) throw badParameter(name, 'is given more than once.');
    return values[0] ?? null;
  }
}

/** What a read keeps of its resource; null: all. `_summary=count` counts matches, of which a read has none. `fhir.search`. */
export function readSubset(type: string, query: URLSearchParams): Pick<ResultOptions, 'summary' | 'elements'> | null {
  const asked = query.get('_summary');
  const summary = SUMMARIES.find((each) => each === asked && each !== 'count');
  if (asked !== null && summary === undefined)
    throw badParameter('_summary', `must be one of ${SUMMARIES.filter((each) => each !== 'count').join(', ')}.`);
  const elements = elementsIn(query.get('_elements'), type);
  return elements === null && (summary ?? 'false') === 'false' ? null : { summary: summary ?? 'false', elements };
}

function elementsIn(text: string | null, type: string): string[] | null {
  const names = (text ?? '')
    .split(',')
    .map((each) => each.trim().replace(new RegExp(`^${type}\\.`), ''))
    .filter((each) => each !== '');
  if (!names.every((each) => /^[A-Za-z]\w{0,63}$/.test(each)))
    throw badParameter('_elements', 'must be names of elements at the root, with commas between them.');
  return names.length === 0 ? null : names;
}
