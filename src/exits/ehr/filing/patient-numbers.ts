import { Injectable } from '@nestjs/common';
import { EhrPatients } from '../../../core/ehrs/ehr-patients.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { numberFor } from './patient-number.js';

/** The numbers by which EHRs know the patients of wounds. */
@Injectable()
export class PatientNumbers {
  constructor(
    private readonly wounds: WoundRepository,
    private readonly patients: PatientRepository,
    private readonly authorities: AuthorityDirectory,
    private readonly ehrPatients: EhrPatients,
  ) {}

  /** Of the wound's patient as they stand now. null: nobody is named, or the EHR does not know them by any number of theirs. */
  async ofWound(transaction: TenantTransaction, ehr: PushingEhr, woundId: string): Promise<string | null> {
    const wound = await this.wounds.find(transaction, woundId);
    const patientId = wound?.patientId ?? null;
    const patient = patientId === null ? null : await this.patients.find(transaction, patientId);
    if (patient === null) return null;
    const table = await this.authorities.of(ehr);
    const takesBare = await this.ehrPatients.isOfBareNumbers(ehr, table);
    return numberFor(patient.identifiers, ehr.patientSystem, { table, takesBare });
  }
}
