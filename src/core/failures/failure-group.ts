import type { Environment, Tenant } from '../tenancy/tenant.js';

/** What failed: a message that came in, an analysis, or a delivery by its exit. Published names. */
export const FAILURE_KINDS = ['message', 'job', 'hl7', 'webhook', 'subscription', 'ehr'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Everything that failed for one cause, in one place, and that nothing has put right since. */
export interface FailureGroup extends Tenant {
  readonly kind: FailureKind;
  /** The listener that it came by, or the endpoint that it was for; null: of an analysis. */
  readonly subjectId: string | null;
  /** Code of the failure: of the first error of a message, of an analysis, or why a delivery is parked with the receiver's answer. */
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The newest three. */
  readonly examples: readonly string[];
}

/** A range of time in which a message came in, an analysis ended, a delivery was made. */
export interface FailureRange {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
}

export interface FailureFilter extends FailureRange {
  readonly organizationId?: string | undefined;
  readonly environment?: Environment | undefined;
}

/** All of one cause, or what is left of it behind `after`. */
export interface FailureSelection extends FailureRange {
  readonly tenant: Tenant;
  readonly kind: FailureKind;
  readonly subjectId: string | null;
  readonly cause: string;
  readonly after: string | null;
}

/** One of a cause, as it was when it was chosen. */
export interface ChosenFailure {
  readonly id: string;
  /** Of a delivery, by then; null: of what has none. */
  readonly attempts: number | null;
}

/** What the tables say of failures. Over all tenants: never reached from a caller's key. */
export abstract class FailureRecords {
  /** The last failure first. */
  abstract groups(filter: FailureFilter): Promise<readonly FailureGroup[]>;
  /** Oldest first, at most so many. */
  abstract chosen(selection: FailureSelection, limit: number): Promise<readonly ChosenFailure[]>;
  /** For what it is failed now; null: it is not, or there is none. */
  abstract causeOf(kind: FailureKind, tenant: Tenant, id: string): Promise<string | null>;
}
