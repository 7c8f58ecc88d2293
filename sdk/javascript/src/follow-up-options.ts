import type { ClosureReason } from './course.js';
import type { Reviewer } from './reviewer.js';
import type { ClinicalEventType } from './treatments.js';
import type { CallOptions } from './options.js';

/** The id of a wound and then the options, or both in one object. */
export type OfWound<Options> = [woundId: string, options: Options] | [options: Options & { woundId: string }];
/** The same where every option can be left out. */
export type OfWoundAlone<Options> = [woundId: string, options?: Options] | [options: Options & { woundId: string }];
/** The id of a report, or the address in the `links.report` of its job, and then the options; or both in one object. */
export type OfReport<Options> = [reportId: string, options: Options] | [options: Options & { reportId: string }];
/** The same where every option can be left out. */
export type OfReportAlone<Options> = [reportId: string, options?: Options] | [options: Options & { reportId: string }];

export interface WoundFilter {
  patientId?: string;
  woundId?: string;
  status?: string;
  /** false: only those whose assessment named no wound. */
  linked?: boolean;
  /** true: only those with a report that waits for a person. */
  attention?: boolean;
  /** Only those with a photo whose job has all of these pairs of your own, at most 4. */
  metadata?: Record<string, string>;
  /** Wounds on a page, 1 to 100. Default 20. */
  limit?: number;
}

export interface ListWoundsOptions extends CallOptions, WoundFilter {
  /** The `nextCursor` of the page before. */
  cursor?: string;
}

/** Only photos taken at these moments or between them: RFC 3339 with an offset, or a Date. */
export interface PeriodOptions extends CallOptions {
  from?: string | Date;
  to?: string | Date;
}

/** Who decided, and why. */
export interface WoundDecisionOptions extends CallOptions {
  reviewer?: Reviewer | null;
  note?: string | null;
}

/** Who decided, when, and why. */
export interface WoundClosingOptions extends WoundDecisionOptions {
  /** Of closing alone; absent: other. */
  reason?: ClosureReason | null;
  /** When the person decided; absent: now. Photos taken before it belong to the course before. */
  decidedAt?: string | Date | null;
}

/** What was done to a wound, or happened to it. */
export interface ClinicalEventOptions extends CallOptions {
  type: ClinicalEventType;
  occurredAt: string | Date;
  note?: string | null;
  by?: Reviewer | null;
  /** Default: a new one per call, kept over its retries. Your own makes a repeat by your program harmless too. */
  idempotencyKey?: string;
}

/** Who takes an event back, and why. */
export interface EventWithdrawalOptions extends CallOptions {
  eventId: string;
  note?: string | null;
  by?: Reviewer | null;
}

/** What has grown together. */
export interface WoundJoinOptions extends CallOptions {
  /** Two to ten wounds; this one among them where it goes on under its number. The others end. */
  from: readonly string[];
  /** When it was first seen; a photo of the very moment shows it. */
  at: string | Date;
  note?: string | null;
  by?: Reviewer | null;
  /** Default: a new one per call, kept over its retries. Your own makes a repeat by your program harmless too. */
  idempotencyKey?: string;
}

/** What has fallen apart. */
export interface WoundSplitOptions extends Omit<WoundJoinOptions, 'from'> {
  /** Two to ten wounds; this one among them where it goes on under its number, else it ends. */
  into: readonly string[];
}

/** Who takes a relation back, and why. */
export interface RelationWithdrawalOptions extends CallOptions {
  relationId: string;
  note?: string | null;
  by?: Reviewer | null;
}

export interface MergeWoundOptions extends WoundDecisionOptions {
  /** The id of the wound that this one turned out to be. */
  into: string;
}

/** A Uint8Array over memory that it shares with nobody, so that `new Blob([bytes])` and `new Response(bytes)` take it; said without the type parameter that older compilers do not know. */
export type DocumentBytes = Uint8Array & { readonly buffer: ArrayBuffer };

/** The languages of documents, and of the review desk. */
export type Language = 'en' | 'es' | 'de' | 'fr';
export type ReportFormat = 'pdf' | 'html' | 'text' | 'json';

export interface DocumentOptions extends CallOptions {
  format: ReportFormat;
  /** Default: en. JSON has none. */
  language?: Language;
  /** Of PDF, and of HTML when printed. Default: that of the service’s settings. */
  paper?: 'a4' | 'letter';
}

export interface DownloadReportOptions extends DocumentOptions {
  /** Default: the present one. */
  version?: number;
}

export interface SaveReportOptions extends DownloadReportOptions {
  /** An existing file is replaced, once the whole report is there. */
  path: string;
}

export interface CourseReportOptions extends DocumentOptions, PeriodOptions {}

export interface ReviewOptions extends CallOptions {
  /** Default: a new one per call, kept over its retries. Your own makes a repeat by your program harmless too. */
  idempotencyKey?: string;
}

export interface ReviewLinkOptions extends CallOptions {
  /** `read` shows; `review` takes decisions, too, and needs a key with `analysis:review`. */
  mode: 'read' | 'review';
  /** This report, all reports of its wound, or a list: this report and then those of `reports`. */
  of: 'report' | 'wound' | 'list';
  /** With `list`: up to 49 further ids, in the order in which they are gone through; of any patients. */
  reports?: readonly string[];
  /** 1 to 60; default: 10. The desk that the link opened ends with it. */
  minutes?: number;
  /** The origin of your page that shows the desk in a frame. */
  frameOrigin?: string;
  /** Default: as the browser asks. */
  language?: Language;
  /** Who decides there, and signs as that; the key must be allowed to name persons. */
  person?: { id: string; name: string; system?: string };
}
