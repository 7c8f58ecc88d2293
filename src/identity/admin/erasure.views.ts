import type { LegalHold } from '../../core/erasure/legal-holds.js';
import type { ErasureSeal, PatientErasureRecord } from '../../core/erasure/patient-erasure.repository.js';
import type { ErasedRows } from '../../core/erasure/patient-record.js';
import type { Environment } from '../../core/tenancy/tenant.js';

/** What an erasure removed, or would. */
export interface ErasureView {
  /** null: nothing was removed, it was only looked. */
  readonly erasureId: string | null;
  readonly organizationId: string;
  readonly environment: Environment;
  /** Under which the audit trail goes on. */
  readonly patientId: string;
  readonly state: PatientErasureRecord['state'] | 'dry_run';
  readonly counts: readonly ErasedRows[];
  /** Messages with a number that several patients have: a person decides. */
  readonly leftMessages: readonly string[];
  readonly askedBy: string | null;
  readonly askedAt: string | null;
  readonly completedAt: string | null;
  /** The row of the audit trail that says so, and the seal of the chain that it is in; null before there is one. */
  readonly seal: ErasureSeal | null;
}

export interface HoldView {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly patientId: string;
  readonly reason: string;
  readonly placedBy: string;
  readonly placedAt: string;
}

export function toErasureView(record: PatientErasureRecord, seal: ErasureSeal | null): ErasureView {
  const { id, organizationId, environment, patientId, state, counts, leftMessages, askedBy, askedAt } = record;
  return {
    ...{ erasureId: id, organizationId, environment, patientId, state, counts, leftMessages, askedBy },
    askedAt: askedAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
    seal,
  };
}

export function toHoldView({
  organizationId,
  environment,
  patientId,
  reason,
  placedBy,
  placedAt,
}: LegalHold): HoldView {
  return { organizationId, environment, patientId, reason, placedBy, placedAt: placedAt.toISOString() };
}
