/** The service adds words over time: take one that you do not know as it is. */
type Open<Known extends string> = Known | (string & Record<never, never>);

export interface Interval {
  lower: number;
  upper: number;
}

/** The change of a wound's area between two photos. */
export interface AreaChange {
  days: number;
  areaCm2: number;
  /** Below 0: smaller than then. */
  areaPct: number;
  /** Holds the true change in nine of ten cases. Absent in reports of release 0.1. */
  areaPctInterval?: Interval;
  /** null within half a day. */
  areaCm2PerWeek: number | null;
  /** Area lost by mean perimeter and days; below 0: the margin retreated. */
  marginAdvanceMmPerDay: number | null;
  /** A smaller change in this direction may come from taking the photo anew (95 %). */
  minimalDetectableChangePct: number;
  beyondDetectable: boolean;
  warnings: Open<
    'other_scale_source' | 'poor_quality' | 'other_model_version' | 'doubtful_outline' | 'treated_between'
  >[];
}
