import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';

/** How long an organization keeps data, in both environments; null: until it is deleted. */
export interface RetentionPolicy {
  readonly organizationId: string;
  /** Days after which a photo goes, with every picture of it; its results stay. */
  readonly photoDays: number | null;
  /** Days after which an HL7 v2 message goes that is done with. */
  readonly messageDays: number | null;
  /** Days after which a version of a FHIR resource goes once a newer one took its place. */
  readonly versionDays: number | null;
  /** Days after the last change of a patient's record after which everything about the patient goes. */
  readonly recordDays: number | null;
  /** Days after which an analysis goes that names no patient, with its result, report and photo. */
  readonly unnamedDays: number | null;
  /** Days after which rows of the audit trail go into an archive. */
  readonly auditDays: number | null;
  /** Hours for which answers are kept for their `Idempotency-Key`; null: 24. */
  readonly idempotencyHours: number | null;
}

export type RetentionChange = Partial<Omit<RetentionPolicy, 'organizationId'>>;

export const RETAINED_KINDS = ['photos', 'messages', 'versions', 'records', 'unnamed', 'audit'] as const;
export type RetainedKind = (typeof RETAINED_KINDS)[number];

/** What one sweep removed by age, of the audit trail: archived, as it is kept for good. */
export interface RetentionRun extends Tenant {
  readonly id: string;
  readonly what: RetainedKind;
  /** What was older than this, in real time. */
  readonly before: Date;
  readonly rows: number;
  readonly bytes: number;
  /** In use: left for the next sweep. */
  readonly kept: number;
  readonly beganAt: Date;
  /** While it is open, of the last thing that went. */
  readonly endedAt: Date;
  /** In progress, or interrupted and completed by a later sweep. */
  readonly isOpen: boolean;
}

/** A run of which nothing may have gone yet. */
export type BegunRun = Pick<RetentionRun, 'id' | 'what' | 'before' | 'beganAt'>;

/** What went of a kind. */
export interface Removed {
  readonly rows: number;
  readonly bytes: number;
}

/** Something that is older than its organization wants to keep. */
export interface OverdueRecord extends Tenant {
  /** Of the image, the patient or the analysis. */
  readonly id: string;
  readonly bytes: number;
}

/** What was older than its organization wants to keep. */
export interface OverdueAge {
  /** In real time, which rows have. */
  readonly before: Date;
  /** The same moment by the clock of the environment, by which reports are issued. */
  readonly issuedBefore: Date;
}

/** What goes one by one. */
export type OverdueKind = Exclude<RetainedKind, 'messages' | 'versions' | 'audit'>;

export abstract class RetentionPolicies {
  /** All null where nothing was ever said. */
  abstract find(organizationId: string): Promise<RetentionPolicy>;
  abstract change(organizationId: string, change: RetentionChange): Promise<void>;
  /** Of the organizations that have one. */
  abstract list(): Promise<RetentionPolicy[]>;
  /**
   * Photos, patients without any change since, or analyses that name no patient; none on legal hold, and none without a known patient while any patient of the tenant is on hold. By id. `after`: the last id of the page before, null: the first page.
   */
  abstract overdue(
    kind: OverdueKind,
    tenant: Tenant,
    age: OverdueAge,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<OverdueRecord[]>;
  /** To be done in the transaction in which it goes, so that a run says what went and nothing else. The first addition opens the run. */
  abstract addToRun(transaction: TenantTransaction, run: BegunRun, removed: Removed): Promise<void>;
  /** What the run removed in all; null: nothing went, or it has ended. */
  abstract endRun(transaction: TenantTransaction, runId: string, kept: number): Promise<Removed | null>;
  /** As `endRun`, for a run that nothing was added to for so long, as it stands. */
  abstract endInterrupted(transaction: TenantTransaction, runId: string, idleS: number): Promise<Removed | null>;
  /** Of all organizations. */
  abstract interrupted(idleS: number): Promise<RetentionRun[]>;
  /** Newest first. */
  abstract runs(organizationId: string, limit: number): Promise<RetentionRun[]>;
}

/** Messages of the HL7 v2 door, for the sweep. */
export abstract class RetainedMessages {
  /**
   * Deletes at most `limit` finished older messages, in and out; none of a patient on hold, and none without a known patient while any patient of the tenant is on hold.
   */
  abstract removeBefore(transaction: TenantTransaction, before: Date, limit: number): Promise<Removed>;
}

/** Versions of FHIR resources, for the sweep. */
export abstract class RetainedVersions {
  /** Removes at most `limit` versions whose place a newer one took before; none while a patient of the tenant is on hold. */
  abstract removeBefore(transaction: TenantTransaction, before: Date, limit: number): Promise<Removed>;
}
