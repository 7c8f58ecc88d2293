import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import type { LegalHold } from '../../../core/erasure/legal-holds.js';
import type { ErasureSeal, PatientErasureRecord } from '../../../core/erasure/patient-erasure.repository.js';
import type { RetentionPolicy, RetentionRun } from '../../../core/erasure/retention-policy.js';
import { id, list, moment, owner } from '../action/answer-fields.js';

/** What an erasure removed, or would. */
export const ERASURE_VIEW = z.object({
  erasureId: id.nullable().describe('null: nothing was removed, it was only looked.'),
  ...owner,
  patientId: id.describe('Under which the audit trail goes on.'),
  state: z.enum(['asked', 'rows_erased', 'done', 'dry_run']),
  counts: list(z.object({ what: z.string(), rows: z.int(), bytes: z.int() })),
  leftMessages: list(id).describe('Messages with a number that several patients have: a person decides.'),
  askedBy: z.string().nullable(),
  askedAt: moment.nullable(),
  completedAt: moment.nullable(),
  waitsFor: z
    .object({ code: z.string(), advice: z.string(), triedAt: moment })
    .nullable()
    .describe('Why the last try could not go on; it is tried again by itself. null: nothing hinders it.'),
  seal: z
    .object({ auditId: z.string(), number: z.int(), hash: z.string() })
    .nullable()
    .describe('The row of the audit trail that says so, and the seal of the chain that it is in.'),
});
export type ErasureView = z.output<typeof ERASURE_VIEW>;

export const HOLD_VIEW = z.object({
  ...owner,
  patientId: id,
  reason: z.string(),
  placedBy: z.string(),
  placedAt: moment,
});
export type HoldView = z.output<typeof HOLD_VIEW>;

const days = z.int().nullable();
/** How long an organization keeps what, and what the newest sweeps removed. */
export const RETENTION_VIEW = z.object({
  organizationId: id,
  photoDays: days,
  messageDays: days,
  versionDays: days,
  recordDays: days,
  unnamedDays: days,
  auditDays: days,
  idempotencyHours: z.int().nullable(),
  runs: list(
    z.object({
      id,
      ...owner,
      what: z.string(),
      before: moment,
      rows: z.int(),
      bytes: z.int(),
      kept: z.int(),
      beganAt: moment,
      endedAt: moment,
      isOpen: z.boolean(),
    }),
  ),
});
export type RetentionView = z.output<typeof RETENTION_VIEW>;

export function toErasureView(record: PatientErasureRecord, seal: ErasureSeal | null): ErasureView {
  const { id: erasureId, organizationId, environment, patientId, state, counts, leftMessages, askedBy } = record;
  return {
    erasureId,
    organizationId,
    environment,
    patientId,
    state,
    counts,
    leftMessages,
    askedBy,
    askedAt: record.askedAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
    waitsFor: waitOf(record),
    seal,
  };
}

const IN_USE =
  'An analysis, a message or an event of the patient is still being worked on. It goes on once that has ended.';
const FAULT = 'Something failed that no code explains: the log of the gateways names it ("sweep.failed").';

function waitOf({ waitsFor: code, triedAt }: PatientErasureRecord): ErasureView['waitsFor'] {
  if (code === null || triedAt === null) return null;
  const words: Partial<Record<ErrorCode, string>> = { 'patient.in_use': IN_USE, 'service.internal': FAULT };
  return { code, advice: words[code] ?? ERROR_CATALOGUE[code].advice, triedAt: triedAt.toISOString() };
}

export function toHoldView(hold: LegalHold): HoldView {
  const { organizationId, environment, patientId, reason, placedBy, placedAt } = hold;
  return { organizationId, environment, patientId, reason, placedBy, placedAt: placedAt.toISOString() };
}

export function toRetentionView(policy: RetentionPolicy, runs: readonly RetentionRun[]): RetentionView {
  return {
    ...policy,
    runs: runs.map(({ before, beganAt, endedAt, ...run }) => ({
      ...run,
      before: before.toISOString(),
      beganAt: beganAt.toISOString(),
      endedAt: endedAt.toISOString(),
    })),
  };
}
