import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { ReviewDraft } from '../../../core/report/review-draft.js';
import type { ReviewLink } from '../../../core/report/review-link.js';
import type { DeskSurroundings, PresentPerson } from '../../../core/report/review-presence.js';
import type { Verdict } from '../../../core/followup/course.js';
import type { CourseTold, ReportBanner } from '../../../reports/index.js';
import type { ReportView } from '../reports/report.views.js';

/** Who may do what at this desk, and which reports there are. */
export interface DeskSessionView extends Pick<
  ReviewLink,
  'mode' | 'reportId' | 'person' | 'personName' | 'language' | 'frameOrigin'
> {
  readonly of: ReviewLink['subject'];
  /** Whose drafts this desk has. */
  readonly author: string;
  readonly expiresAt: string;
  readonly csrfToken: string;
  /** Of a wound: oldest photo first. */
  readonly series: readonly SeriesEntryView[];
}

/** Whose wound it is, in the words of the report. */
export type ReportBannerView = ReportBanner;

export interface SeriesEntryView extends Pick<ClinicalReport, 'status'> {
  readonly reportId: string;
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
