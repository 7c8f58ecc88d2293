/** An AuditRecord each. */
export const AUDIT_COLUMNS = `id, organization_id as "organizationId", environment, recorded_at as "recordedAt", door, interaction, action, key_id as "keyId",
  request_id as "requestId", address, patient_id as "patientId", resources, query,
  case when refusal is not null then json_build_object('code', refusal, 'occurrences', occurrences) end as refusal, person`;
