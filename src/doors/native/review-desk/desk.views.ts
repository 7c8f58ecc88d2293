import type { ClinicalEvent } from '../../../core/followup/clinical-event.js';
import type { ClosureReason, WoundStatus } from '../../../core/followup/wound.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { LastTime } from '../../../core/report/last-stated.js';
import type { ReviewDraft } from '../../../core/report/review-draft.js';
import type { ReviewLink } from '../../../core/report/review-link.js';
import type { DeskSurroundings, PresentPerson } from '../../../core/report/review-presence.js';
import type { Verdict } from '../../../core/followup/course.js';
import type { ClinicalWords, CourseTold, CurveTold, ReportBanner } from '../../../reports/index.js';
import type { ReportView } from '../reports/report.views.js';

/** Who may do what at this desk, and which reports there are. */
export interface DeskSessionView extends Pick<
  ReviewLink,
  'mode' | 'reportId' | 'person' | 'personName' | 'language' | 'frameOrigin' | 'idleS'
> {
  readonly of: ReviewLink['subject'];
  /** Whose drafts this desk has. */
  readonly author: string;
  readonly expiresAt: string;
  readonly csrfToken: string;
  /** Of a wound: oldest photo first. Of a patient: wound by wound. */
  readonly series: readonly SeriesEntryView[];
  /** Of a patient: every wound that has a report, open ones first. Else none. */
  readonly wounds: readonly WoundEntryView[];
  /** Of a list: its reports that can still be read, in its order. Else none. */
  readonly list: readonly ListEntryView[];
}

/** One report of a list, as the records say now. */
export interface ListEntryView {
  readonly reportId: string;
  /** Name or number of the patient and place of the wound, as far as they are known. */
  readonly label: string;
  /** It waits for a decision. */
  readonly waits: boolean;
}

/** Until when a desk lasts that is in use. */
export interface DeskLastingView {
  readonly expiresAt: string;
}

/** One wound of a patient, in the words of the report. */
export interface WoundEntryView {
  readonly woundId: string;
  /** Site, side and number, as far as they are known. */
  readonly label: string;
  readonly status: WoundStatus;
}

/** Whose wound it is, in the words of the report. */
export type ReportBannerView = ReportBanner;

export interface SeriesEntryView extends Pick<ClinicalReport, 'status'> {
  readonly reportId: string;
  /** The wound whose series it is in. */
  readonly woundId: string;
  readonly sequence: number;
  readonly capturedAt: string;
  /** As its sender stated it: perhaps a day alone. */
  readonly capturedAsStated?: string;
  readonly areaCm2: NonNullable<ReportView['findings']['figures']>['area']['cm2'];
  /** null: by rules that had none. */
  readonly verdict: Verdict | null;
}

/** What the wound does, in the sentences of the printed report. */
export interface DeskCourseView extends CourseTold {
  /** Of the report that they are of. */
  readonly version: number;
  /** null: there is nothing to compare. */
  readonly curve: CurveTold | null;
}

/** The draft of whoever sits at the desk; null: there is none. */
export interface DeskDraftView {
  readonly draft: (Omit<ReviewDraft, 'savedAt'> & { readonly savedAt: string }) | null;
}

export interface KeptDraftView {
  readonly savedAt: string;
}

/** Who else has the report open, and what stands now, as the page is told that says that it is open. */
export interface SurroundingsView extends Pick<DeskSurroundings, 'reportVersion' | 'draftRevision'> {
  readonly asOf: string;
  readonly others: readonly (Omit<PresentPerson, 'since'> & { readonly since: string })[];
}

/** What the form of the desk begins with. */
export interface DeskFormView {
  /** Of the report that it is about. */
  readonly version: number;
  readonly lastTime: LastTime;
  readonly words: ClinicalWords;
  /** When a later photo of the wound was taken; null: this one is the last. */
  readonly newerPhotoAt: string | null;
  readonly wound: {
    readonly status: WoundStatus;
    /** null: it is open, or what closed it is not known. */
    readonly closing: {
      readonly reason: ClosureReason;
      readonly decidedAt: string;
      readonly by: string | null;
      readonly note: string | null;
    } | null;
  };
  /** Those that stand, oldest first. */
  readonly events: readonly (Pick<ClinicalEvent, 'id' | 'type' | 'note'> & {
    readonly occurredAt: string;
    readonly by: string | null;
  })[];
}

/** Of the report, after something was stated of its wound. */
export interface DecidedView {
  readonly version: number;
}
