import type { AreaChange } from './area-change.js';
import type { Reviewer } from './reviewer.js';
import type { Measured } from './result.js';

/** The service adds words over time: take one that you do not know as it is. */
type Open<Known extends string> = Known | (string & Record<never, never>);

export type RelationKind = Open<'joined' | 'split'>;

/** Wounds that grew together, or one that fell into several. */
export interface WoundRelation {
  id: string;
  kind: RelationKind;
  /** `joined`: what the parts have become; `split`: what they were. */
  whole: string;
  /** The whole among them where it goes on under its number. */
  parts: string[];
  at: string;
  note: string | null;
  by: Reviewer | null;
  recordedAt: string;
  /** The person behind the request, of X-Sutura-User; null: not named. */
  enteredBy: string | null;
  /** Taken back, as if it had never been; null: it stands. */
  withdrawn: { withdrawnAt: string; note: string | null; by: Reviewer | null; enteredBy: string | null } | null;
}

/** One of the areas that are told as one. */
export interface SummedArea {
  woundRef: string;
  reportId: string;
  areaCm2: number;
}

/** An area of the course of a wound that is not of its number alone. */
export interface RelatedArea {
  capturedAt: string;
  /** `capturedAt` as its sender stated it. */
  capturedAsStated?: string;
  areaCm2: Measured;
  /** What it adds up; absent: the area of one wound. */
  sumOf?: SummedArea[];
}

/** What grew together or fell apart, by which the area counts anew. */
export interface AreaRelation {
  kind: RelationKind;
  at: string;
  /** `joined`: those that grew together; `split`: the one that it was part of. */
  wounds: string[];
  /** On the first area after it: from the sum of what grew together, or from the wound before to the sum of its parts; else null. */
  change: AreaChange | null;
  /** What is added up for that change. */
  sumOf: SummedArea[];
  /** On the first area after it, for its curve: what it was before under other numbers, or in sum; the first of all and the newest, 52 at most. */
  before?: RelatedArea[];
  /** Of a split all parts together on the first area after it. */
  together?: RelatedArea;
  /** What that change is to. */
  areaCm2: number | null;
  /** What that change is from. */
  beforeReportId: string | null;
}
