const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** How long it is from one moment to another, in the largest unit that is whole: "31 min". Both of the same clock, the gateway's. */
export function lengthBetween(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min`;
  if (seconds < 2 * DAY_S) return `${Math.floor(seconds / HOUR_S)} h`;
  return `${Math.floor(seconds / DAY_S)} days`;
}
