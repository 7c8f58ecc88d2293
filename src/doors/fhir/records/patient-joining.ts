import { Injectable } from '@nestjs/common';
import type { Identifier, Patient } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Patient as PatientRow } from '../../../core/patients/patient.js';
import { knownBirthDate } from '../../../core/patients/identity-comparison.js';
import { PatientMergeService } from '../../../core/wounds/patient-merge.service.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ServiceResources } from '../projection/service-resources.js';
import { SubjectProjection } from '../projection/subject-projection.js';
import { toPatient } from '../projection/minimal-resources.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { isSameContent } from '../../../standards/fhir/types/same-content.js';
import { retired } from '../interactions/patient-merging.js';
import { MergedPatientResources } from './merged-patient-resources.js';

/** A number with what its sender says of it: its type and who assigns it. */
export type JoinIdentifier = Identifier & { readonly system: string; readonly value: string };

/** Two records of one person, by their identifiers; the main number first. */
export interface RequestedJoin {
  readonly survivor: readonly JoinIdentifier[];
  readonly prior: readonly JoinIdentifier[];
  /** What the record that stays gets where it lacks it: of the sender, and of the record that ends. */
  readonly demographics: Partial<Patient>;
}

/** A join that was begun. */
interface BegunJoin {
  readonly priorId: string;
  /** The survivor as it was known before. */
  readonly survivor: PatientRow;
  /** The survivor's numbers as the sender stated them. */
  readonly stated: readonly JoinIdentifier[];
  readonly demographics: Partial<Patient>;
  /** Of the record that ended; undefined: it had none. */
  readonly birthDate: string | undefined;
  /** `Type/id` of resources whose subject is now the survivor. */
  readonly moved: readonly string[];
}

/** Joins records of patients in core and shows it in their resources, all in the caller's transaction. */
@Injectable()
export class PatientJoining {
  constructor(
    private readonly merging: PatientMergeService,
    private readonly patients: PatientRepository,
    private readonly subjects: SubjectProjection,
    private readonly resources: ServiceResources,
    private readonly store: ResourceStore,
    private readonly moving: MergedPatientResources,
  ) {}

  /** Runs before the rest of the transaction: from here on both sides' identifiers mean the survivor, whom a later entry may describe. `fhir.duplicate`. */
  async begin(call: FhirCall, joins: readonly RequestedJoin[]): Promise<BegunJoin[]> {
    const begun: BegunJoin[] = [];
    for (const join of joins) begun.push(...(await this.beginOne(call, join)));
    return begun;
  }

  /** Runs after the rest. `Type/id` of everything that has a new version. */
  async finish(call: FhirCall, begun: readonly BegunJoin[]): Promise<string[]> {
    const written: string[] = [];
    for (const join of begun) {
      await this.linkSurvivor(call, join);
      const targets = [`Patient/${join.survivor.id}`, `Patient/${join.priorId}`, ...join.moved];
      await this.moving.record(call, join.priorId, targets);
      written.push(...targets);
    }
    return [...new Set(written)];
  }

  private async beginOne(call: FhirCall, join: RequestedJoin): Promise<BegunJoin[]> {
    const { transaction } = call;
    const rows = await this.merging.resolve(transaction, join);
    if (rows === null)
      throw new SuturaError('fhir.duplicate', {
        detail: 'The identifiers of the record that stays belong to different patients. Join those first.',
      });
    const { survivorId, priorIds } = rows;
    for (const id of [survivorId, ...priorIds].sort()) await this.resources.lockPatient(transaction, id);
    const survivor = await this.patients.find(transaction, survivorId);
    if (survivor === null) throw new Error('A patient without a row.');
    // While they still carry their identifiers.
    for (const id of priorIds) await this.subjects.ensurePatient(transaction, id, join.prior);
    await this.merging.join(transaction, rows);
    const begun: BegunJoin[] = [];
    for (const priorId of priorIds) {
      begun.push({
        priorId,
        survivor,
        birthDate: await this.retire(call, priorId, survivorId),
        stated: join.survivor,
        demographics: join.demographics,
        moved: await this.moving.move(call, priorId, survivorId),
      });
    }
    return begun;
  }

  /** The birth date of the record that ends. */
  private async retire(
    { transaction, caller }: FhirCall,
    priorId: string,
    survivorId: string,
  ): Promise<string | undefined> {
    const current = await this.store.findForUpdate<Patient>(transaction, 'Patient', priorId);
    if (current === null) throw new Error('A patient without a resource.');
    const next = retired(current.resource, survivorId);
    // Its sender said so itself.
    if (!isSameContent(current.resource, next))
      await this.store.replace<Patient>(transaction, current, next, { kind: 'client', keyId: caller.keyId });
    return next.birthDate;
  }

  /** Where the record that stays does not say when the patient was born, the one that ended does: a child's photos stay a child's. */
  private async linkSurvivor(
    { transaction, caller }: FhirCall,
    { survivor, stated, demographics, priorId, birthDate }: BegunJoin,
  ): Promise<void> {
    await this.subjects.ensureOrganization(transaction);
    await this.resources.ensure<Patient>(transaction, 'Patient', survivor.id, () => toPatient(survivor, stated));
    const current = await this.store.findForUpdate<Patient>(transaction, 'Patient', survivor.id);
    if (current === null) throw new Error('A patient without a resource.');
    const reference = `Patient/${priorId}`;
    const link = current.resource.link ?? [];
    if (link.some(({ type, other }) => type === 'replaces' && other.reference === reference)) return;
    const described = { ...demographics, ...current.resource };
    const isBorn = knownBirthDate(described.birthDate) !== null || knownBirthDate(birthDate) === null;
    const next: Patient = {
      ...described,
      ...(isBorn ? {} : { birthDate }),
      link: [...link, { other: { reference }, type: 'replaces' }],
    };
    await this.store.replace<Patient>(transaction, current, next, { kind: 'client', keyId: caller.keyId });
  }
}
