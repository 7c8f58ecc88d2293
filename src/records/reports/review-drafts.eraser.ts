import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const REMOVE_DRAFTS = `delete from review_drafts where organization_id = $1 and environment = $2
  and report_id = any ($3::uuid[]) returning size_bytes as bytes`;
// The number was typed without its system: it may be another patient's, and what was drawn is of a third one.
const CLEAR_NUMBERS = `update review_drafts set reassignment = null, other_patient = null where organization_id = $1 and environment = $2
  and other_patient = any ($3::text[])`;
const REMOVE_PRESENCE = `delete from review_presence where organization_id = $1 and environment = $2 and report_id = any ($3::uuid[])`;

/** What was drawn and typed about a patient at the desk, and their number where a draft would have given them somebody else's photo. */
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
    const { rows } = await statements.run<{ readonly bytes: number }>(REMOVE_DRAFTS, own);
    const { affected } = await statements.run(CLEAR_NUMBERS, [tenant.organizationId, tenant.environment, numbers]);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    return { counts: [{ what: 'drafts of reviews', rows: rows.length + affected, bytes }] };
  }
}
