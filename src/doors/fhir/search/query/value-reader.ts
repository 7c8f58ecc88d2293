import type { Tenant } from '../../../../core/tenancy/tenant.js';
import { AIAST_SYSTEMS, isAiLabel } from '../../../../reports/index.js';
import {
  identifierPath,
  systemValue,
  TEXT_PARTER,
  textPath,
} from '../../../../standards/fhir/search-index/rows/special-keys.js';
import { typeParameters } from '../../../../standards/fhir/types/type-parameters.js';
import type { CompiledParameter } from '../../../../standards/fhir/search-index/parameters/type-searches.js';
import { dateInterval, localInterval, type DateInterval } from '../../../../core/times/date-interval.js';
import { foldText, TEXT_LIMIT } from '../../../../standards/fhir/search-index/values/folded-text.js';
import { indexable, indexKey, linkOf, qualifierOf } from '../../../../standards/fhir/search-index/values/index-key.js';
import { canonicalUnit, UCUM } from '../../../../standards/fhir/search-index/values/unit.js';
import {
  PREFIXES,
  type DateMatch,
  type Prefix,
  type QuantityMatch,
  type ReferenceMatch,
  type StringMatch,
  type TermMatch,
} from '../../../../standards/fhir/search-index/search-condition.js';
import { badParameter } from './search-fault.js';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const LITERAL = /^([A-Z]\w+)\/([A-Za-z0-9.-]{1,64})$/;
const ID = /^[A-Za-z0-9.-]{1,64}$/;
/** `ap`: within a tenth (R4 search.html 3.1.1.4.5). */
const NEAR = 0.1;

/** Where and when a search is asked. */
export interface SearchSetting {
  /** The beginning of our own references, besides the type. */
  readonly base: string;
  readonly now: Date;
  /** Of the organization; IANA. */
  readonly timeZone: string;
  /** Every system of the authority of a number. */
  spellings(system: string): readonly string[];
}

/** Reads the values of one parameter, separated by commas, into conditions of the store. `fhir.search` for an invalid value. */
export class ValueReader {
  constructor(
    private readonly tenant: Tenant,
    /** The parameter as it was written, for errors. */
    private readonly written: string,
    private readonly parameter: CompiledParameter,
    private readonly own: SearchSetting,
  ) {}

  /** `code`, `system|code`, `|code`, `system|`. */
  tokens(value: string, suffix: (path: string) => string = (path) => path): TermMatch[] {
    const { system, code } = this.token(value);
    const isNumber = this.parameter.name === 'identifier' || suffix === identifierPath;
    if (isNumber && system !== null && system !== '' && code !== '')
      return this.own.spellings(system).flatMap((each) => this.termsOf(each, code, suffix));
    return this.systemsOf(system, code).flatMap((each) => this.termsOf(each, code, suffix));
  }

  private termsOf(system: string | null, code: string, suffix: (path: string) => string): TermMatch[] {
    return this.keys((path) => {
      if (code === '') return { term: indexKey(this.tenant, suffix(path), systemValue(system!)), qualifier: null };
      return {
        term: indexKey(this.tenant, suffix(path), code),
        qualifier: system === null ? null : qualifierOf(system),
      };
    });
  }

  identifiersOfTarget(value: string): TermMatch[] {
    return this.tokens(value, identifierPath);
  }

  uris(value: string): TermMatch[] {
    return this.keys((path) => ({ term: indexKey(this.tenant, path, unescape(value)), qualifier: null }));
  }

  texts(value: string): StringMatch[] {
    const text = this.foldedText(value);
    return this.keys((path) => ({
      link: linkOf(this.tenant, textPath(path)),
      mode: 'text' as const,
      text: `${TEXT_PARTER}${text}`,
    }));
  }

  strings(value: string, modifier: string | null): StringMatch[] {
    const mode = modifier === 'exact' ? 'equals' : modifier === 'contains' ? 'contains' : 'starts';
    const text = mode === 'equals' ? this.shortText(value) : this.foldedText(value);
    return this.keys((path) => ({ link: linkOf(this.tenant, path), mode, text }));
  }

