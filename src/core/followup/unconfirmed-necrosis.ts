import { rounded } from '../measurement/rounded.js';
import type { QualityWarning } from '../measurement/wound-result.js';
import type { AssessmentFindings } from './assessment.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import type { Closure } from './wound-closure.js';

/**
 * Necrosis as the software alone sees it, so much of it that a person should look. A point to look at, and no more: until a clinician has stated the
 * share it feeds no flag, no score and no verdict.
 */
export interface UnconfirmedNecrosis {
  /** Share of the bed in % on the photo that it is compared with; null: there is none whose tissue can be trusted. */
  readonly fromPct: number | null;
  readonly toPct: number;
  /** Since that photo; 0: nothing is compared. */
  readonly days: number;
  readonly comparedWithReportId: string | null;
}

/** With whether an earlier photo told it: not again, until a clinician has stated the share, or it is as much above as a rise has to be. */
export interface NecrosisLook {
  readonly necrosis: UnconfirmedNecrosis;
  readonly isTold: boolean;
}

/** What is known of an assessment's place in the series. */
interface PlacedInSeries {
  readonly closure: Closure | null;
  readonly supersededBy: string | null;
  readonly attention: readonly unknown[];
}

/** Less may come from another light, as for shares that clinicians state (docs/follow-up.md). */
const LEAST_RISE_POINTS = 20;
/** A quarter of the bed: worth a look also where there is nothing to compare with, until a clinician has stated the share once. */
const LEAST_SHARE_PCT = 25;
/** The colour of the bed is not to be trusted in a photo with one of these. */
const COLOURLESS: readonly QualityWarning[] = ['under_exposed', 'over_exposed', 'glare', 'unfamiliar', 'uncertain'];

/** Goes from assessment to assessment of one wound, in the order of their photos, and remembers the last tissue that can be trusted. */
export class NecrosisWatch {
  private closedAt: string | null = null;
  private last: AssessmentInSeries | null = null;
  /** What was stated last, or the least that was seen since: necrosis may creep. */
  private least: AssessmentInSeries | null = null;
  private isStated = false;
  /** The share that was told, or what it fell to since; null: none was told, or a clinician has stated it since. */
  private toldPct: number | null = null;
  /** Of the photo before, where it was lower than what was told. */
  private lowerPct: number | null = null;

  /** null: nothing of it is to be looked at. */
  next(now: AssessmentInSeries, comparison: PlacedInSeries): NecrosisLook | null {
    this.beginEpisode(comparison);
    if (comparison.supersededBy !== null) return null;
    const isOwn = comparison.attention.length === 0;
    const necrosis = this.tell(now, isOwn ? [this.last, this.least] : []);
    const isTold = necrosis !== null && this.toldPct !== null && necrosis.toPct - this.toldPct < LEAST_RISE_POINTS;
    if (isOwn) this.remember(now);
    if (necrosis === null) return null;
    if (isOwn && !isTold) {
      this.toldPct = necrosis.toPct;
      this.lowerPct = null;
    }
    return { necrosis, isTold };
  }

  private tell(now: AssessmentInSeries, known: readonly (AssessmentInSeries | null)[]): UnconfirmedNecrosis | null {
    const toPct = necrosisPct(now);
    if (toPct === null || isNecrosisStated(now) || !isTissueTrusted(now)) return null;
    for (const before of known) {
      const fromPct = before === null ? null : necrosisPct(before);
      if (before === null || fromPct === null || toPct - fromPct < LEAST_RISE_POINTS) continue;
      const days = rounded(daysBetween(before, now), 1);
      return { fromPct, toPct, days, comparedWithReportId: before.reportId };
    }
    if (this.isStated || toPct < LEAST_SHARE_PCT) return null;
    return { fromPct: null, toPct, days: 0, comparedWithReportId: null };
  }

  private remember(now: AssessmentInSeries): void {
    if (isNecrosisStated(now)) {
      this.isStated = true;
      this.toldPct = null;
      this.lowerPct = null;
    }
    const sharePct = necrosisPct(now);
    if (sharePct === null || !isTissueTrusted(now)) return;
    if (this.toldPct !== null) this.toldPct = this.loweredTo(sharePct, this.toldPct);
    this.last = now;
    const leastPct = this.least === null ? null : necrosisPct(this.least);
    if (isNecrosisStated(now) || leastPct === null || sharePct < leastPct) this.least = now;
  }

  /** By two photos in turn, to the higher of them: one alone may be of another light, but where it shows less than half. */
  private loweredTo(sharePct: number, toldPct: number): number {
    const before = this.lowerPct;
    this.lowerPct = sharePct < toldPct ? sharePct : null;
    if (2 * sharePct < toldPct) return sharePct;
    return before === null || sharePct >= toldPct ? toldPct : Math.max(before, sharePct);
  }

  private beginEpisode({ closure }: PlacedInSeries): void {
    const closedAt = closure?.closedAt ?? null;
    if (closedAt === this.closedAt) return;
    this.closedAt = closedAt;
    this.last = null;
    this.least = null;
    this.isStated = false;
    this.toldPct = null;
    this.lowerPct = null;
  }
}

function necrosisPct({ findings: { tissue } }: AssessmentInSeries): number | null {
  return tissue === null ? null : rounded(100 * tissue.necrosis, 1);
}

function isNecrosisStated({ findings }: AssessmentInSeries): boolean {
  return findings.confirmedTissues.includes('necrosis');
}

/** What a clinician stated does not depend on the photo. */
function isTissueTrusted(assessment: AssessmentInSeries): boolean {
  if (isNecrosisStated(assessment)) return true;
  const { quality, familiarity }: Pick<AssessmentFindings, 'quality' | 'familiarity'> = assessment.findings;
  if (!quality.acceptable || (familiarity?.outlineReliable === false && !assessment.reviewed)) return false;
  return !COLOURLESS.some((warning) => quality.warnings.includes(warning));
}
