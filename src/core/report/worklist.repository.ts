import type { Wound } from '../followup/wound.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ReportFigures } from './clinical-report.js';
import { CONCERNS, type Concern } from './concern.js';

/** A report in a list, with the wound whose series it is part of. */
export interface ListedReport {
  readonly report: ReportFigures;
  readonly wound: Wound;
  readonly concern: Concern;
  /** For review: since when there is a report; in care: when the photo was taken. */
  readonly since: Date;
}

/** An open wound by its last photo. */
export interface ListedWound extends ListedReport {
  /** Of its photos, how many have a report that waits for a person. */
  readonly waiting: number;
}

/** The place of an entry in a list: what comes behind it is the next page. */
export interface ListPlace {
  readonly concern: Concern;
  readonly since: Date;
  /** Of the report for review, or of the wound in care. */
  readonly id: string;
}

export interface ListPage {
  /** Only these; null: all. */
  readonly concern: Concern | null;
  readonly after: ListPlace | null;
  readonly limit: number;
}

export abstract class WorklistRepository {
  /** Reports that wait for a person's decision: by concern, then those that wait longest. */
  abstract reportsForReview(transaction: TenantTransaction, page: ListPage): Promise<ListedReport[]>;
  /** Open wounds with a report that stands: by concern of the last photo, then those that were longest not photographed. */
  abstract woundsInCare(transaction: TenantTransaction, page: ListPage): Promise<ListedWound[]>;
}

/** `2_1772352000000_01997f2e-…`. */
export function placeText({ concern, since, id }: ListPlace): string {
  return `${CONCERNS.indexOf(concern)}_${since.getTime()}_${id}`;
}

const PLACE = /^([0-5])_(-?\d{1,15})_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** null: it is not of this service. */
export function readPlace(text: string): ListPlace | null {
  const [, rank, since, id] = PLACE.exec(text) ?? [];
  const at = new Date(Number(since));
  if (rank === undefined || id === undefined || Number.isNaN(at.getTime())) return null;
  return { concern: CONCERNS[Number(rank)]!, since: at, id };
}
