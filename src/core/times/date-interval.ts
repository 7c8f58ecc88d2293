import { instantOf } from './zone-offset.js';

/** From and until, the end excluded. */
export interface DateInterval {
  readonly low: Date;
  readonly high: Date;
}

const FORM =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+\- ]\d{2}:\d{2})?)?)?)?$/;
const MINUTE_MS = 60_000;
/** The range of years with four digits. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time that a FHIR date, dateTime or instant stands for, as wide as it is exact; null where it is none. A date without time or zone is one of UTC (R4 search.html, 3.1.1.4.7). */
export function dateInterval(text: string): DateInterval | null {
  const match: readonly (string | undefined)[] | null = FORM.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match as readonly [
    string,
    string,
    ...(string | undefined)[],
  ];
  const fields = [
    Number(year),
    Number(month ?? 1),
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  ] as const;
  const offsetMs = offsetOf(zone);
  const low = utc(...fields, Number((fraction ?? '0').padEnd(3, '0').slice(0, 3)));
  if (low === null || offsetMs === null) return null;
  const high = new Date(low);
  if (month === undefined) high.setUTCFullYear(high.getUTCFullYear() + 1);
  else if (day === undefined) high.setUTCMonth(high.getUTCMonth() + 1);
  else high.setTime(high.getTime() + spanMs(hour, second, fraction));
  return { low: new Date(low.getTime() - offsetMs), high: new Date(Math.min(high.getTime() - offsetMs, LAST)) };
}

/** True for a date, or a time without an offset, which stands for different instants in different places. */
export function isLocal(text: string): boolean {
  const zone = FORM.exec(text)?.[8];
  return FORM.test(text) && zone === undefined;
}

/** The same by the clocks of a place (IANA zone), where the text itself has no offset. */
export function localInterval(text: string, timeZone: string): DateInterval | null {
  const interval = dateInterval(text);
  if (interval === null || !isLocal(text)) return interval;
  const { low, high } = interval;
  return { low: instantOf(low.getTime(), timeZone), high: instantOf(high.getTime(), timeZone) };
}

/** null for a day that is in no calendar. The leap second counts as the second before it. */
function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  ms: number,
): Date | null {
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, Math.min(second, 59), ms);
  return date;
}

function spanMs(hour: string | undefined, second: string | undefined, fraction: string | undefined): number {
  if (hour === undefined) return 24 * 60 * MINUTE_MS;
  if (second === undefined) return MINUTE_MS;
  return fraction === undefined ? 1000 : Math.max(1, 10 ** (3 - fraction.length));
}

function offsetOf(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 14 || minutes > 59) return null;
  // A plus that was not encoded arrives as a space.
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
