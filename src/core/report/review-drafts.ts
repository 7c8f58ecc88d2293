import type { AuditTrail } from '../audit/audit-trail.js';
import type { Access } from '../audit/access.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Caller } from '../tenancy/api-key.js';
import {
  DRAFT_DAYS,
  draftAuthorOf,
  LARGEST_DRAFT_BYTES,
  type NewReviewDraft,
  type ReviewDraft,
  type ReviewDraftRepository,
} from './review-draft.js';
import type { ReviewLink } from './review-link.js';
import type { DeskSurroundings, ReviewPresence } from './review-presence.js';

export interface ReviewDraftPorts {
  readonly drafts: ReviewDraftRepository;
  readonly presence: ReviewPresence;
  readonly unitOfWork: UnitOfWork;
  readonly trail: AuditTrail;
}

/** What people have under way at the desk: each sees their own drafts, and who else has the report open. */
export class ReviewDrafts {
  constructor(private readonly ports: ReviewDraftPorts) {}

  /** The draft of whoever sits at the desk; a look at one is in the trail. `review.read_only`. */
  async read(link: ReviewLink, reportId: string, caller: Caller, look: Access): Promise<ReviewDraft | null> {
    requireReview(link);
    const { drafts, trail, unitOfWork } = this.ports;
    return unitOfWork.inTenant(link, async (transaction) => {
      const draft = await drafts.find(transaction, draftAuthorOf(link), reportId, link.id);
      if (draft !== null) await trail.record(transaction, caller, look);
      return draft;
    });
  }

  /** Returns when it was kept. `review.read_only`, `request.too_large`, `review.draft_changed`. */
  async keep(link: ReviewLink, draft: Omit<NewReviewDraft, 'sizeBytes' | 'linkId'>): Promise<Date> {
    requireReview(link);
    const sizeBytes = new TextEncoder().encode(JSON.stringify(draft.work)).length;
    if (sizeBytes > LARGEST_DRAFT_BYTES)
      throw new SuturaError('request.too_large', {
        detail: `A draft has at most ${LARGEST_DRAFT_BYTES / 1024} KiB. Draw the outlines with fewer points, or decide about them.`,
      });
    const savedAt = await this.ports.unitOfWork.inTenant(link, (transaction) =>
      this.ports.drafts.keep(transaction, draftAuthorOf(link), { ...draft, sizeBytes, linkId: link.id }),
    );
    if (savedAt === null) throw new SuturaError('review.draft_changed');
    return savedAt;
  }

  /** What its author throws away; nothing where there is none. `review.read_only`, `review.draft_changed` where another revision stands. */
  async discard(link: ReviewLink, reportId: string, revisions: readonly string[]): Promise<void> {
    requireReview(link);
    const isEnded = await this.ports.unitOfWork.inTenant(link, (transaction) =>
      this.ports.drafts.end(transaction, draftAuthorOf(link), reportId, revisions),
    );
    if (!isEnded) throw new SuturaError('review.draft_changed');
  }

  /** With the decision that was made of these revisions; what the same person saved elsewhere meanwhile stays. */
  async endDecided(
    transaction: TenantTransaction,
    link: ReviewLink,
    reportId: string,
    revisions: readonly string[],
  ): Promise<void> {
    if (revisions.length > 0) await this.ports.drafts.end(transaction, draftAuthorOf(link), reportId, revisions);
  }

  /** With what was recorded of the wound itself: whoever opens the draft next finds it no more as begun. */
  async endStep(transaction: TenantTransaction, link: ReviewLink, reportId: string, requestId: string): Promise<void> {
    await this.ports.drafts.endStep(transaction, draftAuthorOf(link), reportId, requestId);
  }

  /** Notes that a page has the report open, and tells what is around it; a link for reading hears of no draft. */
  async noteOpen(link: ReviewLink, reportId: string, tabId: string): Promise<DeskSurroundings> {
    const { id: linkId, person, personName: name, mode } = link;
    const around = await this.ports.unitOfWork.inTenant(link, (transaction) =>
      this.ports.presence.note(transaction, {
        linkId,
        tabId,
        reportId,
        author: draftAuthorOf(link),
        name: name ?? person,
        canDecide: mode === 'review',
      }),
    );
    return mode === 'review' ? around : { ...around, draftRevision: null };
  }

  /** Of all tenants: drafts that nobody went on with, and pages that fell silent. */
  async removeOld(): Promise<void> {
    await this.ports.drafts.removeOld(DRAFT_DAYS);
    await this.ports.presence.removeSilent();
  }

  /** Of this report alone: the page may have another one open by now. */
  leave(link: ReviewLink, reportId: string, tabId: string): Promise<void> {
    return this.ports.unitOfWork.inTenant(link, (transaction) =>
      this.ports.presence.leave(transaction, { linkId: link.id, reportId, tabId }),
    );
  }
}

function requireReview({ mode }: ReviewLink): void {
  if (mode !== 'review') throw new SuturaError('review.read_only');
}
