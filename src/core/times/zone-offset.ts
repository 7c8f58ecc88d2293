const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes that a zone (IANA) is ahead of UTC at an instant. RangeError for an unknown zone. */
export function offsetMinutes(instantMs: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(instantMs);
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = new Date(0);
  local.setUTCFullYear(value('year'), value('month') - 1, value('day'));
  local.setUTCHours(value('hour'), value('minute'), value('second'));
  return Math.round((local.getTime() - Math.floor(instantMs / 1000) * 1000) / MINUTE_MS);
}

/** The instant at which the clocks of a zone show `localMs`, a local time counted as if it were UTC. */
export function instantOf(localMs: number, timeZone: string): Date {
  const before = offsetMinutes(localMs - DAY_MS, timeZone);
  const after = offsetMinutes(localMs + DAY_MS, timeZone);
  const first = localMs - before * MINUTE_MS;
  const second = localMs - after * MINUTE_MS;
  const isSecond = offsetMinutes(first, timeZone) !== before && offsetMinutes(second, timeZone) === after;
  return new Date(isSecond ? second : first);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    formats.set(timeZone, format);
  }
  return format;
}
