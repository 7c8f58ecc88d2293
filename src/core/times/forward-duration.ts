/** Weeks to seconds, each a whole number; ISO 8601 (8601-1:2019 lets weeks stand beside days). */
const DURATION = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/**
 * Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds: `P28D`, `P8W`, `PT36H`. null: no such text, or no time at all.
 * Years and months have no fixed length, and no part may be a fraction or negative.
 */
export function readDuration(text: string): number | null {
  const parts = DURATION.exec(text)?.slice(1);
  if (parts === undefined) return null;
  const ms = parts.reduce((sum, part: string | undefined, at) => sum + Number(part ?? 0) * UNITS_MS[at]!, 0);
  return ms > 0 ? ms : null;
}
