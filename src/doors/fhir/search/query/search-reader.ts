import type { Caller } from '../../../../core/tenancy/api-key.js';
import type { TypeSearches } from '../../../../standards/fhir/search-index/parameters/type-searches.js';
import { dateHull } from './date-hull.js';
import { ConditionReader } from './condition-reader.js';
import { isResultParameter, OptionReader, type ResultOptions } from './result-options.js';
import type { Condition, SortKey } from '../../../../standards/fhir/search-index/search-condition.js';
import { badParameter, refuseIgnored, type Ignored } from './search-fault.js';
import type { SearchSetting } from './value-reader.js';

const PARAMETER_LIMIT = 40;

/** Newest first; a search for changes returns them in the order in which they were made, so that later ones come at its end. */
const BY_DATE: readonly SortKey[] = [{ by: 'clinical', descending: true }];
const BY_CHANGE: readonly SortKey[] = [{ by: 'changed', descending: false }];

/** A search, read and checked. */
export interface ReadSearch {
  readonly type: string;
  readonly where: readonly Condition[];
  readonly order: readonly SortKey[];
  readonly options: ResultOptions;
  /** The parameters that applied, as written, for the self link. Without the cursor. */
  readonly used: readonly [string, string][];
  readonly ignored: readonly Ignored[];
}

interface ReadingRules {
  readonly strict: boolean;
  readonly own: SearchSetting;
}

/** Reads the parameters of a search. Unknown ones are ignored, or refused where `strict`. `fhir.search`, `auth.scope`. */
export function readSearch(
  searches: TypeSearches,
  caller: Caller,
  type: string,
  parameters: URLSearchParams,
  { strict, own }: ReadingRules,
): ReadSearch {
  const all = [...parameters];
  if (all.length > PARAMETER_LIMIT) throw badParameter('_', `The search has more than ${PARAMETER_LIMIT} parameters.`);
  const reader = new ConditionReader(searches, caller, own);
  const where: Condition[] = [];
  const used: [string, string][] = [];
  const ignored: Ignored[] = [];
  for (const [name, value] of all) {
    if (isResultParameter(name)) continue;
    const blank = value === '' && !strict;
    const condition = blank ? null : reader.read(type, name, value);
    if (condition === null) {
      ignored.push({ name, why: blank ? 'has no value.' : 'is not a search parameter of this type.' });
      continue;
    }
    const hull = dateHull(condition);
    where.push(condition, ...(hull === null ? [] : [hull]));
    used.push([name, value]);
  }
  const result = new OptionReader(searches, caller, type, parameters).read();
  ignored.push(...result.ignored);
  if (strict && ignored.length > 0) throw refuseIgnored(ignored);
  const byChange = where.some((condition) => condition.kind === 'dates' && condition.of === 'changed');
  return {
    type,
    where,
    order: result.options.order ?? (byChange ? BY_CHANGE : BY_DATE),
    options: result.options,
    used: [...used, ...result.used],
    ignored,
  };
}
