import type { AttentionReason } from './attention.js';
import { WORSE_VERDICTS, type Course, type ReasonCode, type Verdict } from './course.js';
import type { FlagCode, FollowUpFlag } from './flags.js';
import { isOfOneVisit } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';
import type { UnconfirmedNecrosis } from './unconfirmed-necrosis.js';

/** Why a receiver has to be told of a report at once: a flag, a verdict that is worse, what is worse, or much necrosis that nobody has confirmed. */
export type RaisedReason = FlagCode | Verdict | ReasonCode | 'unconfirmed_necrosis';

/** What is said of one assessment. */
interface Told {
  readonly flags: readonly Pick<FollowUpFlag, 'code'>[];
  readonly comparison: {
    readonly attention: readonly AttentionReason[];
    readonly course?: Course;
    readonly unconfirmedNecrosis?: UnconfirmedNecrosis;
    readonly raisedBefore?: readonly RaisedReason[];
  };
}

const WORSE_BY_REASONS: readonly Verdict[] = ['worsening', 'mixed'];

/** All of it, whether or not it has been told. */
function raisedBy({ flags, comparison: { course, unconfirmedNecrosis } }: Told): RaisedReason[] {
  const worse = (course?.because ?? []).filter(({ direction }) => direction === 'worse').map(({ what }) => what);
  const verdict = course === undefined || !WORSE_VERDICTS.includes(course.verdict) ? [] : [course.verdict];
  const look = unconfirmedNecrosis === undefined ? [] : (['unconfirmed_necrosis'] as const);
  return [...new Set([...flags.map(({ code }) => code), ...verdict, ...worse, ...look])];
}

/** What has to be told of this report: nothing twice for one visit, but each photo that waits, since a person has to decide about each. */
export function newlyRaised(told: Told): (RaisedReason | AttentionReason)[] {
  const { attention, raisedBefore = [] } = told.comparison;
  return [...attention, ...raisedBy(told).filter((reason) => !raisedBefore.includes(reason))];
}

/** Goes from assessment to assessment of one wound and remembers what was told of each. */
export class RaisedAtVisit {
  private earlier: { readonly at: AssessmentInSeries; readonly raised: readonly RaisedReason[] }[] = [];

  /**
   * What earlier photos of the visit have told of the same; of necrosis what any has that nobody has answered.
   * @param isNecrosisTold whether that was told of this wound before
   */
  before(now: AssessmentInSeries, told: Told, isNecrosisTold: boolean): RaisedReason[] {
    const raised = raisedBy(told);
    this.earlier = this.earlier.filter(({ at }) => isOfOneVisit(at, now));
    const known = new Set(this.earlier.flatMap((one) => one.raised));
    // Which of the two it is follows from what is better; what is worse is told by itself.
    if (WORSE_BY_REASONS.some((verdict) => known.has(verdict)))
      for (const verdict of WORSE_BY_REASONS) known.add(verdict);
    this.earlier.push({ at: now, raised });
    return raised.filter((reason) => (reason === 'unconfirmed_necrosis' ? isNecrosisTold : known.has(reason)));
  }
}
