import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const REMOVE = `delete from logged_events where organization_id = $1 and environment = $2 and about && $3::uuid[]
  returning octet_length(data::text) as bytes`;

/** Events that name anything of the patient leave the log. */
@Injectable()
export class EventLogEraser extends PatientDataEraser {
  constructor(erasers: PatientDataErasers) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { tenant, reportIds, jobIds, requestIds, imageIds, woundIds } = patient;
    const { rows } = await statementsOf(transaction).run<{ bytes: number }>(REMOVE, [
      tenant.organizationId,
      tenant.environment,
      [...reportIds, ...jobIds, ...requestIds, ...imageIds, ...woundIds],
    ]);
    return {
      counts: [
        { what: 'events of the log', rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) },
      ],
    };
  }
}
