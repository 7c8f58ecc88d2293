import { SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { PatientRecords } from './patient-records.js';

/** A patient as an operator names them. */
export interface WantedPatient {
  readonly tenant: Tenant;
  /** A number that they are known by, or their id here. */
  readonly patient: string;
  /** The numbering, where several patients have the number; '' stands for the organization's own. */
  readonly system?: string | undefined;
}

/** Finds the one patient that is meant. */
export class PatientFinder {
  constructor(private readonly patients: PatientRecords) {}

  /** The id of the row that stands. `patient.not_found`, also for one of another tenant; `patient.ambiguous`. */
  async find(transaction: TenantTransaction, { patient, system }: WantedPatient): Promise<string> {
    const carriers = await this.patients.carriers(transaction, { value: patient, system });
    if (carriers.length > 1) throw new SuturaError('patient.ambiguous');
    const id = carriers[0] ?? (system === undefined ? await this.patients.standing(transaction, patient) : null);
    if (id === null) throw new SuturaError('patient.not_found');
    return id;
  }
}
