import type { Tenant } from '../tenancy/tenant.js';

/** read: the desk shows; review: it takes decisions, too. */
export const REVIEW_MODES = ['read', 'review'] as const;
export type ReviewMode = (typeof REVIEW_MODES)[number];

/** What a record system asks a link for: one report, or a wound with all of its reports. */
export const REVIEW_SUBJECTS = ['report', 'wound'] as const;
/**
 * `list`: reports that are gone through one after the other, of any patients. `patient`: all reports of all wounds of a patient; by a launch of the EHR alone, which vouches
 * for whose chart is open.
 */
export type ReviewSubject = (typeof REVIEW_SUBJECTS)[number] | 'list' | 'patient';

/** Reports of one list. */
export const LONGEST_LIST = 50;

/** A link to the review desk, and the session that takes its place once it is opened. Both end at `expiresAt`. */
export interface ReviewLink extends Tenant {
  readonly id: string;
  /** Of the key, client or registration of an EHR that made it, or `user:NAME`: the link ends with it. */
  readonly keyId: string;
  /** The person behind the request that made it, or the user's name; null: not named. */
  readonly person: string | null;
  /** URI of the numbering that `person` belongs to; null: not said. */
  readonly personSystem: string | null;
  /** How that person signs; null: not known, and typed at the desk. */
  readonly personName: string | null;
  readonly subject: ReviewSubject;
  /** Of the report, of the wound, or of the patient; of a list that of its first report. */
  readonly subjectId: string;
  /** Of a list, in its order; else none. */
  readonly reportIds: readonly string[];
  /** The report that the link was asked for, and that the desk shows first. */
  readonly reportId: string;
  readonly mode: ReviewMode;
  /** null: as the browser asks. */
  readonly language: string | null;
  /** The origin whose page shows the desk in a frame; null: no page may. */
  readonly frameOrigin: string | null;
  /** It is shown within a page of another site, where a cookie has to be kept apart. */
  readonly isFramed: boolean;
  /** The page around it shows whose chart it is, so that its own banner may be short. */
  readonly isBannerShort: boolean;
  /** Without use it ends after this, in seconds; null: only at its end. */
  readonly idleS: number | null;
  /** As things stand: of a link with `idleS` it moves on with each use. */
  readonly expiresAt: Date;
}

export interface NewReviewLink extends Omit<ReviewLink, 'expiresAt' | 'keyId'> {
  /** The id of the key, client, user or registration of an EHR that makes it. */
  readonly holderId: string;
  readonly sha256: Uint8Array;
  readonly lifeS: number;
  /** `updatedAt` of the registration of the EHR as it was read; absent: it was made by nobody's registration. */
  readonly ehrAsOf?: Date;
}

/**
 * Links to the review desk. Of secrets only digests are kept. What ended is not found, nor what was made by a key that was revoked or has expired, by a user who
 * is disabled or may no longer review there, or by an EHR whose launch was switched off or whose people may only read now.
 */
export abstract class ReviewLinkRepository {
  /** Takes ended ones with it. Returns when it ends; null: the registration of the EHR was changed or removed meanwhile, and nothing was made. */
  abstract insert(link: NewReviewLink): Promise<Date | null>;
  /** Trades the secret for a session, once: of two at the same time one gets it. null: opened before, ended, or not known. */
  abstract open(linkId: string, sha256: Uint8Array, sessionSha256: Uint8Array): Promise<ReviewLink | null>;
  /** The link whose session this is. `isUse`: a person did something, and did not only leave the page open. */
  abstract findOpened(linkId: string, sessionSha256: Uint8Array, isUse: boolean): Promise<ReviewLink | null>;
  /** The origins that may show this link in a frame, as far as the organization, or the registration of the EHR, allows them now. */
  abstract frameOriginsOf(linkId: string): Promise<readonly string[]>;
  /** Of a session that the person closed. */
  abstract end(linkId: string): Promise<void>;
}
