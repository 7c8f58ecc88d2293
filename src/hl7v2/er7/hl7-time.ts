export type TimePrecision = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction';

/** A TS or DTM value. */
export interface Hl7Time {
  readonly precision: TimePrecision;
  /** FHIR dateTime (`2026`, `2026-03`, `2026-03-15`, `2026-03-15T09:40:00+01:00`): as precise as the value, a started hour or minute filled with zeros. */
  readonly dateTime: string;
  /** null where the value has no time of day. */
  readonly instant: Date | null;
}

/**
 * `YYYY[MM[DD[HH[MM[SS[.s{1,4}]]]]]][±ZZZZ]`; anything else, and days that no calendar has, is null.
 * A time without a zone is of `timeZone` (IANA). Hours that a clock change skips count from before it, repeated ones are the first.
 */
export function parseTime(_text: string, _timeZone: string): Hl7Time | null {
  throw new Error('being written');
}

/** `YYYYMMDDHHMMSS±ZZZZ` in this zone (IANA). */
export function formatTime(_instant: Date, _timeZone: string): string {
  throw new Error('being written');
}
