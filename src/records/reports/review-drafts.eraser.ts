import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const REMOVE_DRAFTS = `delete from review_drafts where organization_id = $1 and environment = $2
  and (report_id = any ($3::uuid[]) or other_patient = any ($4::text[])) returning size_bytes as bytes`;
const REMOVE_PRESENCE = `delete from review_presence where organization_id = $1 and environment = $2 and report_id = any ($3::uuid[])`;

/** What was drawn and typed about a patient at the desk, also such as would have given them somebody else's photo. */
@Injectable()
export class ReviewDraftsEraser extends PatientDataEraser {
  constructor(erasers: PatientDataErasers) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { tenant, reportIds, words } = patient;
    const own = [tenant.organizationId, tenant.environment, [...reportIds]];
    const numbers = words.numbers.map(({ value }) => value);
    const statements = statementsOf(transaction);
    await statements.run(REMOVE_PRESENCE, own);
    const { rows } = await statements.run<{ readonly bytes: number }>(REMOVE_DRAFTS, [...own, numbers]);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    return { counts: [{ what: 'drafts of reviews', rows: rows.length, bytes }] };
  }
}
