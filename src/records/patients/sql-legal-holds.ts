import { Injectable } from '@nestjs/common';
import { LegalHolds, type LegalHold } from '../../core/erasure/legal-holds.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const PLACE = `insert into legal_holds (patient_id, organization_id, environment, reason, placed_by, placed_at) values ($1, $2, $3, $4, $5, $6)
  on conflict (patient_id) do update set reason = excluded.reason, placed_by = excluded.placed_by, placed_at = excluded.placed_at`;
/** Rows that were joined into the patient's are held with it. */
const OF_PATIENT = `organization_id = $1 and environment = $2 and patient_id in (
  select id from patients where organization_id = $1 and environment = $2 and (id = $3 or merged_into = $3))`;
const HOLDS_IMAGE = `select exists (select from legal_holds hold left join patients joined on joined.id = hold.patient_id
    where coalesce(joined.merged_into, hold.patient_id) in (
      select patient_id from images where id = $1
      union select patient_id from analysis_jobs where image_id = $1
      union select wound.patient_id from reports report join wounds wound on wound.id = report.wound_id where report.image_id = $1)) as held`;
const LIST = `select patient_id as "patientId", organization_id as "organizationId", environment, reason, placed_by as "placedBy", placed_at as "placedAt"
  from legal_holds where organization_id = $1 order by placed_at, patient_id`;

@Injectable()
export class SqlLegalHolds extends LegalHolds {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async place(
    transaction: TenantTransaction,
    { patientId, reason, placedBy, placedAt }: Parameters<LegalHolds['place']>[1],
  ): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    const values = [patientId, organizationId, environment, reason, placedBy, placedAt];
    await statementsOf(transaction).run(PLACE, values);
  }

  async release(transaction: TenantTransaction, patientId: string): Promise<boolean> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, patientId];
    return (await statementsOf(transaction).run(`delete from legal_holds where ${OF_PATIENT}`, values)).affected > 0;
  }

  async isHeld(transaction: TenantTransaction, patientId: string): Promise<boolean> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<{ held: boolean }>(
      `select exists (select from legal_holds where ${OF_PATIENT}) as held`,
      [organizationId, environment, patientId],
    );
    return rows[0]!.held;
  }

  async holdsImage(imageId: string): Promise<boolean> {
    return (await this.statements.run<{ held: boolean }>(HOLDS_IMAGE, [imageId])).rows[0]!.held;
  }

  async list(organizationId: string): Promise<LegalHold[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    return (await this.statements.run<LegalHold>(LIST, [organizationId])).rows;
  }
}
