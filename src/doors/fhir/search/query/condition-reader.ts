import type { Caller } from '../../../../core/tenancy/api-key.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { reachOf } from '../../../../standards/fhir/types/type-access.js';
import type {
  CompiledParameter,
  TypeSearches,
} from '../../../../standards/fhir/search-index/parameters/type-searches.js';
import { linkOf } from '../../../../standards/fhir/search-index/values/index-key.js';
import type { Condition, Related } from '../../../../standards/fhir/search-index/search-condition.js';
import { badParameter, unsupported } from './search-fault.js';
import { ValueReader, type SearchSetting } from './value-reader.js';
import { splitUnescaped } from './value-reader.js';

const MODIFIERS: Readonly<Record<CompiledParameter['type'], readonly string[]>> = {
  token: ['missing', 'not', 'text'],
  reference: ['missing', 'identifier'],
  string: ['missing', 'exact', 'contains'],
  uri: ['missing'],
  date: ['missing'],
  number: ['missing'],
  quantity: ['missing'],
  composite: [],
};
/** Columns of the resource: always present, and compared directly. */
const WITHOUT_MODIFIERS = ['_id', '_lastUpdated'];
const VALUE_LIMIT = 100;
const LENGTH_LIMIT = 2048;
/** Characters that an index or a text of PostgreSQL cannot hold. */
const CONTROL = /[\u0000-\u001f]/;

type Plain = Extract<ParameterKey, { form: 'plain' }>;

/** Reads the parameters of a search that filter, one at a time. */
export class ConditionReader {
  constructor(
    private readonly searches: TypeSearches,
    private readonly caller: Caller,
    private readonly own: SearchSetting,
  ) {}

  /** null for a parameter that the type does not have. `fhir.search`; `auth.scope` where it asks about resources that the caller may not search. */
  read(type: string, written: string, value: string): Condition | null {
    checkText(written, value);
    const key = parseKey(written);
    if (key.form === 'malformed') return null;
    if (key.form === 'has') return this.readHas(type, key, written, value);
    const parameter = this.searches.of(type)?.parameters.get(key.name);
    if (parameter === undefined) return null;
    return key.form === 'chain'
      ? this.readChain(type, parameter, key, written, value)
      : this.readPlain(parameter, key, written, value);
  }

  private readPlain(parameter: CompiledParameter, { modifier }: Plain, written: string, value: string): Condition {
    const { type, name, targets } = parameter;
    const isType = modifier !== null && type === 'reference' && targets.includes(modifier);
    if (modifier !== null && !isType && (!MODIFIERS[type].includes(modifier) || WITHOUT_MODIFIERS.includes(name)))
      throw unsupported(written, 'has no such modifier here.');
    if (modifier === 'missing') return { kind: 'present', name, isPresent: readMissing(written, value) };
    const values = splitUnescaped(value, ',').filter((each) => each !== '');
    if (values.length === 0) throw badParameter(written, 'must have a value.');
    if (values.length > VALUE_LIMIT) throw badParameter(written, `must have at most ${VALUE_LIMIT} values.`);
    const reader = new ValueReader(this.caller, written, parameter, this.own);
    if (name === '_id') return { kind: 'ids', ids: values };
    if (name === '_lastUpdated')
      return { kind: 'dates', of: 'changed', any: values.flatMap((each) => reader.dates(each)) };
    return this.readValues(reader, parameter, modifier, values);
  }

  private readValues(
    reader: ValueReader,
    parameter: CompiledParameter,
    modifier: string | null,
    values: readonly string[],
  ): Condition {
    const all = <T>(read: (value: string) => T[]): T[] => values.flatMap(read);
    switch (parameter.type) {
      case 'token':
        if (modifier === 'text') return { kind: 'strings', any: all((each) => reader.texts(each)) };
        return { kind: 'terms', any: all((each) => reader.tokens(each)), negated: modifier === 'not' };
      case 'uri':
        return { kind: 'terms', any: all((each) => reader.uris(each)), negated: false };
      case 'reference':
        if (modifier === 'identifier')
          return { kind: 'terms', any: all((each) => reader.identifiersOfTarget(each)), negated: false };
        return { kind: 'references', any: all((each) => reader.references(each, modifier)) };
      case 'date':
        return {
          kind: 'dates',
          of: parameter.isClinicalDate ? 'clinical' : this.linksOf(parameter),
          any: values.flatMap((each) => reader.dates(each)),
        };
      case 'string':
        return { kind: 'strings', any: all((each) => reader.strings(each, modifier)) };
      case 'number':
        return { kind: 'quantities', any: all((each) => reader.number(each)) };
      case 'quantity':
        return { kind: 'quantities', any: all((each) => reader.quantities(each)) };
      case 'composite':
        return { kind: 'quantities', any: all((each) => reader.codedQuantities(each)) };
    }
  }

