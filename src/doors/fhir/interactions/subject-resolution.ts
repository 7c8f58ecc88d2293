import type { Patient, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { compareIdentity, isIdentityConflict, statedPersonOf } from '../../../core/patients/identity-comparison.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { isConfirmed, type FhirCall } from '../call/fhir-call.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { KnownPatients } from './known-patients.js';
import { replacedBy } from './patient-merging.js';
import { patientOf, statedSubject, subjectElement, subjectOf, withSubject } from './stated-subject.js';

/** Limit of the native API. */
const MAX_IDENTIFIER = 255;

/** Finds the patient of a resource by the numbers that its sender states in place of a Patient of this server. */
@Injectable()
export class SubjectResolution {
  constructor(private readonly patients: KnownPatients) {}

  /**
   * The resource with its patient named by reference, once they are known; the numbers stay beside it. As it is where nobody has them yet.
   * `fhir.business_rule` where they are several patients', `identity.conflict` where the Patient within it is another person than the one who has the number,
   * unless a person confirmed that they are one (`confirmsIdentity`).
   */
  async resolved<T extends Resource>(
    transaction: TenantTransaction,
    resource: T,
    confirmsIdentity: FhirCall['confirmsIdentity'] = false,
  ): Promise<T> {
    const stated = statedSubject(resource);
    if (stated === null) await this.refuseContradiction(transaction, resource);
    if (stated === null || stated.identifiers.length === 0) return resource;
    const place = `${resource.resourceType}.${stated.element}`;
    if (stated.identifiers.some(({ system, value }) => Math.max(system.length, value.length) > MAX_IDENTIFIER))
      throw notPossible(place, `System and value have at most ${MAX_IDENTIFIER} characters each.`);
    const [id, another] = await this.patients.withAny(transaction, stated.identifiers);
    if (id === undefined) return resource;
    if (another !== undefined) throw notPossible(place, 'The identifiers belong to different patients.');
    if (stated.contained !== null && !isConfirmed({ confirmsIdentity }, id))
      await this.refuseOther(transaction, id, stated.contained);
    return withSubject(resource, id);
  }

  /** A Patient of this server beside the number of another one. */
  private async refuseContradiction(transaction: TenantTransaction, resource: Resource): Promise<void> {
    const [patientId, { system = '', value = '' } = {}] = [patientOf(resource), subjectOf(resource)?.identifier];
    if (patientId === null || value === '') return;
    const [carrier] = await this.patients.withAny(transaction, [{ system, value }]);
    if (carrier === undefined || carrier === patientId) return;
    const named = await this.patients.find(transaction, patientId);
    // The record that was referred to was joined into the one that has the number now.
    if (named !== null && replacedBy(named) === carrier) return;
    throw notPossible(
      `${resource.resourceType}.${subjectElement(resource.resourceType)}.identifier`,
      'The number is another patient’s than the one that the reference names.',
    );
  }

  private async refuseOther(transaction: TenantTransaction, id: string, said: Patient): Promise<void> {
    const known = await this.patients.find(transaction, id);
    if (known !== null && isIdentityConflict(compareIdentity(personIn(known), personIn(said))))
      throw new SuturaError('identity.conflict', { record: `Patient/${id}` });
  }
}

function personIn({ name = [], birthDate }: Patient): ReturnType<typeof statedPersonOf> {
  return statedPersonOf(name, birthDate);
}
