import type { Patient as PatientResource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Patient } from '../../../core/patients/patient.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { hasScope } from '../../../core/tenancy/api-key.js';
import { notFound, notPossible, refuseMerged } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { PatientMerging, type WantedMerge } from '../interactions/patient-merging.js';
import { PatientJoining, type JoinIdentifier } from './patient-joining.js';

/** Merges of Patients that a client asks for by their ids. */
@Injectable()
export class JoinedPatients extends PatientMerging {
  constructor(
    private readonly joining: PatientJoining,
    private readonly patients: PatientRepository,
    private readonly store: ResourceStore,
  ) {
    super();
  }

  async require(call: FhirCall, { priorId, survivorId }: WantedMerge, place: string): Promise<void> {
    if (!hasScope(call.caller, 'analysis:review'))
      throw new SuturaError('auth.scope', { detail: 'Patients are merged with a key that has analysis:review.' });
    if (priorId === survivorId) throw notPossible(place, 'A record is not joined into itself.');
    const survivor = await this.row(call, survivorId, place);
    refuseMerged(survivor, place);
    const prior = await this.patients.find(call.transaction, priorId);
    if (prior !== null && prior.mergedInto !== survivorId) refuseMerged(prior, 'Patient');
    const standing = await this.store.find<PatientResource>(call.transaction, 'Patient', survivorId);
    if (standing === null && call.together?.has(`Patient/${survivorId}`) === true)
      throw notPossible(place, 'The record that stays is made in the same transaction. Merge in a request after it.');
  }

  async merge(call: FhirCall, { priorId, survivorId }: WantedMerge): Promise<readonly string[]> {
    const [prior, survivor] = [await this.row(call, priorId, 'Patient'), await this.row(call, survivorId, 'Patient')];
    if (prior.mergedInto === survivorId) return [];
    const begun = await this.joining.begin(call, [
      { survivor: numbersOf(survivor), prior: numbersOf(prior), demographics: {} },
    ]);
    return this.joining.finish(call, begun);
  }

  private async row({ transaction }: FhirCall, id: string, place: string): Promise<Patient> {
    const patient = await this.patients.find(transaction, id);
    if (patient === null) throw notFound(place, 'There is no such Patient.');
    return patient;
  }
}

function numbersOf({ identifiers }: Patient): JoinIdentifier[] {
  return identifiers.map(({ system, value }) => ({ system, value }));
}
