import type { Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { compareIdentity, statedPersonOf, type StatedPerson } from '../../../core/patients/identity-comparison.js';
import { givenUp, identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { SUTURA } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { businessIdentifiersOf, type BusinessIdentifier } from './business-identifier.js';
import { ResourceIntake } from '../interactions/resource-intake.js';

/** The numbering that a patient gets who came without any identifier: the id of the resource itself. */
const OWN_NUMBERING = `${SUTURA}/sid/patient`;

/**
 * A Patient is the row that jobs, images and wounds point at: its id is the row's, found by any of the identifiers
 * that a patient is known by (core/patients/patient-numbers); others are kept in the resource alone. An identifier that is corrected is free for
 * another patient, and what was filed under it stays filed. Only a merge joins two rows.
 */
@Injectable()
export class PatientIntake extends ResourceIntake<Patient> {
  readonly type = 'Patient';

  constructor(
    private readonly patients: PatientRepository,
    private readonly ids: IdSource,
  ) {
    super();
  }

  override async bind({ transaction }: FhirCall, resource: Patient): Promise<string> {
    const identifiers = identifyingIn(resource);
    const newId = this.ids.next();
    if (identifiers.length === 0) {
      await this.patients.insert(transaction, [{ system: OWN_NUMBERING, value: newId }], newId);
      return newId;
    }
    const id = await this.patients.register(transaction, identifiers, newId);
    if (id === null) throw differentPatients();
    return id;
  }

  /** `identity.conflict` where the record would become another person's, with the wounds that are filed under it. */
  override async amend(
    { transaction, confirmsIdentity = false }: FhirCall,
    current: StoredResource<Patient>,
    next: Patient,
  ): Promise<Patient> {
    const { birthDate, givenName } = compareIdentity(identityOf(current.resource), identityOf(next));
    if (!confirmsIdentity && birthDate === 'conflict' && givenName === 'conflict')
      throw new SuturaError('identity.conflict');
    const gone = givenUp(current.resource.identifier ?? [], next.identifier ?? []);
    if (!(await this.patients.renumber(transaction, current.resource.id!, identifyingIn(next), gone)))
      throw differentPatients();
    return next;
  }
}

function identityOf({ name = [], birthDate }: Patient): StatedPerson {
  return statedPersonOf(name, birthDate);
}

/** The limits are those of all, so that a number that is only kept can be searched for, too. */
function identifyingIn({ identifier = [] }: Patient): BusinessIdentifier[] {
  businessIdentifiersOf(identifier, 'Patient.identifier');
  return businessIdentifiersOf(identifyingNumbers(identifier), 'Patient.identifier');
}

function differentPatients(): SuturaError {
  return new SuturaError('fhir.duplicate', {
    detail: 'The identifiers belong to different patients. Correct them; only a merge joins two patients.',
  });
}
