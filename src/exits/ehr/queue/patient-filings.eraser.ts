import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';

/** What waits goes, too. What an EHR has filed is its own record. */
const REMOVE = `delete from ehr_deliveries where organization_id = $1 and environment = $2 and (report_id = any($3::uuid[]) or lane = any($4::text[]))
  returning size_bytes as bytes`;

/** The ledger of a patient's results in EHRs: ids alone, those that the EHR gave among them. */
@Injectable()
export class PatientFilingsEraser extends PatientDataEraser {
  constructor(erasers: PatientDataErasers) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, { tenant, reportIds, patientIds }: ErasedPatient): Promise<ErasedData> {
    const values = [tenant.organizationId, tenant.environment, reportIds, patientIds];
    const { rows } = await statementsOf(transaction).run<{ bytes: number }>(REMOVE, values);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    return { counts: [{ what: 'results for EHRs', rows: rows.length, bytes }] };
  }
}
