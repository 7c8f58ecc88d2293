import type { PixelPoint, PixelPolygon } from '../measurement/wound-result.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ReviewLink } from './review-link.js';

/** Of the JSON of a draft: less than a body may have, so that it is refused in words of its own. */
export const LARGEST_DRAFT_BYTES = 196_608;
/** A draft that nobody went on with for so long is deleted. */
export const DRAFT_DAYS = 30;

/** The tools of the desk. */
export const DESK_TOOLS = ['points', 'add', 'erase', 'ruler'] as const;

/** "" and an empty list: no longer stated. */
export interface DraftedStatements {
  readonly depth?: string | undefined;
  readonly pain?: string | undefined;
  readonly exudate?: string | undefined;
  readonly exudateType?: string | undefined;
  readonly odour?: string | undefined;
  /** System and value, with a blank between. */
  readonly stage?: string | undefined;
  /** `to`: "" where it is at one hour. */
  readonly undermining?: readonly { readonly from: string; readonly to: string; readonly depth: string }[] | undefined;
  readonly tunnelling?: readonly { readonly at: string; readonly depth: string }[] | undefined;
  readonly edges?: readonly string[] | undefined;
  readonly periwound?: readonly string[] | undefined;
  readonly signs?: readonly { readonly sign: string; readonly status: string }[] | undefined;
  /** One sign on each line. */
  readonly ownWords?: string | undefined;
}

export interface DraftedWoundStep {
  /** A type of event, `closed`, `reopened`, or "": not chosen yet. */
  readonly kind: string;
  /** With `closed`; else "". */
  readonly reason: string;
  /** Day and time by the clocks of the page, as typed. */
  readonly at: string;
  readonly note: string;
  /** By which a repeat is told. */
  readonly requestId: string;
}

/** What a person has drawn, typed and chosen at the desk and not decided yet. */
export interface DraftedWork {
  /** null: nobody touched those of the report. */
  readonly outlines: readonly PixelPolygon[] | null;
  /** null: that of the report. */
  readonly mmPerPixel: number | null;
  /** As typed, where the link does not say who signs. */
  readonly reviewerName: string;
  readonly note: string;
  /** The form that gives the photo to another patient, as far as it is filled in; null: it is not open. */
  readonly reassignment: { readonly patientId: string; readonly woundId: string } | null;
  /** Two points laid on a ruler, and the distance typed for them; null: the ruler was not used. */
  readonly ruler: {
    readonly line: readonly [PixelPoint, PixelPoint];
    readonly distance: string;
    readonly unit: 'mm' | 'cm';
  } | null;
  /** What was typed of the wound in the form, field by field as typed; a field that nobody touched is absent. Absent: none was. */
  readonly stated?: DraftedStatements | undefined;
  /** What is to be recorded of the wound itself: an event, or that it is closed or open again. Absent: nothing was begun. */
  readonly woundStep?: DraftedWoundStep | undefined;
  readonly screen: { readonly tool: (typeof DESK_TOOLS)[number]; readonly isTissueShown: boolean };
}

/** A draft of one author about one report. It is not part of the record. */
export interface ReviewDraft {
  /** Chosen by the page that saved it. */
  readonly revision: string;
  /** The version of the report that was on the screen. */
  readonly reportVersion: number;
  readonly savedAt: Date;
  readonly work: DraftedWork;
}

export interface NewReviewDraft extends Omit<ReviewDraft, 'savedAt'> {
  readonly reportId: string;
  readonly sizeBytes: number;
  /** At which it was saved. */
  readonly linkId: string;
  /** Revisions that the page knows, and that this one takes the place of; none: it is the first. */
  readonly follows: readonly string[];
  /** Its person was told that none stands, and wants it all the same. */
  readonly isChosen: boolean;
}

/** Whose drafts a desk has: a user's, those of the person whom the link names, or, where it names nobody, those of the link alone. */
export function draftAuthorOf({
  id,
  keyId,
  person,
  personSystem,
}: Pick<ReviewLink, 'id' | 'keyId' | 'person' | 'personSystem'>): string {
  if (keyId.startsWith('user:')) return keyId;
  if (person === null) return `link:${id}`;
  // Numbers may have any letter: one with a system is never the text of one without.
  return personSystem === null ? `person:${person}` : `person-of:${encodeURIComponent(personSystem)}|${person}`;
}

/** Drafts of one author: those of others do not exist for it (row-level security). */
export abstract class ReviewDraftRepository {
  /** `linkId`: who asks. A name that was typed at another link is left out: somebody else may sit there now. */
  abstract find(
    transaction: TenantTransaction,
    author: string,
    reportId: string,
    linkId: string,
  ): Promise<ReviewDraft | null>;
  /**
   * When it was kept; null: another one stands than those that it follows, or none. A repeat of what is kept already is kept.
   * Where none stands, only a first one about the version that stands is kept, or one that its person chose: a request
   * that comes after the decision brings nothing back. `report.not_found`.
   */
  abstract keep(transaction: TenantTransaction, author: string, draft: NewReviewDraft): Promise<Date | null>;
  /** Removes it if it is of one of these revisions; false: another one stands. */
  abstract end(
    transaction: TenantTransaction,
    author: string,
    reportId: string,
    revisions: readonly string[],
  ): Promise<boolean>;
  /** Takes out what was to be recorded of the wound itself, once it is: `requestId` tells which. All else of the draft stays, with its revision. */
  abstract endStep(transaction: TenantTransaction, author: string, reportId: string, requestId: string): Promise<void>;
  /** Removes drafts of all tenants that nobody went on with. Returns how many. */
  abstract removeOld(days: number): Promise<number>;
}
