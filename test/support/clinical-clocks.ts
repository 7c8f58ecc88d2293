import type { ClinicalClock } from '../../src/core/ports/clinical-clock.js';
import { REAL_TIME } from '../../src/core/times/clinical-timeline.js';

/** One that was never moved, for what is tested without a database. */
export function clinicalClockAt(now: () => Date): ClinicalClock {
  return {
    realNow: now,
    now: () => Promise.resolve(now()),
    nowOf: () => Promise.resolve(now()),
    timeline: () => Promise.resolve(REAL_TIME),
    timelineOf: () => Promise.resolve(REAL_TIME),
  };
}
