import type { Period } from '@medplum/fhirtypes';

/** Characters of a date without a time. */
const DAY = 10;

/**
 * A period as R4 takes it (per-1): one that does not end before it begins, and of which that can be told. Where the one time lies within
 * the other, as ten o'clock within a day, both are as the less precise. undefined without times, null where the end lies before the start.
 */
export function periodOf(start: string | undefined, end: string | undefined): Period | undefined | null {
  if (start === undefined || end === undefined)
    return start === undefined && end === undefined ? undefined : start === undefined ? { end: end! } : { start };
  const shared = Math.min(start.length, end.length);
  if (shared > DAY) return Date.parse(start) > Date.parse(end) ? null : { start, end };
  const [from, to] = [start.slice(0, shared), end.slice(0, shared)];
  if (from > to) return null;
  return from === to ? { start: from, end: to } : { start, end };
}
