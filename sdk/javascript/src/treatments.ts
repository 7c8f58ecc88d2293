import type { AreaChange } from './area-change.js';
import type { Reviewer } from './reviewer.js';

/** The service adds words over time: take one that you do not know as it is. */
type Open<Known extends string> = Known | (string & Record<never, never>);

export type ClinicalEventType = Open<
  | 'debridement'
  | 'graft'
  | 'skin_substitute'
  | 'compression'
  | 'offloading'
  | 'negative_pressure'
  | 'antibiotics'
  | 'surgery'
  | 'amputation'
  | 'dressing_change'
  | 'trauma'
  | 'other'
>;

/** What was done to a wound, or happened to it, between its photos. */
export interface ClinicalEvent {
  id: string;
  /** The wound that it was recorded of; it may have been merged into another since. */
  wound: string;
  type: ClinicalEventType;
  occurredAt: string;
  note: string | null;
  by: Reviewer | null;
  recordedAt: string;
  /** The person behind the request, of X-Sutura-User; null: not named. */
  enteredBy: string | null;
  /** Taken back, as if it had never been; null: it stands. */
  withdrawn: { withdrawnAt: string; note: string | null; by: Reviewer | null; enteredBy: string | null } | null;
}

/** All clinical events of a wound, oldest first, withdrawn ones too. */
export interface ClinicalEventList {
  items: ClinicalEvent[];
  nextCursor: string | null;
}

/** A treatment by which the area counts anew. */
export interface AreaReset {
  type: Open<'debridement' | 'graft' | 'surgery'>;
  occurredAt: string;
  /** The first area after it. */
  baselineReportId: string;
  /** On that area itself: from the last one before, neither better nor worse; else null. */
  change: AreaChange | null;
  /** What that change is from. */
  beforeReportId: string | null;
}
