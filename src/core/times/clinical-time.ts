import { dateInterval, localInterval, type DateInterval } from './date-interval.js';
import { offsetMinutes } from './zone-offset.js';

/** How much of a time its sender knew. `instant`: with a time of day, to whichever digit. */
export type ClinicalPrecision = 'year' | 'month' | 'day' | 'instant';

/** Text of the form that its precision has, by the number of its characters before the time of day. */
const PRECISIONS: Readonly<Record<number, ClinicalPrecision>> = { 4: 'year', 7: 'month', 10: 'day' };
const MINUTE_MS = 60_000;
/** No place on earth is further from UTC. */
const MOST_OFFSET_MINUTES = 14 * 60;
const FURTHEST_AHEAD_MS = MOST_OFFSET_MINUTES * MINUTE_MS;
const DAY_LETTERS = 10;

/**
 * A time as its sender states it: a moment, or a day, month or year of their calendar, to which nobody said an hour. A day stays a day on its
 * way through the service; only where photos are put in order does it stand for the moment at which it begins.
 */
export class ClinicalTime {
  private constructor(
    /** ISO 8601 as FHIR's dateTime has it, unchanged: `2026`, `2026-11`, `2026-11-27`, `2026-11-27T10:00:00+01:00`. */
    readonly text: string,
    readonly precision: ClinicalPrecision,
    /** Minutes ahead of UTC by the sender's clocks; null: not stated. `Z` says the moment, and nothing of the sender's clocks (RFC 9557, 2). */
    readonly offsetMinutes: number | null,
  ) {}

  /** null: no text, or none that states a time. */
  static read(text: string | null | undefined): ClinicalTime | null {
    if (text === null || text === undefined || dateInterval(text) === null) return null;
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text.slice(DAY_LETTERS)) ?? [];
    const offset = sign === undefined ? null : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    if (offset !== null && Math.abs(offset) > MOST_OFFSET_MINUTES) return null;
    return new ClinicalTime(text, PRECISIONS[text.length] ?? 'instant', offset);
  }

  /** False: a day, a month or a year. */
  get hasTimeOfDay(): boolean {
    return this.precision === 'instant';
  }

  /** From the first moment that is meant until after the last, by the clocks of `timeZone` (IANA) where the text has no offset. */
  spanIn(timeZone: string): DateInterval {
    return localInterval(this.text, timeZone)!;
  }

  /** The first moment that can be meant, wherever the sender is: a day begins at different moments in different places. */
  get earliest(): Date {
    const { low } = dateInterval(this.text)!;
    return this.hasTimeOfDay ? low : new Date(low.getTime() - FURTHEST_AHEAD_MS);
  }

  /** The day (`2026-11-27`) by the sender's own clocks, else by those of `timeZone` (IANA); null: a month or a year has none. */
  dayIn(timeZone: string): string | null {
    if (this.precision === 'day') return this.text;
    if (!this.hasTimeOfDay) return null;
    const moment = dateInterval(this.text)!.low.getTime();
    return dayAt(moment, this.offsetMinutes ?? offsetMinutes(moment, timeZone));
  }

  /** Whether it lies on the day of `photo`, by the clocks of that photo's sender, else by those of `timeZone` (IANA). Months and years lie on none. */
  isOnDayOf(photo: ClinicalTime, timeZone: string): boolean {
    const day = photo.dayIn(timeZone);
    if (day === null || !this.hasTimeOfDay || photo.offsetMinutes === null)
      return day !== null && this.dayIn(timeZone) === day;
    return dayAt(dateInterval(this.text)!.low.getTime(), photo.offsetMinutes) === day;
  }

  /**
   * The moment by which a photo of this time stands among others: of a day, month or year its beginning by the clocks of `timeZone` (IANA), or `now`
   * where that is still to come there.
   */
  orderedAt(timeZone: string, now: Date): Date {
    const { low } = this.spanIn(timeZone);
    return !this.hasTimeOfDay && low > now ? now : low;
  }

  /** Whether both say the same: one moment, in whichever zone, or one day, month or year. */
  isSameAs(other: ClinicalTime): boolean {
    if (!this.hasTimeOfDay || !other.hasTimeOfDay) return this.text === other.text;
    return this.earliest.getTime() === other.earliest.getTime();
  }
}

/** The day of a moment by clocks that are `minutes` ahead of UTC. */
export function dayAt(momentMs: number, minutes: number): string {
  const local = new Date(momentMs + minutes * MINUTE_MS);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(local.getUTCFullYear()).padStart(4, '0')}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
}
