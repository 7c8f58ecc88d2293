import type { CodedConcept, JobSubject, Laterality } from '../analysis/analysis-job.js';
import type { Tenant } from '../tenancy/tenant.js';

/** Open until a person closes it: no figure of a photo ever does. */
export const WOUND_STATUSES = ['open', 'closed'] as const;
export type WoundStatus = (typeof WOUND_STATUSES)[number];

/** Site, side and kind of the wound in the caller's own terms, from the last assessment that states them. */
export interface WoundDescription {
  readonly bodySite: CodedConcept | null;
  readonly laterality: Laterality | null;
  readonly woundType: CodedConcept | null;
}

/**
 * One physical wound, over all its assessments. Known by (organization, environment, patient, woundIdSystem, woundId):
 * the same ward number on another patient is another wound.
 */
export interface Wound extends Tenant, WoundDescription {
  readonly id: string;
  readonly patientId: string | null;
  /** As the caller gave it; null: no patient was named. */
  readonly patient: { readonly system: string; readonly value: string } | null;
  /** '' stands for the organization's own numbering. */
  readonly woundIdSystem: string;
  /** null: unlinked. Its one assessment named no wound, and nothing is joined by guess. */
  readonly woundId: string | null;
  readonly status: WoundStatus;
  readonly closedAt: Date | null;
  /** The wound that this one was joined into by a person; null: it stands for itself. */
  readonly mergedInto: string | null;
  readonly createdAt: Date;
}

/** The identity of a wound within a tenant. */
export interface WoundKey {
  readonly patientId: string | null;
  readonly woundIdSystem: string;
  readonly woundId: string;
}

/** The wound that a subject names, or null where it names none. */
export function woundKeyOf(subject: JobSubject | null, patientId: string | null): WoundKey | null {
  if (subject?.woundId === undefined) return null;
  return { patientId, woundIdSystem: subject.woundIdSystem ?? '', woundId: subject.woundId };
}

export function describeWound(subject: JobSubject | null): WoundDescription {
  return {
    bodySite: subject?.bodySite ?? null,
    laterality: subject?.laterality ?? null,
    woundType: subject?.woundType ?? null,
  };
}

/** The person who decided, as the caller's own system knows them. */
export interface Reviewer {
  readonly id: string;
  readonly name: string;
  readonly system?: string | undefined;
}

/** `joined`, `split`: it ended with a relation to `otherWoundId`; `unjoined`, `unsplit`: that was taken back, as if it had never been. */
export const WOUND_DECISIONS = [
  'merged',
  'unmerged',
  'closed',
  'reopened',
  'joined',
  'unjoined',
  'split',
  'unsplit',
] as const;
export type WoundDecision = (typeof WOUND_DECISIONS)[number];

/** Why a person closed a wound: `healed` alone is a cure. */
export const CLOSURE_REASONS = [
  'healed',
  'amputated',
  'grafted',
  'merged',
  'transferred',
  'died',
  'entered_in_error',
  'other',
] as const;
export type ClosureReason = (typeof CLOSURE_REASONS)[number];

/** A person's decision about a wound; never deleted. */
export interface WoundEvent {
  readonly id: string;
  readonly woundId: string;
  readonly decision: WoundDecision;
  /** With `merged`: into which wound; with `unmerged`: out of which; with `joined`, `split` and their undoing: what it became. */
  readonly otherWoundId: string | null;
  /** null: the caller named nobody. */
  readonly reviewer: Reviewer | null;
  readonly note: string | null;
  /** With `closed`; null: another decision, or from before reasons were asked for, which counts as `other`. */
  readonly reason: ClosureReason | null;
  readonly decidedAt: Date;
  /** The person behind the request (X-Sutura-User); null: not named. */
  readonly enteredBy: string | null;
}
