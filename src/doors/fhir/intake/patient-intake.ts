import type { Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { compareIdentity, statedPersonOf, type StatedPerson } from '../../../core/patients/identity-comparison.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { AuthorityRepository } from '../../../core/patients/authority.repository.js';
import { givenUp, identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { BirthDateChange } from '../../../core/wounds/birth-date-change.js';
import { SUTURA } from '../../../reports/index.js';
import { isConfirmed, type FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { businessIdentifiersOf, type BusinessIdentifier } from './business-identifier.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { PatientMerging, replacedBy, replacementIn, retired } from '../interactions/patient-merging.js';
import { ResourceIntake } from '../interactions/resource-intake.js';

const PROPOSED =
  'The Patient has one number by two systems, and nobody has said whether these are one authority: they count as two. Settle the proposal in the table of authorities.';
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
    private readonly merging: PatientMerging,
    private readonly authorities: AuthorityDirectory,
    private readonly proposing: AuthorityRepository,
    private readonly births: BirthDateChange,
  ) {
    super();
  }

  override async bind(call: FhirCall, resource: Patient): Promise<string> {
    const { transaction } = call;
    const identifiers = await this.identifyingIn(call, resource);
    const newId = this.ids.next();
    if (identifiers.length === 0) {
      await this.patients.insert(transaction, [{ system: OWN_NUMBERING, value: newId }], newId);
      return newId;
    }
    const id = await this.patients.register(transaction, identifiers, newId);
    if (id === null) throw differentPatients();
    // Photos came before the record: how old the patient was on them was not known.
    if (id !== newId && resource.birthDate !== undefined) await this.births.tell(transaction, id);
    return id;
  }

  /** A Patient that comes as one that was replaced ends at once. */
  override async admit(call: FhirCall, resource: Patient): Promise<Patient> {
    const survivorId = replacedBy(resource);
    if (survivorId === null) return resource;
    await this.requireMerge(call, resource.id!, survivorId);
    return retired(resource, survivorId);
  }

  override settle(call: FhirCall, { resource }: StoredResource<Patient>): Promise<void> {
    return this.follow(call, resource);
  }

  override async changed(
    call: FhirCall,
    before: StoredResource<Patient>,
    after: StoredResource<Patient>,
  ): Promise<void> {
    await this.follow(call, after.resource);
    if (before.resource.birthDate !== after.resource.birthDate)
      await this.births.tell(call.transaction, after.resource.id!);
  }

  /** The links that nothing follows from. */
  override async advice(call: FhirCall, { resource }: StoredResource<Patient>): Promise<readonly string[]> {
    const said = replacementIn(resource);
    return [
      ...(said !== undefined && replacedBy(resource) === null
        ? ['The record that it is replaced by is none of this server: the link is kept, and nothing was merged.']
        : []),
      ...((await this.proposes(call, resource)) ? [PROPOSED] : []),
    ];
  }

  /**
   * `identity.conflict` where the record would become another person's, with the wounds that are filed under it. A link to the Patient that replaces it
   * is a merge: see PatientMerging; it is not taken back.
   */
  override async amend(call: FhirCall, current: StoredResource<Patient>, next: Patient): Promise<Patient> {
    const { transaction } = call;
    const [before, survivorId] = [replacedBy(current.resource), replacedBy(next)];
    if (before !== null && before !== survivorId)
      throw notPossible('Patient.link', 'A merge is not taken back: the link to the record that stands stays.');
    if (survivorId !== null) {
      if (before === null) await this.requireMerge(call, next.id!, survivorId);
      return retired(next, survivorId);
    }
    const { birthDate, givenName } = compareIdentity(identityOf(current.resource), identityOf(next));
    if (!isConfirmed(call, current.resource.id!) && birthDate === 'conflict' && givenName === 'conflict')
      throw new SuturaError('identity.conflict', { record: `Patient/${current.resource.id}` });
    const authorities = await this.authorities.of(transaction.tenant);
    const gone = givenUp(current.resource.identifier ?? [], next.identifier ?? [], authorities);
    const identifiers = await this.identifyingIn(call, next);
    if (!(await this.patients.renumber(transaction, current.resource.id!, identifiers, gone)))
      throw differentPatients();
    return next;
  }

  /** Of a message they are read already. */
  private async identifyingIn(
    { transaction, door }: FhirCall,
    patient: Patient,
  ): Promise<readonly BusinessIdentifier[]> {
    const stated = identifyingIn(patient);
    return door === 'hl7v2'
      ? stated
      : (await this.authorities.of(transaction.tenant)).assigned(stated, { door: 'fhir' });
  }

  /** Whether it has one number by two systems that nobody has said to be one, or two; it is proposed then. */
  private async proposes({ transaction, door }: FhirCall, patient: Patient): Promise<boolean> {
    if (door === 'hl7v2') return false;
    const authorities = await this.authorities.of(transaction.tenant);
    const pairs = authorities
      .together(identifyingIn(patient))
      .filter(([one, other]) => authorities.standing(one.system, other.system) !== 'different');
    for (const [one, other] of pairs) {
      if (authorities.standing(one.system, other.system) !== 'unknown') continue;
      const pair = { one: one.system, other: other.system, why: 'together' } as const;
      await this.proposing.propose(transaction, this.ids.next(), pair);
      await this.proposing.tell(transaction, transaction.tenant.organizationId);
    }
    return pairs.length > 0;
  }

  private requireMerge(call: FhirCall, priorId: string, survivorId: string): Promise<void> {
    return this.merging.require(call, { priorId, survivorId }, 'Patient.link');
  }

  private async follow(call: FhirCall, { id, ...patient }: Patient): Promise<void> {
    const survivorId = replacedBy(patient);
    if (survivorId !== null) await this.merging.merge(call, { priorId: id!, survivorId });
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
