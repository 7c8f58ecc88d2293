import type { FollowUpFlag } from './flags.js';
import { isLately } from './remembered.js';
import { isOfOneVisit } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';
import { riseAtVisit, type Stated } from './stated-at-visit.js';

/** As for the flag: below this a share may change by the angle of the light. */
const LEAST_POINTS = 5;
/** Sums of shares are not exact. */
const TINY = 1e-9;

/**
 * Whether the share of necrosis rose at a visit, by any photo of it or in steps over several: no photo of that visit is called improving. The flag itself
 * stands only on a photo that is compared with the one before, and tells of those two.
 */
export class NecrosisRises {
  private last: AssessmentInSeries | null = null;
  private readonly stated: Stated<number>[] = [];

  /** Asked of photo after photo of one episode. */
  isRisingAt(now: AssessmentInSeries, flags: readonly Pick<FollowUpFlag, 'code'>[]): boolean {
    const isRisingInSteps = this.isRisingInSteps(now);
    if (isRisingInSteps || flags.some(({ code }) => code === 'necrosis_rising')) this.last = now;
    return this.last !== null && isOfOneVisit(this.last, now);
  }

  forget(): void {
    this.last = null;
    this.stated.length = 0;
  }

  private isRisingInSteps(now: AssessmentInSeries): boolean {
    const value = sharePctOf(now);
    if (value === null) return false;
    this.stated.push({ at: now, value });
    const today = this.stated.filter(({ at }) => isOfOneVisit(at, now));
    const before = this.stated.filter(({ at }) => !today.some((one) => one.at === at) && isLately(at, now));
    return today.length > 1 && riseAtVisit(before, today, isMore, (one, other) => one > other) !== null;
  }
}

function isMore(one: number, other: number): boolean {
  return one - other >= LEAST_POINTS - TINY;
}

/** null: no clinician stated it. */
function sharePctOf({ findings: { tissue, confirmedTissues } }: AssessmentInSeries): number | null {
  return tissue === null || !confirmedTissues.includes('necrosis') ? null : 100 * tissue.necrosis;
}
