import type { Tenant } from '../tenancy/tenant.js';

/** read: the desk shows; review: it takes decisions, too. */
export const REVIEW_MODES = ['read', 'review'] as const;
export type ReviewMode = (typeof REVIEW_MODES)[number];

/** What a link opens: one report, or a wound with all of its reports. */
export const REVIEW_SUBJECTS = ['report', 'wound'] as const;
export type ReviewSubject = (typeof REVIEW_SUBJECTS)[number];

/** A link to the review desk, and the session that takes its place once it is opened. Both end at `expiresAt`. */
export interface ReviewLink extends Tenant {
  readonly id: string;
  /** Of the key or client that made it, or `user:NAME`: the link ends with it. */
  readonly keyId: string;
  /** The person behind the request that made it, or the user's name; null: not named. */
  readonly person: string | null;
  /** URI of the numbering that `person` belongs to; null: not said. */
  readonly personSystem: string | null;
  /** How that person signs; null: not known, and typed at the desk. */
  readonly personName: string | null;
  readonly subject: ReviewSubject;
  /** Of the report, or of the wound. */
  readonly subjectId: string;
  /** The report that the link was asked for, and that the desk shows first. */
  readonly reportId: string;
  readonly mode: ReviewMode;
  /** null: as the browser asks. */
  readonly language: string | null;
  /** The origin whose page shows the desk in a frame; null: no page may. */
  readonly frameOrigin: string | null;
  readonly expiresAt: Date;
}

export interface NewReviewLink extends Omit<ReviewLink, 'expiresAt' | 'keyId'> {
  /** The id of the key, client or user that makes it. */
  readonly holderId: string;
  readonly sha256: Uint8Array;
  readonly lifeS: number;
}

/**
 * Links to the review desk. Of secrets only digests are kept. What ended is not found, nor what was made by a key that was revoked or has expired, or by a user who
 * is disabled or may no longer review there.
 */
export abstract class ReviewLinkRepository {
  /** Takes ended ones with it. Returns when it ends. */
  abstract insert(link: NewReviewLink): Promise<Date>;
  /** Trades the secret for a session, once: of two at the same time one gets it. null: opened before, ended, or not known. */
  abstract open(linkId: string, sha256: Uint8Array, sessionSha256: Uint8Array): Promise<ReviewLink | null>;
  /** The link whose session this is. */
  abstract findOpened(linkId: string, sessionSha256: Uint8Array): Promise<ReviewLink | null>;
  /** The origin that may show this link in a frame, as far as the organization still allows it. */
  abstract frameOriginOf(linkId: string): Promise<string | null>;
  /** Of a session that the person closed. */
  abstract end(linkId: string): Promise<void>;
}

const LONGEST_ORIGIN = 260;

/** True for an https origin exactly as a browser names it: `https://ehr.example.org`, `https://ehr.example.org:8443`. */
export function isFrameOrigin(text: string): boolean {
  // A policy of frames is a list in a header: nothing but the letters of a host may come into it.
  if (text.length > LONGEST_ORIGIN || !/^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}
