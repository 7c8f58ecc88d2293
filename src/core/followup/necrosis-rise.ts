import { rounded } from '../measurement/rounded.js';
import { isOfOneVisit } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** Below this a share may change by the angle of the light. */
const LEAST_POINTS = 5;

/** More necrosis than on the photo before, as clinicians stated it on both. */
export interface NecrosisRise {
  /** Percentage points. */
  readonly points: number;
  readonly days: number;
  readonly fromReportId: string;
}

/** Goes from photo to photo of one episode. A rise counts for each photo of the visit at which it was stated, as in the verdict. */
export class NecrosisRises {
  private readonly before = new Map<string, AssessmentInSeries>();
  private last: { readonly at: AssessmentInSeries; readonly rise: NecrosisRise } | null = null;

  /** @param previous the photo that this one is compared with; null: none */
  next(now: AssessmentInSeries, previous: AssessmentInSeries | null): NecrosisRise | null {
    if (previous !== null) this.before.set(now.reportId, previous);
    const own = this.since(now, previous) ?? this.since(now, this.beforeVisitOf(now));
    if (own !== null) this.last = { at: now, rise: own };
    return this.last !== null && isOfOneVisit(this.last.at, now) ? this.last.rise : null;
  }

  forget(): void {
    this.before.clear();
    this.last = null;
  }

  /** So that no rise is lost that is split over the photos of one visit. */
  private beforeVisitOf(now: AssessmentInSeries): AssessmentInSeries | null {
    let previous = this.before.get(now.reportId);
    while (previous !== undefined && isOfOneVisit(previous, now)) previous = this.before.get(previous.reportId);
    return previous ?? null;
  }

  private since(now: AssessmentInSeries, previous: AssessmentInSeries | null): NecrosisRise | null {
    const [to, from] = [sharePctOf(now), previous === null ? null : sharePctOf(previous)];
    if (previous === null || to === null || from === null) return null;
    const points = rounded(to - from, 1);
    if (points < LEAST_POINTS) return null;
    return {
      points,
      days: rounded(daysBetween(previous, now), 1),
      fromReportId: previous.reportId,
    };
  }
}

/** null: no clinician stated it. */
function sharePctOf({ findings: { tissue, confirmedTissues } }: AssessmentInSeries): number | null {
  return tissue === null || !confirmedTissues.includes('necrosis') ? null : 100 * tissue.necrosis;
}
