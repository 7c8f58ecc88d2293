import type { CourseReason } from './course.js';
import { isWorseDirection } from './reason-order.js';
import { isOfOneVisit } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';

/**
 * What the forms of one visit told against the wound. It stands for each later photo of that visit, whether a form says the same again, takes it back, or
 * none was filled in: the newest report is the one that is read, and it is of the same visit. The area is none of it, since each photo measures that anew.
 */
export class ReasonsOfVisit {
  /** Oldest first. */
  private readonly told: { readonly at: AssessmentInSeries; readonly against: readonly CourseReason[] }[] = [];

  /**
   * @param reasons what was found at this assessment, with what the forms of the day before it state, and nothing of what was carried to it: what one form
   * told ends so within two days, however close the photos follow each other
   */
  remember(at: AssessmentInSeries, reasons: readonly CourseReason[]): void {
    // What is only remembered was stated at another visit, and each photo remembers it by itself.
    const against = reasons.filter(
      ({ domain, direction, to }) =>
        domain !== 'area' && (direction === 'worse' || (direction === 'persists' && to !== null)),
    );
    this.told.push({ at, against });
  }

  /** Of each thing the worst; of what was told alike the newest. */
  before(now: AssessmentInSeries): CourseReason[] {
    const worst = new Map<CourseReason['what'], CourseReason>();
    const first = this.told.findLastIndex(({ at }) => !isOfOneVisit(at, now)) + 1;
    for (const reason of this.told
      .slice(first)
      .toReversed()
      .flatMap(({ against }) => against)) {
      const known = worst.get(reason.what);
      if (known === undefined || isWorseDirection(reason.direction, known.direction)) worst.set(reason.what, reason);
    }
    return [...worst.values()];
  }

  forget(): void {
    this.told.length = 0;
  }
}