  private readChain(
    type: string,
    parameter: CompiledParameter,
    key: Extract<ParameterKey, { form: 'chain' }>,
    written: string,
    value: string,
  ): Condition {
    if (parameter.type !== 'reference') throw unsupported(written, 'chains from a parameter that is no reference.');
    if (key.targetType !== null && !parameter.targets.includes(key.targetType))
      throw unsupported(written, `names a type that ${key.name} of ${type} does not point at.`);
    const targets = key.targetType === null ? parameter.targets : [key.targetType];
    const any = targets.flatMap((target) => this.readRelated(target, key.rest, written, value) ?? []);
    if (any.length === 0) throw unsupported(written, 'chains to a parameter that is not known there.');
    return { kind: 'targets', links: this.linksOf(parameter), any: this.withinReach(any) };
  }

  private readHas(
    type: string,
    key: Extract<ParameterKey, { form: 'has' }>,
    written: string,
    value: string,
  ): Condition {
    const reference = this.searches.of(key.type)?.parameters.get(key.reference);
    if (reference?.type !== 'reference' || !reference.targets.includes(type))
      throw unsupported(written, `names no reference to ${type}.`);
    const by = this.readRelated(key.type, key.rest, written, value);
    if (by === null) throw unsupported(written, 'asks for a parameter that is not known there.');
    return { kind: 'referrers', links: this.linksOf(reference), by: this.withinReach([by])[0]! };
  }

  /** One level: the rest of a chain is a parameter of the target type. */
  private readRelated(type: string, rest: string, written: string, value: string): Related | null {
    const key = parseKey(rest);
    if (key.form !== 'plain') throw unsupported(written, 'chains over more than one step.');
    const parameter = this.searches.of(type)?.parameters.get(key.name);
    return parameter === undefined ? null : { type, where: [this.readPlain(parameter, key, written, value)] };
  }

  /** Limits types that the caller reaches in part to its own resources; refuses the search where it reaches none of the types. */
  private withinReach(related: readonly Related[]): Related[] {
    const { keyId } = this.caller;
    const reached = related.flatMap(({ type, where }) => {
      const reach = reachOf(this.caller, type, 'search');
      if (reach === 'none') return [];
      return [{ type, where: reach === 'own' ? [...where, { kind: 'author' as const, keyId }] : where }];
    });
    if (reached.length === 0)
      throw new SuturaError('auth.scope', {
        detail: `No scope of this key allows "search" on ${related[0]!.type}. Use a key that has one.`,
      });
    return reached;
  }

  private linksOf({ paths }: CompiledParameter): string[] {
    return [...new Set(paths.map(({ key }) => linkOf(this.caller, key)))];
  }
}

function readMissing(written: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw badParameter(written, 'must be true or false.');
  return value === 'false';
}

function checkText(written: string, value: string): void {
  if (value.length > LENGTH_LIMIT) throw badParameter(written, `must have at most ${LENGTH_LIMIT} characters.`);
  if (CONTROL.test(value)) throw badParameter(written, 'holds a control character.');
}

/** The name of a parameter as it is written in a query, taken apart. */
type ParameterKey =
  | { readonly form: 'plain'; readonly name: string; readonly modifier: string | null }
  /** `patient.identifier`, `subject:Patient.name:exact` */
  | { readonly form: 'chain'; readonly name: string; readonly targetType: string | null; readonly rest: string }
  /** `_has:Observation:patient:code` */
  | { readonly form: 'has'; readonly type: string; readonly reference: string; readonly rest: string }
  | { readonly form: 'malformed' };

const HAS = /^_has:(\w+):([\w-]+):(.+)$/;
const CHAIN = /^([\w-]+)(?::([A-Z]\w+))?\.(.+)$/;
const PLAIN = /^([\w-]+)(?::([\w-]+))?$/;

function parseKey(key: string): ParameterKey {
  const has = HAS.exec(key);
  if (has !== null) return { form: 'has', type: has[1]!, reference: has[2]!, rest: has[3]! };
  const chain = CHAIN.exec(key);
  if (chain !== null) return { form: 'chain', name: chain[1]!, targetType: chain[2] ?? null, rest: chain[3]! };
  const plain = PLAIN.exec(key);
  return plain === null ? { form: 'malformed' } : { form: 'plain', name: plain[1]!, modifier: plain[2] ?? null };
}
