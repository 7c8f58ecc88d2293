import type {
  Address,
  CodeableConcept,
  Coding,
  ContactPoint,
  HumanName,
  Identifier,
  Period,
  Quantity,
  Reference,
  SampledData,
  Timing,
} from '@medplum/fhirtypes';
import type { FoundValue } from '../parameters/compile-path.js';
import { dateInterval } from '../../../../core/times/date-interval.js';
import { canonicalUnit, UCUM } from '../values/unit.js';
import type { Bound } from './index-rows.js';

/** A code or identifier, and the texts beside it that `:text` finds. */
export interface TokenValue {
  readonly system: string;
  readonly code: string;
}

const BOOLEAN_SYSTEM = 'http://terminology.hl7.org/CodeSystem/special-values';
const VERSIONED = /\/_history\/[^/]+$/;
const LITERAL = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})$/;

/** Codes of an element as R4 search.html 3.1.1.4.10 reads each type. */
export function tokensOf({ type, value, system }: FoundValue): TokenValue[] {
  if (type === 'CodeableConcept') return ((value as CodeableConcept).coding ?? []).flatMap(codingToken);
  if (type === 'Coding') return codingToken(value as Coding);
  if (type === 'Identifier') return token((value as Identifier).system, (value as Identifier).value);
  // An identifier's use counts as its namespace (R4 search.html#token).
  if (type === 'ContactPoint') return token((value as ContactPoint).use, (value as ContactPoint).value);
  if (type === 'boolean') return token(BOOLEAN_SYSTEM, String(value));
  return typeof value === 'string' ? token(system, value) : [];
}

/** Texts that `:text` searches: CodeableConcept.text, Coding.display, Identifier.type.text. */
export function textsOf({ type, value }: FoundValue): string[] {
  if (type === 'CodeableConcept')
    return present([
      (value as CodeableConcept).text,
      ...((value as CodeableConcept).coding ?? []).map((coding) => coding?.display),
    ]);
  if (type === 'Coding') return present([(value as Coding).display]);
  return type === 'Identifier' ? present([(value as Identifier).type?.text]) : [];
}

/** A plain string, or each part of a name or an address. */
export function stringsOf({ type, value }: FoundValue): string[] {
  if (type === 'Address') {
    const { text, line, city, district, state, postalCode, country } = value as Address;
    return present([text, ...(line ?? []), city, district, state, postalCode, country]);
  }
  if (type !== 'HumanName') return typeof value === 'string' ? [value] : [];
  const { text, family, given, prefix, suffix } = value as HumanName;
  return present([text, family, ...(given ?? []), ...(prefix ?? []), ...(suffix ?? [])]);
}

export interface LiteralTarget {
  readonly type: string;
  readonly id: string;
}

/** The target of a reference, whichever version; a URL of another server has no type. null: nothing outside the resource. */
export function targetOf(reference: unknown): LiteralTarget | null {
  const literal = (reference as Reference).reference?.replace(VERSIONED, '');
  if (literal === undefined || literal.startsWith('#')) return null;
  const match = LITERAL.exec(literal);
  return match === null ? { type: '', id: literal } : { type: match[1]!, id: match[2]! };
}

export function identifierOf(reference: unknown): TokenValue[] {
  const { identifier } = reference as Reference;
  return identifier === undefined ? [] : token(identifier.system, identifier.value);
}

/** null where the element holds no date, or an unknown one. */
export function intervalOf({ type, value }: FoundValue): { low: Bound; high: Bound } | null {
  if (type === 'Period') return spanOf([(value as Period).start], [(value as Period).end], true);
  if (type === 'Timing') {
    const events = (value as Timing).event ?? [];
    return spanOf(events, events, false);
  }
  return typeof value === 'string' ? dateInterval(value) : null;
}

/** A quantity as it is compared: in the canonical unit, and as it was given; a range where a comparator makes it one. */
export interface MeasuredValue {
  readonly unitSystem: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly givenLow: number;
  readonly givenHigh: number;
}

export function measureOf({ type, value }: FoundValue): MeasuredValue | null {
  if (typeof value === 'number')
    return { unitSystem: '', unit: '', low: value, high: value, givenLow: value, givenHigh: value };
  if (type === 'SampledData') {
    const { origin, lowerLimit, upperLimit } = value as SampledData;
    return lowerLimit === undefined || upperLimit === undefined
      ? null
      : measured(origin as Quantity, lowerLimit, upperLimit);
  }
  const quantity = value as Quantity;
  if (typeof quantity.value !== 'number') return null;
  const comparator = quantity.comparator ?? '';
  return measured(
    quantity,
    comparator.startsWith('<') ? -Infinity : quantity.value,
    comparator.startsWith('>') ? Infinity : quantity.value,
  );
}

function measured({ system, code, unit }: Quantity, givenLow: number, givenHigh: number): MeasuredValue {
  const given = { givenLow, givenHigh };
  const isUcum = system === UCUM || (system === undefined && unit !== undefined);
  if (!isUcum) return { unitSystem: system ?? '', unit: code ?? unit ?? '', low: givenLow, high: givenHigh, ...given };
  const canonical = canonicalUnit(code ?? unit ?? '');
  const convert = (limit: number): number => (Number.isFinite(limit) ? canonical.toCanonical(String(limit)) : limit);
  return {
    unitSystem: system === undefined ? '' : 'ucum',
    unit: canonical.unit,
    low: convert(givenLow),
    high: convert(givenHigh),
    ...given,
  };
}

function codingToken(coding: Coding): TokenValue[] {
  return token(coding.system, coding.code);
}

function token(system: string | undefined, code: string | undefined): TokenValue[] {
  return code === undefined ? [] : [{ system: system ?? '', code }];
}

function spanOf(
  starts: readonly (string | undefined)[],
  ends: readonly (string | undefined)[],
  open: boolean,
): { low: Bound; high: Bound } | null {
  const lows = present(starts).flatMap((text) => dateInterval(text)?.low.getTime() ?? []);
  const highs = present(ends).flatMap((text) => dateInterval(text)?.high.getTime() ?? []);
  if (lows.length + highs.length === 0) return null;
  const low: Bound = lows.length === 0 ? '-infinity' : new Date(Math.min(...lows));
  const high: Bound = highs.length === 0 ? 'infinity' : new Date(Math.max(...highs));
  return open || (lows.length > 0 && highs.length > 0) ? { low, high } : null;
}

/** A null keeps the place of a primitive that has extensions alone. */
function present(texts: readonly (string | null | undefined)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}
