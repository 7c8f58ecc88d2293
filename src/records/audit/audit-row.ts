import type { AuditRecord } from '../../core/audit/access.js';

/** A row of audit_events. */
export interface AuditRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: 'test' | 'live';
  readonly recorded_at: Date;
  readonly door: AuditRecord['door'];
  readonly interaction: string;
  readonly action: AuditRecord['action'];
  readonly key_id: string;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly patient_id: string | null;
  readonly resources: string[];
  readonly query: string | null;
  readonly refusal: string | null;
  readonly occurrences: number;
  readonly person: string | null;
}

export function toAuditRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    recordedAt: row.recorded_at,
    door: row.door,
    interaction: row.interaction,
    action: row.action,
    keyId: row.key_id,
    requestId: row.request_id,
    address: row.address,
    patientId: row.patient_id,
    resources: row.resources,
    query: row.query,
    refusal: row.refusal === null ? null : { code: row.refusal, occurrences: row.occurrences },
    person: row.person,
  };
}
