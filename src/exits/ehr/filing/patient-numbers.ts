import { Injectable } from '@nestjs/common';
import { EhrPatients } from '../../../core/ehrs/ehr-patients.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { BirthDates } from '../../../core/patients/birth-dates.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { numberFor } from './patient-number.js';
import type { AskedPeople } from './people-finder.js';

/** By what the EHR is asked for a patient. `patientNumber` null: nobody is named, or the EHR does not know them by any number of theirs. */
export type AskedPatient = Pick<AskedPeople, 'patientNumber' | 'birthDate'>;

/** The numbers by which EHRs know the patients of wounds. */
@Injectable()
export class PatientNumbers {
  constructor(
    private readonly wounds: WoundRepository,
    private readonly patients: PatientRepository,
    private readonly authorities: AuthorityDirectory,
    private readonly ehrPatients: EhrPatients,
    private readonly birthDates: BirthDates,
  ) {}

  /** Of the wound's patient as they stand now. */
  async ofWound(transaction: TenantTransaction, ehr: PushingEhr, woundId: string): Promise<AskedPatient> {
    const wound = await this.wounds.find(transaction, woundId);
    const patientId = wound?.patientId ?? null;
    const patient = patientId === null ? null : await this.patients.find(transaction, patientId);
    if (patient === null) return { patientNumber: null, birthDate: null };
    const table = await this.authorities.of(ehr);
    const takesBare = await this.ehrPatients.isOfBareNumbers(ehr, table);
    return {
      patientNumber: numberFor(patient.identifiers, ehr.patientSystem, { table, takesBare }),
      birthDate: await this.birthDates.of(transaction, patient.id),
    };
  }
}
