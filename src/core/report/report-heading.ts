import type { TenantTransaction } from '../ports/unit-of-work.js';

/**
 * Who and where a report is about, as the records say when it is read; null: not known. It is read beside the report and never part of its
 * content, of a log, a queue or an audit row.
 */
export interface ReportHeading {
  /** As it should be written: `Beispiel, Anna`. */
  readonly patientName: string | null;
  /** `1951-07-14`, `1951-07` or `1951`. */
  readonly birthDate: string | null;
  /** The number that the sender matched by, with its authority or type where they are known: `MRN-778812 (HOSP)`. */
  readonly patientNumber: string | null;
  /** The organization, and where in it the patient lies. */
  readonly facility: string | null;
  /** Who ordered the analysis. */
  readonly orderer: string | null;
  /** IANA zone in which moments are printed. */
  readonly timeZone: string;
}

/** The report that a heading is for: its photo, and the patient of its wound as it stands now. */
export interface HeadingSubject {
  readonly jobId: string;
  readonly imageId: string;
  /** null: no patient is assigned. */
  readonly patientId: string | null;
  /** The number that the wound is filed under. */
  readonly patient: { readonly system: string; readonly value: string } | null;
}

export abstract class ReportHeadings {
  abstract of(transaction: TenantTransaction, subject: HeadingSubject): Promise<ReportHeading>;
}
