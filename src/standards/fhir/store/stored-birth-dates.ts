import { Injectable } from '@nestjs/common';
import { BirthDates } from '../../../core/patients/birth-dates.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';

/** `offset 0` keeps it a look-up by the primary key, as in sql-resource.store.ts. */
const BIRTH_DATE = `select v.content ->> 'birthDate' as "birthDate" from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
  where r.organization_id = $1 and r.environment = $2 and r.type = 'Patient' and r.id = $3 and not r.is_deleted offset 0`;

/** From the Patient as it stands, which HL7 v2 messages keep, too. */
@Injectable()
export class StoredBirthDates extends BirthDates {
  async of(transaction: TenantTransaction, patientId: string): Promise<string | null> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).runPrepared<{ readonly birthDate: string | null }>(BIRTH_DATE, [
      organizationId,
      environment,
      patientId,
    ]);
    return rows[0]?.birthDate ?? null;
  }
}
