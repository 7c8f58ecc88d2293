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
  /** `patient` is the id and nothing else, whoever may have the same text as a number. */
  readonly isId?: boolean;
}

/** Finds the one patient that is meant. */
export class PatientFinder {
  constructor(private readonly patients: PatientRecords) {}

  /** The id of the row that stands. `patient.not_found`, also for one of another tenant; `patient.ambiguous`, also where one's number is another's id. */
  async find(transaction: TenantTransaction, { patient, system, isId = false }: WantedPatient): Promise<string> {
    const carriers = isId ? [] : await this.patients.carriers(transaction, { value: patient, system });
    const standing = system === undefined ? await this.patients.standing(transaction, patient) : null;
    const meant = [...new Set(standing === null ? carriers : [...carriers, standing])];
    if (meant.length > 1) throw new SuturaError('patient.ambiguous');
    if (meant[0] === undefined) throw new SuturaError('patient.not_found');
    return meant[0];
  }
}
