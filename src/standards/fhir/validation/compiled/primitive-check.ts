import { BASE64_MAX_BYTES, BASE64_NAMES, LONG_CHARACTERS } from '../long-base64.js';
import { fhirTypeToJsType, isValidCalendarDate, validationRegexes } from '../../definitions/medplum-core.js';
import { LOOK_CLOSER, type Check } from '../check.js';

/** The rules of Medplum's validator for any text, base64 apart. */
const MAX_CHARACTERS = 1024 * 1024;
const DATES = new Set(['date', 'dateTime', 'instant']);
const SHORT_BASE64 = /^[A-Za-z\d+/]+={0,2}$/;
const MAX_INTEGER = 2_147_483_647;
const MIN_INTEGERS: Readonly<Record<string, number>> = { integer: -2_147_483_648, unsignedInt: 0, positiveInt: 1 };

/** A value of a primitive type, at the element of this name: its type in JSON, its form and its range. */
export function primitiveCheck(type: string, name: string): Check {
  if (type === 'base64Binary') return base64Check(name);
  switch ((fhirTypeToJsType as Readonly<Partial<Record<string, 'boolean' | 'number' | 'string'>>>)[type]) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'number':
      return numberCheck(type);
    case 'string':
      return textCheck(type);
    case undefined:
      return LOOK_CLOSER;
  }
}

function textCheck(type: string): Check {
  const form = validationRegexes[type];
  const isText = (value: unknown): value is string =>
    typeof value === 'string' &&
    value.length <= MAX_CHARACTERS &&
    (form === undefined || form.test(value)) &&
    value.trim() !== '';
  return DATES.has(type) ? (value) => isText(value) && isValidCalendarDate(value) : isText;
}

function numberCheck(type: string): Check {
  const min = MIN_INTEGERS[type];
  if (min === undefined) return (value) => Number.isFinite(value);
  return (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= MAX_INTEGER;
}

function base64Check(name: string): Check {
  const mayBeLong = BASE64_NAMES.includes(name);
  return (value, walk) => {
    if (typeof value !== 'string') return false;
    if (value.length <= LONG_CHARACTERS) return value.length % 4 === 0 && SHORT_BASE64.test(value);
    if (!mayBeLong || value.length * 0.75 > BASE64_MAX_BYTES) return false;
    walk.longTexts.push(value);
    return true;
  };
}
