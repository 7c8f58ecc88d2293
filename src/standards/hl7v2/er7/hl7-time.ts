import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { instantOf, offsetMinutes } from '../../../core/times/zone-offset.js';

export type TimePrecision = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction';

/** A TS or DTM value. */
export interface Hl7Time {
  readonly precision: TimePrecision;
  /**
   * FHIR dateTime (`2026`, `2026-03`, `2026-03-15`, `2026-03-15T09:40:00+01:00`) of the same precision; an hour or
   * minute that was begun is filled with zeros.
   */
  readonly dateTime: string;
  /** null where the value has no time of day. */
  readonly instant: Date | null;
}

const TIME =
  /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?(?:([+-])(\d\d):?(\d\d)|(Z))?$/;
/** More decimals than four, `Z` and a colon in the offset are of other formats. */
const OTHER_FORMAT = /\.\d{5}|[Z:]/;
/** By the number of parts given, from year to fraction. */
const PRECISIONS: readonly TimePrecision[] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'fraction'];
const MAX_OFFSET_MINUTES = 14 * 60;
const MINUTE_MS = 60_000;

/**
 * `YYYY[MM[DD[HH[MM[SS[.s{1,4}]]]]]][±ZZZZ]`, and with up to nine decimals, `Z` or `±ZZ:ZZ` (`isStandardTime` tells); anything else, and a day that does not exist, is null. A time without an
 * offset is local to `timeZone` (IANA). Hours that a clock change skips count from before it; of repeated hours the
 * first is meant.
 */
export function parseTime(text: string, timeZone: string): Hl7Time | null {
  const parts = TIME.exec(text);
  if (parts === null) return null;
  const given = parts.slice(1, 8).filter((part) => part !== undefined);
  const [year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = ''] = given;
  if (
    !isOnCalendar(Number(year), Number(month), Number(day)) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  )
    return null;
  const stated = parts[11] === undefined ? offsetOf(parts[8], Number(parts[9]), Number(parts[10])) : 0;
  if (stated === 'invalid') return null;
  const precision = PRECISIONS[given.length - 1] as TimePrecision;
  if (given.length <= 3) return { precision, dateTime: given.join('-'), instant: null };
  const local = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`,
  );
  const instant = stated === null ? instantOf(local, timeZone) : new Date(local - stated * MINUTE_MS);
  // Years before zones had whole minutes cannot date a photo.
  const offset = stated ?? Math.round((local - instant.getTime()) / MINUTE_MS);
  const clock = `${hour}:${minute}:${second}${fraction === '' ? '' : `.${fraction}`}`;
  return { precision, dateTime: `${year}-${month}-${day}T${clock}${offsetText(offset, ':')}`, instant };
}

/** Whether a time that can be read is written as HL7 has it. */
export function isStandardTime(text: string): boolean {
  return !OTHER_FORMAT.test(text);
}

/** Zeros stand for what is not known: month, day, and a time of which nothing is. */
const PARTLY_KNOWN = /^(\d{4})(\d\d)?(00)?(?:0{2}){0,3}(?:\.0+)?(?:[+-]\d{4})?$/;

/**
 * The known part of a date whose month or day is given as zeros, as a FHIR date: `19510700` is `1951-07`, `19510000` is `1951`; "" where not even
 * the year is known. null: it is another value.
 */
export function knownPartOf(text: string): string | null {
  const [, year = '', month = '00', day] = PARTLY_KNOWN.exec(text) ?? [];
  if (year === '' || (month !== '00' && day === undefined)) return null;
  if (year === '0000') return '';
  if (month === '00') return text.length > 4 ? year : null;
  return Number(month) <= 12 ? `${year}-${month}` : null;
}

/** The last text written for each zone: messages sent within one second bear the same time. */
const lastFormatted = new Map<string, { readonly second: number; readonly text: string }>();

/** `YYYYMMDDHHMMSS±ZZZZ` in this IANA zone. */
export function formatTime(instant: Date, timeZone: string): string {
  const second = Math.floor(instant.getTime() / 1000);
  const last = lastFormatted.get(timeZone);
  if (last?.second === second) return last.text;
  const offset = offsetMinutes(instant.getTime(), timeZone);
  const local = new Date(instant.getTime() + offset * MINUTE_MS).toISOString();
  const text = `${local.slice(0, 19).replace(/[-:T]/g, '')}${offsetText(offset, '')}`;
  lastFormatted.set(timeZone, { second, text });
  return text;
}

/**
 * The time of a photo: `YYYYMMDDHHMMSS±ZZZZ` in this IANA zone, or `YYYY[MM[DD]]` where its sender stated (`stated`, ISO 8601) a day, month or year
 * alone, for which no zone has to be known.
 */
export function formatCaptured(instant: Date, stated: string | null | undefined, timeZone: string): string {
  const time = ClinicalTime.read(stated);
  return time === null || time.hasTimeOfDay ? formatTime(instant, timeZone) : time.text.replaceAll('-', '');
}

/** The same of a time of which nothing else is known; "" for what is no time. */
export function formatStated(stated: string, timeZone: string): string {
  const time = ClinicalTime.read(stated);
  return time === null ? '' : formatCaptured(time.earliest, stated, timeZone);
}

function isOnCalendar(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const lastDay = new Date(0);
  lastDay.setUTCFullYear(year, month, 0);
  return day <= lastDay.getUTCDate();
}

/** null: none is stated. */
function offsetOf(sign: string | undefined, hours: number, minutes: number): number | null | 'invalid' {
  if (sign === undefined) return null;
  const offset = hours * 60 + minutes;
  if (minutes > 59 || offset > MAX_OFFSET_MINUTES) return 'invalid';
  return sign === '-' ? -offset : offset;
}

function offsetText(offset: number, colon: string): string {
  const size = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${colon}${two(size % 60)}`;
}
