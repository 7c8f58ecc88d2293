import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';

/** $3: reports, $4: everything that an event may be about. Attempts go with their delivery. */
const REMOVE = `with gone as (
    select id, octet_length(body) as bytes from webhook_deliveries where organization_id = $1 and environment = $2 and (report_id = any($3::uuid[])
      or exists (select from json_each_text(convert_from(body, 'UTF8')::json -> 'data') as said (name, value) where said.value = any($4::text[])))),
  unlinked as (update webhook_deliveries set moved_to = null where moved_to in (select id from gone) and id not in (select id from gone))
  delete from webhook_deliveries held using gone where held.id = gone.id returning gone.bytes`;

/** Events of a patient that were sent to webhooks or wait, with the beginning of what their receivers answered. */
@Injectable()
export class PatientDeliveriesEraser extends PatientDataEraser {
  constructor(erasers: PatientDataErasers) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { tenant, reportIds, jobIds, requestIds, imageIds, woundIds } = patient;
    const subjects = [...reportIds, ...jobIds, ...requestIds, ...imageIds, ...woundIds];
    const { rows } = await statementsOf(transaction).run<{ bytes: number }>(REMOVE, [
      tenant.organizationId,
      tenant.environment,
      reportIds,
      subjects,
    ]);
    return {
      counts: [
        { what: 'webhook deliveries', rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) },
      ],
    };
  }
}
