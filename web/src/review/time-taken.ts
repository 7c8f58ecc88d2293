/** When a photo was taken, and as its sender stated it: perhaps a day, month or year alone. */
interface Taken {
  readonly capturedAt: string;
  readonly capturedAsStated?: string | undefined;
}

/** `2026`, `2026-11` or `2026-11-27`. */
const WITHOUT_HOUR = /^\d{4}(?:-\d\d){0,2}$/;

/** By the clocks of the browser; no more than was stated. */
export function timeTaken(taken: Taken, language: string): string {
  return dateStated(taken, language) ?? new Date(taken.capturedAt).toLocaleString(language);
}

/** The same without the time of day. */
export function dayTaken(taken: Taken, language: string): string {
  return dateStated(taken, language) ?? new Date(taken.capturedAt).toLocaleDateString(language);
}

/** Without the time of day and with its month by name, so that none is taken for another. */
export function dayNamed(taken: Taken, language: string): string {
  const { capturedAt, capturedAsStated = '' } = taken;
  if (!WITHOUT_HOUR.test(capturedAsStated))
    return new Date(capturedAt).toLocaleDateString(language, { dateStyle: 'medium' });
  if (capturedAsStated.split('-').length < 3) return dateStated(taken, language)!;
  return new Date(capturedAsStated).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** Day and time of day, the month by name. */
export function momentNamed(at: string, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A day is the same wherever it is read. */
function dateStated({ capturedAsStated = '' }: Taken, language: string): string | null {
  if (!WITHOUT_HOUR.test(capturedAsStated)) return null;
  const [, month, day] = capturedAsStated.split('-');
  if (month === undefined) return capturedAsStated;
  return new Date(capturedAsStated).toLocaleDateString(language, {
    timeZone: 'UTC',
    year: 'numeric',
    month: day === undefined ? 'long' : 'numeric',
    ...(day === undefined ? {} : { day: 'numeric' }),
  });
}
