import { Injectable } from '@nestjs/common';
import type { BodyStructure } from '@medplum/fhirtypes';
import type { Wound } from '../../../core/followup/wound.js';
import type { Patient } from '../../../core/patients/patient.js';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { isSameJson } from '../../../core/report/same-content.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import { identifierSystem } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { businessIdentifiersOf, type BusinessIdentifier } from './business-identifier.js';
import { idOf } from './local-reference.js';
import { notFound, notPossible, refuseMerged } from '../../../standards/fhir/outcome/outcome-error.js';
import { describedBy } from './wound-terms.js';

/** Core's wounds behind BodyStructures: one for each physical wound, by its patient and number. */
@Injectable()
export class WoundRecords {
  constructor(
    private readonly wounds: WoundRepository,
    private readonly patients: PatientRepository,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** The wound of the resource, made where there is none. One without any number is known by its own id. */
  async resolve(call: FhirCall, resource: BodyStructure): Promise<Wound> {
    const { transaction } = call;
    const patient = await this.patientOf(call, resource);
    const numbers = businessIdentifiersOf(resource.identifier, 'BodyStructure.identifier');
    const known = await this.known(call, patient.id, numbers);
    if (known !== null) return known;
    const fresh = this.newWound(call, resource, patient, numbers[0]);
    if (numbers.length === 0) {
      await this.wounds.insert(transaction, fresh);
      return fresh;
    }
    return this.wounds.resolve(
      transaction,
      { patientId: patient.id, woundIdSystem: fresh.woundIdSystem, woundId: fresh.woundId! },
      fresh,
    );
  }

  /** Keeps the facts that the resource states about the wound. */
  async describe({ transaction }: FhirCall, resource: BodyStructure): Promise<void> {
    const stated = describedBy(resource);
    const wound = await this.wounds.find(transaction, resource.id!);
    if (wound === null) return;
    const { bodySite, laterality, woundType } = wound;
    const described = {
      bodySite: stated.bodySite ?? bodySite,
      laterality: stated.laterality ?? laterality,
      woundType: stated.woundType ?? woundType,
    };
    if (isSameJson(described, { bodySite, laterality, woundType })) return;
    // The series' lock comes before any change of its wounds.
    await this.wounds.lockRoot(transaction, wound.id);
    await this.wounds.update(transaction, wound.id, stated);
  }

  /** The wound with a name that a job can give for it. null: there is no such wound. */
  async nameable({ transaction }: FhirCall, woundId: string): Promise<Wound | null> {
    const wound = await this.wounds.find(transaction, woundId);
    if (wound === null || wound.woundId !== null) return wound;
    // An unlinked wound had one photo only; the client's reference adds a second.
    const name = ownName(wound.id);
    await this.wounds.name(transaction, wound.id, { woundIdSystem: name.system, woundId: name.value });
    return { ...wound, woundIdSystem: name.system, woundId: name.value };
  }

  private async known(
    { transaction }: FhirCall,
    patientId: string,
    numbers: readonly BusinessIdentifier[],
  ): Promise<Wound | null> {
    const found = new Map<string, Wound>();
    for (const { system, value } of numbers) {
      const wound = await this.wounds.findByKey(transaction, {
        patientId,
        woundIdSystem: system,
        woundId: value,
      });
      if (wound !== null) found.set(wound.id, wound);
    }
    if (found.size > 1)
      throw notPossible('BodyStructure.identifier', 'The numbers belong to different wounds of the patient.');
    return [...found.values()][0] ?? null;
  }

  private async patientOf({ transaction }: FhirCall, { patient }: BodyStructure): Promise<Patient> {
    const id = idOf(patient, 'Patient');
    if (id === null)
      throw notPossible(
        'BodyStructure.patient',
        'Name the patient by a reference to a Patient of this server, or of the same transaction.',
      );
    const found = await this.patients.find(transaction, id);
    if (found === null) throw notFound('BodyStructure.patient', 'There is no such Patient.');
    refuseMerged(found, 'BodyStructure.patient');
    return found;
  }

  private newWound(
    { caller }: FhirCall,
    resource: BodyStructure,
    patient: Patient,
    number: BusinessIdentifier | undefined,
  ): Wound {
    const id = this.ids.next();
    const name = number ?? ownName(id);
    return {
      ...tenantOf(caller),
      ...describedBy(resource),
      id,
      patientId: patient.id,
      patient: patient.identifiers[0] ?? null,
      woundIdSystem: name.system,
      woundId: name.value,
      status: 'open',
      closedAt: null,
      mergedInto: null,
      createdAt: this.clock.now(),
    };
  }
}

function ownName(id: string): BusinessIdentifier {
  return { system: identifierSystem('wound'), value: id };
}