  /** `Type/id`, `id`, an address of ours, or a URL of another server. */
  references(value: string, targetType: string | null): ReferenceMatch[] {
    const local = this.withoutBase(unescape(value)).replace(/\/_history\/[^/]+$/, '');
    const literal = LITERAL.exec(local);
    if (literal !== null)
      return this.parameter.targets.includes(literal[1]!) && (targetType ?? literal[1]) === literal[1]
        ? this.linksTo(literal[1]!, literal[2]!)
        : [];
    if (!ID.test(local)) return this.linksTo('', local);
    return (targetType === null ? this.parameter.targets.filter(isKept) : [targetType]).flatMap((type) =>
      this.linksTo(type, local),
    );
  }

  /**
   * A date without an offset is one by the clocks of the organization (R4 search.html 3.1.1.4.7): so it is compared with moments. Days that a
   * resource states are compared as days, wherever they were meant.
   */
  dates(value: string): DateMatch[] {
    const { prefix, rest } = prefixed(value);
    const days = dateInterval(rest);
    const moments = localInterval(rest, this.own.timeZone);
    if (days === null || moments === null)
      throw this.bad('must be a date such as 2026-03, 2026-03-01 or 2026-03-01T10:00:00Z, after a prefix or none.');
    const [ofDays, ofMoments] = [this.dateMatch(prefix, days), this.dateMatch(prefix, moments)];
    if (days.low.getTime() === moments.low.getTime() && days.high.getTime() === moments.high.getTime()) return [ofDays];
    // Every change of a resource is a moment.
    if (this.parameter.name === '_lastUpdated') return [ofMoments];
    return [
      { ...ofMoments, among: 'moments' },
      { ...ofDays, among: 'days' },
    ];
  }

  private dateMatch(prefix: Prefix, { low, high }: DateInterval): DateMatch {
    if (prefix !== 'ap') return { prefix, low, high };
    const width = Math.abs(this.own.now.getTime() - low.getTime()) * NEAR;
    return { prefix, low: new Date(low.getTime() - width), high: new Date(high.getTime() + width) };
  }

  number(value: string): QuantityMatch[] {
    const { prefix, rest } = prefixed(value);
    const range = this.rangeOf(prefix, rest, Number);
    return this.keys((path) => ({ link: linkOf(this.tenant, path), prefix, ...range }));
  }

  /** `5.4`, `5.4||cm2`, `5.4|http://unitsofmeasure.org|cm2`, each after a prefix or none. */
  quantities(value: string, links = this.keys((path) => linkOf(this.tenant, path))): QuantityMatch[] {
    const { prefix, rest } = prefixed(value);
    const [number = '', system, code, ...more] = splitUnescaped(rest, '|').map(unescape);
    if (more.length > 0 || (code === undefined && system !== undefined) || (code === '' && system !== ''))
      throw this.bad('must be a number, or number|system|code.');
    const unit = code === undefined || code === '' ? undefined : this.unitOf(system ?? '', code);
    const range = this.rangeOf(prefix, number, unit?.toCanonical ?? Number);
    return links.map((link) => ({
      link,
      prefix,
      ...range,
      ...(unit === undefined ? {} : { unit: { system: unit.system, unit: indexable(unit.unit) } }),
    }));
  }

  /** `code$quantity`. */
  codedQuantities(value: string): QuantityMatch[] {
    const [coded, measured, ...more] = splitUnescaped(value, '$');
    if (measured === undefined || more.length > 0) throw this.bad('must be a code and a quantity with $ between them.');
    const { system, code } = this.token(coded!);
    if (code === '') throw this.bad('must have a code before the $.');
    const link = linkOf(this.tenant, this.parameter.composite!.key);
    return this.quantities(measured, [link]).map((match) => ({
      ...match,
      code: { code: indexable(code), qualifier: system === null ? null : qualifierOf(system) },
    }));
  }

