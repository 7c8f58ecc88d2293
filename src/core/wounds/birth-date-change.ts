import type { Outbox } from '../domain-events/outbox.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

export interface BirthDateChangePorts {
  readonly wounds: Pick<WoundRepository, 'ofPatient'>;
  readonly patients: Pick<PatientRepository, 'holdFilings'>;
  readonly outbox: Outbox;
}

/** Has the wounds of a patient compared anew whose birth date has come, or was corrected: what is said of them depends on the age. */
export class BirthDateChange {
  constructor(private readonly ports: BirthDateChangePorts) {}

  /** Each in a transaction of its own, later. A first photo that is filed at the same moment is either told of, or reads the new date. */
  async tell(transaction: TenantTransaction, patientId: string): Promise<void> {
    await this.ports.patients.holdFilings(transaction, patientId);
    const wounds = await this.ports.wounds.ofPatient(transaction, patientId);
    for (const { id } of wounds.filter(({ mergedInto }) => mergedInto === null))
      await this.ports.outbox.append(transaction, { kind: 'wound.related', subjectId: id });
  }
}
