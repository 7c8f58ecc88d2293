import type { Reviewer } from './wound.js';

/** Wounds that grew together, and one that fell into several: never the same wound under two numbers, which is a merge. */
export const RELATION_KINDS = ['joined', 'split'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

/** A relation that never was so. */
export interface RelationWithdrawal {
  readonly withdrawnAt: Date;
  /** null: the caller named nobody. */
  readonly by: Reviewer | null;
  readonly note: string | null;
  /** The person behind the request (X-Sutura-User); null: not named. */
  readonly enteredBy: string | null;
}

/** A person's statement, never changed: it can be withdrawn, and stays in the history of its wounds. */
export interface WoundRelation {
  readonly id: string;
  readonly kind: RelationKind;
  /** `joined`: what the parts have become; `split`: what they were before. */
  readonly wholeId: string;
  /** Two or more; the whole itself where it goes on under its number. */
  readonly partIds: readonly string[];
  /** From this moment on; a photo of the very moment shows it. */
  readonly at: Date;
  readonly note: string | null;
  /** Who saw it; null: the caller named nobody. */
  readonly by: Reviewer | null;
  readonly recordedAt: Date;
  /** The person behind the request (X-Sutura-User); null: not named. */
  readonly enteredBy: string | null;
  /** null: it stands. */
  readonly withdrawal: RelationWithdrawal | null;
}

/** Of a relation what the areas of its wounds are compared by. */
export type TimedRelation = Pick<WoundRelation, 'kind' | 'wholeId' | 'partIds' | 'at'>;

/** The wounds that end with it: those that grew into another number, and one that fell into other numbers. */
export function endedBy({ kind, wholeId, partIds }: TimedRelation): string[] {
  if (kind === 'joined') return partIds.filter((id) => id !== wholeId);
  return partIds.includes(wholeId) ? [] : [wholeId];
}
