import { Injectable } from '@nestjs/common';
import { PatientDataEraser, PatientDataErasers, type ErasedData } from '../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../core/erasure/patient-record.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const OF_PATIENT = `organization_id = $1 and environment = $2 and came -> 'patientIds' ?| $3::text[]`;
const WAITS = `select exists (select from held_items where ${OF_PATIENT} and settled_at is null) as waits`;
const REMOVE = `delete from held_items where ${OF_PATIENT} returning id`;

/** What was decided about a patient goes with them; while anything waits under their numbers it may be of somebody else, who is not erased. */
@Injectable()
export class HeldItemsEraser extends PatientDataEraser {
  constructor(erasers: PatientDataErasers) {
    super();
    erasers.declare(this);
  }

  override async refuseInUse(transaction: TenantTransaction, patient: ErasedPatient): Promise<void> {
    const { rows } = await statementsOf(transaction).run<{ waits: boolean }>(WAITS, valuesOf(patient));
    if (rows[0]!.waits)
      throw new SuturaError('patient.in_use', {
        detail:
          'Something under a number of the patient waits for a person, and may be of somebody else. Decide about it first: the list of what is held has it.',
      });
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { rows } = await statementsOf(transaction).run(REMOVE, valuesOf(patient));
    return { counts: [{ what: 'decisions about what was held', rows: rows.length, bytes: 0 }] };
  }
}

function valuesOf({ tenant: { organizationId, environment }, patientIds }: ErasedPatient): unknown[] {
  return [organizationId, environment, [...patientIds]];
}
