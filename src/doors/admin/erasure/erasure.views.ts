import type { LegalHold } from '../../../core/erasure/legal-holds.js';
import type { ErasureSeal, PatientErasureRecord } from '../../../core/erasure/patient-erasure.repository.js';
import type { ErasedRows } from '../../../core/erasure/patient-record.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import type { Environment } from '../../../core/tenancy/tenant.js';

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
  /** Why the last try could not go on, and what to do; it is tried again by itself. null: nothing hinders it. */
  readonly waitsFor: ErasureWait | null;
  /** The row of the audit trail that says so, and the seal of the chain that it is in; null before there is one. */
  readonly seal: ErasureSeal | null;
}

export interface ErasureWait {
  /** As in docs/errors.md. */
  readonly code: ErrorCode;
  readonly advice: string;
  readonly triedAt: string;
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
    erasureId: id,
    organizationId,
    environment,
    patientId,
    state,
    counts,
    leftMessages,
    askedBy,
    askedAt: askedAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
    waitsFor: waitOf(record),
    seal,
  };
}

const IN_USE =
  'An analysis, a message or an event of the patient is still being worked on. It goes on once that has ended.';
const FAULT = 'Something failed that no code explains: the log of the gateways names it ("sweep.failed").';

function waitOf({ waitsFor: code, triedAt }: PatientErasureRecord): ErasureWait | null {
  if (code === null || triedAt === null) return null;
  const words: Partial<Record<ErrorCode, string>> = { 'patient.in_use': IN_USE, 'service.internal': FAULT };
  return { code, advice: words[code] ?? ERROR_CATALOGUE[code].advice, triedAt: triedAt.toISOString() };
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
