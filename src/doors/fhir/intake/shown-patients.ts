import type { Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { KnownPatients } from '../interactions/known-patients.js';
import { SubjectProjection } from '../projection/subject-projection.js';

/** Core's patients, shown as Patients where something is to be filed under them. */
@Injectable()
export class ShownPatients extends KnownPatients {
  constructor(
    private readonly patients: PatientRepository,
    private readonly store: ResourceStore,
    private readonly subjects: SubjectProjection,
    private readonly authorities: AuthorityDirectory,
  ) {
    super();
  }

  async withAny(transaction: TenantTransaction, identifiers: readonly PatientIdentifier[]): Promise<readonly string[]> {
    const numbers = (await this.authorities.of(transaction.tenant)).assigned(identifiers, { door: 'fhir' });
    const carriers = await this.patients.carriers(transaction, numbers);
    const known = carriers.some((id) => id !== null) ? carriers : await this.patients.claim(transaction, numbers);
    return [...new Set(known.filter((id) => id !== null))];
  }

  async find(transaction: TenantTransaction, patientId: string): Promise<Patient | null> {
    return (await this.store.find<Patient>(transaction, 'Patient', patientId))?.resource ?? null;
  }

  async show(transaction: TenantTransaction, patientIds: readonly string[]): Promise<readonly string[]> {
    const unknown: string[] = [];
    for (const id of new Set(patientIds)) {
      // A Patient that its client deleted is none, though core keeps the person.
      const isGone =
        (await this.patients.find(transaction, id)) === null ||
        (await this.store.findDeleted(transaction, 'Patient', id)) !== null;
      if (isGone) unknown.push(id);
      else await this.subjects.ensurePatient(transaction, id);
    }
    return unknown;
  }
}
