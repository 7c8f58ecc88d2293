import type { ClinicalReport, ReportFigures } from './clinical-report.js';
import type { AttentionReason } from '../followup/attention.js';
import type { PhotoFiling } from '../followup/same-photo.js';
import type { TimedEvent } from '../followup/clinical-event.js';
import type { ReportReview } from './review.js';
import type { TimedRelation } from '../followup/wound-relation.js';
import type { WoundEvent, WoundKey } from '../followup/wound.js';
import type { WoundStage } from '../analysis/wound-stage.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';

/** A report's present version, and the wound it was made of. */
export interface CurrentReport {
  readonly report: ClinicalReport;
  /** The wound of the assessment itself; its series may be another wound's, by a merge. */
  readonly woundId: string;
}

/** A result that waits for a person. */
export interface WaitingReport {
  readonly reportId: string;
  readonly capturedAt: Date;
  /** As its sender stated it; null: they stated nothing. */
  readonly capturedAsStated: string | null;
  readonly reasons: readonly AttentionReason[];
}

/** A stage that a person stated beside a photo of a series. */
export interface StageInSeries {
  readonly reportId: string;
  readonly imageId: string;
  /** The wound of the assessment itself. */
  readonly woundId: string;
  readonly capturedAt: Date;
  readonly stage: WoundStage;
  /** `ClinicalTime`; null: as the photo. */
  readonly statedAt: string | null;
}

/** What a wound's series holds at one moment. */
export interface KnownSeries {
  /** The wound with the key itself; it may have been merged into the one whose series this is. */
  readonly woundRef: string;
  /** As `figures`. */
  readonly figures: readonly ReportFigures[];
  /** Decisions on the wound, oldest first. */
  readonly history: readonly Pick<WoundEvent, 'decision' | 'decidedAt' | 'reason'>[];
  /** Clinical events of the series that stand, oldest first. */
  readonly treatments: readonly TimedEvent[];
  /** Relations of the series’ wounds that stand, oldest first. */
  readonly relations: readonly TimedRelation[];
}

/** The reports of a wound, and what was decided on it. */
export interface SeriesWithHistory {
  readonly reports: readonly ClinicalReport[];
  /** Decisions on the wound, oldest first. */
  readonly history: KnownSeries['history'];
  /** Clinical events of the series that stand, oldest first. */
  readonly treatments: KnownSeries['treatments'];
  /** Relations of the series’ wounds that stand, oldest first. */
  readonly relations: KnownSeries['relations'];
}

export abstract class ReportRepository {
  /** The first version of a report, with the event report.ready, all or nothing. False where the job has one already: nothing was written. */
  abstract insert(transaction: TenantTransaction, report: ClinicalReport, woundId: string): Promise<boolean>;
  /** Further versions, each of another report. The caller holds the series' lock. */
  abstract append(transaction: TenantTransaction, reports: readonly ClinicalReport[]): Promise<void>;
  /** Notes on the old report which one took its place. */
  abstract markReplaced(transaction: TenantTransaction, reportId: string, replacedBy: string): Promise<void>;
  /** null for unknown, malformed, foreign. */
  abstract find(transaction: TenantTransaction, reportId: string): Promise<CurrentReport | null>;
  /** Oldest version first; empty for unknown, malformed, foreign. */
  abstract versions(transaction: TenantTransaction, reportId: string): Promise<ClinicalReport[]>;
  /** Present versions of all reports of the wound and of those merged into it, oldest photo first, without those entered in error. */
  abstract series(transaction: TenantTransaction, rootWoundId: string): Promise<ClinicalReport[]>;
  /** `series`, with the history of its wound and what was done to it. */
  abstract seriesWithHistory(transaction: TenantTransaction, rootWoundId: string): Promise<SeriesWithHistory>;
  /** The figures of `series`, which are a fifth of its bytes. */
  abstract figures(transaction: TenantTransaction, rootWoundId: string): Promise<ReportFigures[]>;
  /** The stages stated in `series`, oldest photo first: not those of photos whose site is asked about, or that another analysis superseded. */
  abstract stages(transaction: TenantTransaction, rootWoundId: string): Promise<StageInSeries[]>;
  /** The series of the wound with this key, in one round trip outside any transaction. null: there is no such wound yet. */
  abstract knownSeries(tenant: Tenant, key: WoundKey): Promise<KnownSeries | null>;
  /** Of each of these wounds, by its id: the reports of its series that wait for a person, oldest photo first. */
  abstract waiting(
    transaction: TenantTransaction,
    woundIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly WaitingReport[]>>;
  /**
   * The first reports of this photo and of others with the same bytes or pixels, oldest first, without those entered in error. Keeps the digest of its
   * pixels, where one is given; whoever else files the same photo then waits until the transaction ends.
   */
  abstract filingsOfPhoto(
    transaction: TenantTransaction,
    imageId: string,
    pixelSha256: string | null,
  ): Promise<PhotoFiling[]>;
  abstract recordReview(transaction: TenantTransaction, review: ReportReview): Promise<void>;
}
