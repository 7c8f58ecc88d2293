import type { Patient, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { compareIdentity, isIdentityConflict, statedPersonOf } from '../../../core/patients/identity-comparison.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { KnownPatients } from './known-patients.js';
import { statedSubject, withSubject } from './stated-subject.js';

/** Limit of the native API. */
const MAX_IDENTIFIER = 255;

/** Finds the patient of a resource by the numbers that its sender states in place of a Patient of this server. */
@Injectable()
export class SubjectResolution {
  constructor(private readonly patients: KnownPatients) {}

  /**
   * The resource with its patient named by reference, once they are known; the numbers stay beside it. As it is where nobody has them yet.
   * `fhir.business_rule` where they are several patients', `identity.conflict` where the Patient within it is another person than the one who has the number.
   */
  async resolved<T extends Resource>(transaction: TenantTransaction, resource: T): Promise<T> {
    const stated = statedSubject(resource);
    if (stated === null || stated.identifiers.length === 0) return resource;
    const place = `${resource.resourceType}.${stated.element}`;
    if (stated.identifiers.some(({ system, value }) => Math.max(system.length, value.length) > MAX_IDENTIFIER))
      throw notPossible(place, `System and value have at most ${MAX_IDENTIFIER} characters each.`);
    const [id, another] = await this.patients.withAny(transaction, stated.identifiers);
    if (id === undefined) return resource;
    if (another !== undefined) throw notPossible(place, 'The identifiers belong to different patients.');
    if (stated.contained !== null) await this.refuseOther(transaction, id, stated.contained);
    return withSubject(resource, id);
  }

  private async refuseOther(transaction: TenantTransaction, id: string, said: Patient): Promise<void> {
    const known = await this.patients.find(transaction, id);
    if (known !== null && isIdentityConflict(compareIdentity(personIn(known), personIn(said))))
      throw new SuturaError('identity.conflict');
  }
}

function personIn({ name = [], birthDate }: Patient): ReturnType<typeof statedPersonOf> {
  return statedPersonOf(name, birthDate);
}
