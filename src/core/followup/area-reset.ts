import type { AreaChange } from './area-change.js';
import { isResetting, type ResettingEvent, type TimedEvent } from './clinical-event.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import type { Closure } from './wound-closure.js';

/** A treatment changed the area by itself: what is told of the area counts from the first photo after it. */
export interface AreaReset {
  readonly type: ResettingEvent;
  /** RFC 3339, UTC. */
  readonly occurredAt: string;
  /** The first area after it. */
  readonly baselineReportId: string;
  /** On that area itself: the change from the last one before, which is neither better nor worse; null: there was none, or on later areas. */
  readonly change: AreaChange | null;
  /** What that change is from; null as it is. */
  readonly beforeReportId: string | null;
}

/** A week, and the half day that visits are early or late by. */
const LONGEST_DAYS = 7.5;
/**
 * By how much more than photos of one state two areas differ that each are left by a debridement: one standard deviation, in %. An assumption, since
 * no study was found that tells it; docs/follow-up.md has what follows from it.
 */
const DEBRIDEMENT_VARIATION_PCT = 15;

/**
 * The event by which this area is a new baseline: between it and the area before, and at most a week ago; null: there is none. A graft or an operation
 * stands before a debridement, else the last one counts. A photo of the very moment was taken before. `events`: oldest first.
 */
export function resetBefore(
  events: readonly TimedEvent[],
  last: AssessmentInSeries | null,
  closure: Closure | null,
  assessment: AssessmentInSeries,
): (TimedEvent & { readonly type: ResettingEvent }) | null {
  const from = Math.max(last?.capturedAt.getTime() ?? -Infinity, Date.parse(closure?.closedAt ?? '') || -Infinity);
  const since = events.filter(isResetting).filter(({ occurredAt }) => {
    const days = daysBetween({ capturedAt: occurredAt }, assessment);
    return occurredAt.getTime() >= from && days > 0 && days <= LONGEST_DAYS;
  });
  return since.findLast(({ type }) => type !== 'debridement') ?? since.at(-1) ?? null;
}

/** The areas of one episode of a wound, and which of them are alike enough to be compared. */
export class EpisodeAreas {
  private readonly baselines = new Map<ResettingEvent, readonly AssessmentInSeries[]>();

  /** @param segment the areas that it begins with: of wounds that have grown together, in sum */
  constructor(private segment: readonly AssessmentInSeries[] = []) {}

  /** The last area, whatever lies between; null: there is none. */
  get last(): AssessmentInSeries | null {
    return this.segment.at(-1) ?? null;
  }

  /**
   * With what an area is compared, oldest first: with those since the last reset; a new baseline with those that the same treatment left, so that
   * no treatment, however often, hides a growth.
   */
  comparedWith(reset: ResettingEvent | null): readonly AssessmentInSeries[] {
    return reset === null ? this.segment : (this.baselines.get(reset) ?? []);
  }

  add(assessment: AssessmentInSeries, reset: ResettingEvent | null): void {
    if (reset === null) {
      this.segment = [...this.segment, assessment];
      return;
    }
    // What a graft or an operation leaves is not what the debridements before it left.
    if (reset !== 'debridement') this.baselines.delete('debridement');
    this.baselines.set(reset, [...this.comparedWith(reset), asLeftBy(assessment, reset)]);
    this.segment = [assessment];
  }
}

/** The area with what two treatments of this kind differ by, for comparisons between them. */
export function asLeftBy(assessment: AssessmentInSeries, reset: ResettingEvent | null): AssessmentInSeries {
  if (reset === null) return assessment;
  const { findings } = assessment;
  const areaRepeatabilityPct = Math.hypot(findings.areaRepeatabilityPct, DEBRIDEMENT_VARIATION_PCT);
  return { ...assessment, findings: { ...findings, areaRepeatabilityPct } };
}
