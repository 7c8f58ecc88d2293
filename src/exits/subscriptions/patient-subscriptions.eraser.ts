import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../core/erasure/patient-record.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** $3: reports, jobs and requests, which reports and tasks have as their ids. Attempts go with their delivery. */
const REMOVE = `with gone as (select id, octet_length(body) as bytes from fhir_subscription_deliveries
    where organization_id = $1 and environment = $2 and type = 'event-notification'
      and (subject_id = any($3::uuid[]) or report_id = any($3::uuid[]))),
  unlinked as (update fhir_subscription_deliveries set moved_to = null where moved_to in (select id from gone) and id not in (select id from gone))
  delete from fhir_subscription_deliveries held using gone where held.id = gone.id returning gone.bytes`;
/** A filter by this patient alone matches nothing from then on. The id is in the criteria, too. */
const UNNAME = `update fhir_subscriptions set version = version + 1, updated_at = sutura_now(),
    asked = replace(asked::text, $3, 'erased')::jsonb, filters = replace(filters::text, $3, 'erased')::jsonb
  where organization_id = $1 and environment = $2 and (strpos(filters::text, $3) > 0 or strpos(asked::text, $3) > 0)`;

/** Notifications about a patient that were sent or wait, and filters of Subscriptions that name the patient. */
@Injectable()
export class PatientSubscriptionsEraser extends PatientDataEraser {
  constructor(erasers: PatientDataErasers) {
    super();
    erasers.declare(this);
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { tenant, reportIds, jobIds, requestIds, patientIds } = patient;
    const of = [tenant.organizationId, tenant.environment];
    const statements = statementsOf(transaction);
    const subjects = [...reportIds, ...jobIds, ...requestIds];
    const { rows } = await statements.run<{ bytes: number }>(REMOVE, [...of, subjects]);
    let filters = 0;
    for (const id of patientIds) filters += (await statements.run(UNNAME, [...of, id])).affected;
    return {
      counts: [
        {
          what: 'FHIR Subscription notifications',
          rows: rows.length,
          bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
        },
        { what: 'FHIR Subscription filters', rows: filters, bytes: 0 },
      ],
    };
  }
}