  /** A label of AI is found by each system that has its code: earlier releases wrote HL7's, which R4's edition does not have. */
  private systemsOf(system: string | null, code: string): readonly (string | null)[] {
    const isLabel = this.parameter.name === '_security' && system !== null;
    return isLabel && isAiLabel({ system, code }) ? AIAST_SYSTEMS : [system];
  }

  private token(value: string): { system: string | null; code: string } {
    const parts = splitUnescaped(value, '|').map(unescape);
    if (parts.length > 2 || parts.every((part) => part === ''))
      throw this.bad('must be a code, system|code, |code or system|.');
    return parts.length === 1 ? { system: null, code: parts[0]! } : { system: parts[0]!, code: parts[1]! };
  }

  private unitOf(
    system: string,
    code: string,
  ): { system: string | null; unit: string; toCanonical: (decimal: string) => number } {
    if (system !== '' && system !== UCUM) return { system: indexable(system), unit: code, toCanonical: Number };
    const { unit, toCanonical } = canonicalUnit(code);
    return { system: system === '' ? null : 'ucum', unit, toCanonical };
  }

  /** The interval of a number by its precision: 5.40 is from 5.395 to 5.405 (R4 search.html 3.1.1.4.8). */
  private rangeOf(
    prefix: Prefix,
    decimal: string,
    convert: (decimal: string) => number,
  ): { low: number; value: number; high: number } {
    if (!NUMBER.test(decimal) || !Number.isFinite(Number(decimal)))
      throw this.bad('must be a number, after a prefix or none.');
    const value = Number(decimal);
    const [digits, exponent] = decimal.toLowerCase().split('e') as [string, string | undefined];
    const width =
      prefix === 'ap'
        ? Math.abs(value) * NEAR
        : 0.5 * 10 ** (Number(exponent ?? 0) - (digits.split('.')[1]?.length ?? 0));
    return { low: convert(String(value - width)), value: convert(decimal), high: convert(String(value + width)) };
  }

  private linksTo(targetType: string, targetId: string): ReferenceMatch[] {
    return this.keys((path) => ({ link: linkOf(this.tenant, path), targetType, targetId: indexable(targetId) }));
  }

  private withoutBase(reference: string): string {
    const plain = this.own.base.replace(/\/R4$/, '');
    const base = [`${plain}/R4/`, `${plain}/`].find((each) => reference.startsWith(each));
    return base === undefined ? reference : reference.slice(base.length);
  }

  private foldedText(value: string): string {
    const text = foldText(this.shortText(value));
    if (text === '') throw this.bad('must have a letter or a digit.');
    return text;
  }

  private shortText(value: string): string {
    const text = unescape(value);
    if (text.length > TEXT_LIMIT) throw this.bad(`must have at most ${TEXT_LIMIT} characters.`);
    return text;
  }

  private keys<T>(make: (path: string) => T): T[] {
    return [...new Set(this.parameter.paths.map(({ key }) => key))].map(make);
  }

  private bad(details: string): Error {
    return badParameter(this.written, details);
  }
}

/** An id alone can only mean a resource that lies here. */
function isKept(type: string): boolean {
  return typeParameters(type) !== undefined;
}

export function withoutPrefix(value: string): string {
  return prefixed(value).rest;
}

function prefixed(value: string): { prefix: Prefix; rest: string } {
  const prefix = PREFIXES.find((each) => value.startsWith(each));
  return prefix === undefined ? { prefix: 'eq', rest: value } : { prefix, rest: value.slice(prefix.length) };
}

/** Splits where the separator is not escaped; escapes stay for the next split (R4 search.html 3.1.1.4.0.3). */
export function splitUnescaped(text: string, separator: ',' | '|' | '$'): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === separator) parts.push('');
    else if (character === '\\' && at + 1 < text.length) parts[parts.length - 1] += character + text[(at += 1)]!;
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** The text itself: `\,` `\|` `\$` `\\` stand for the character. */
export function unescape(text: string): string {
  return text.replace(/\\([,|$\\])/g, '$1');
}
