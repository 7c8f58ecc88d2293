import type { AttentionReason, ReportStatus } from './follow-up.js';
import type { CallOptions } from './options.js';

/** A report without its content, as a look-up finds it: `getReport` reads it. */
export interface FiledReport {
  id: string;
  /** The present one. */
  version: number;
  /** `entered-in-error`: withdrawn; `replacedBy` has what took its place. */
  status: ReportStatus;
  jobId: string;
  imageId: string;
  /** The wound that it was filed under. Where a person joined that one into another, it says so (`mergedInto`). */
  woundRef: string;
  /** Why it waits for a person; empty: it does not. */
  attention: AttentionReason[];
  replaces: string | null;
  replacedBy: string | null;
  capturedAt: string;
  /** When its first version was filed. */
  createdAt: string;
  links: { self: string; job: string; wound: string };
}

/** One page of reports, those of the newest job first. It may have few items, or none, before the last page. */
export interface ReportPage {
  items: FiledReport[];
  /** null on the last page. */
  nextCursor: string | null;
}

export interface ReportFilter {
  /** Only those whose job has all of these pairs of your own, 1 to 4. */
  metadata: Record<string, string>;
  /** Reports on a page, 1 to 100. Default 20. */
  limit?: number;
}

export interface ListReportsOptions extends CallOptions, ReportFilter {
  /** The `nextCursor` of the page before. */
  cursor?: string;
}
