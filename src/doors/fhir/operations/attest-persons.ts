import { Injectable } from '@nestjs/common';
import type { HumanName, Practitioner, Reference } from '@medplum/fhirtypes';
import type { JobSubject } from '../../../core/analysis/analysis-job.js';
import type { Reviewer, Wound } from '../../../core/followup/wound.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { identifierSystem } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { targetOf } from '../interactions/reference-walk.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { refusedPart } from './attest-parameters.js';

const TEXT_LIMIT = 255;

/** The reviewer and the patient of the photo: references of `$attest` in core's terms. */
@Injectable()
export class AttestPersons {
  constructor(
    private readonly store: ResourceStore,
    private readonly patients: PatientRepository,
    private readonly wounds: WoundRepository,
  ) {}

  /** The reviewer, by identifier and display, or a stored Practitioner. `request.invalid`. */
  async reviewer(call: FhirCall, reference: Reference): Promise<Reviewer> {
    const practitioner = reference.reference === undefined ? null : await this.practitioner(call, reference.reference);
    const identifier = reference.identifier ?? practitioner?.identifier?.find(({ value }) => value !== undefined);
    const id = identifier?.value ?? practitioner?.id;
    const name = reference.display ?? nameOf(practitioner?.name);
    if (id === undefined || name === undefined)
      throw refusedPart('reviewer', 'Refer to a Practitioner with a name, or give identifier.value and display.');
    if (id.length > TEXT_LIMIT || name.length > TEXT_LIMIT)
      throw refusedPart('reviewer', `Identifier and name have at most ${TEXT_LIMIT} characters each.`);
    const system = identifier?.system;
    return { id, name, ...(system === undefined ? {} : { system }) };
  }

  /** The right Patient, or the right BodyStructure, of this tenant; or a patient by identifier. `request.invalid`. */
  async subject(call: FhirCall, reference: Reference): Promise<JobSubject> {
    const target = targetOf(reference.reference ?? '');
    if (target?.type === 'BodyStructure') return this.ofWound(call, target.id);
    if (target?.type === 'Patient') return this.ofPatient(call, target.id);
    const { identifier, type } = reference;
    if (
      reference.reference !== undefined ||
      identifier?.value === undefined ||
      (type !== undefined && type !== 'Patient')
    ) {
      throw refusedPart(
        'subject',
        'Refer to the right Patient or BodyStructure of this server, or to a patient by identifier.',
      );
    }
    return {
      patientId: identifier.value,
      ...(identifier.system === undefined ? {} : { patientSystem: identifier.system }),
    };
  }

  private async practitioner({ transaction }: FhirCall, reference: string): Promise<Practitioner | null> {
    const target = targetOf(reference);
    const found =
      target?.type === 'Practitioner'
        ? await this.store.find<Practitioner>(transaction, 'Practitioner', target.id)
        : null;
    if (target?.type === 'Practitioner' && found === null)
      throw refusedPart('reviewer', 'There is no such Practitioner.');
    return found?.resource ?? null;
  }

  private async ofPatient({ transaction }: FhirCall, patientId: string): Promise<JobSubject> {
    const patient = await this.patients.find(transaction, patientId);
    const identifier = patient?.identifiers[0];
    if (identifier === undefined) throw refusedPart('subject', 'There is no such Patient.');
    return { patientId: identifier.value, ...(identifier.system === '' ? {} : { patientSystem: identifier.system }) };
  }

  private async ofWound(call: FhirCall, woundId: string): Promise<JobSubject> {
    const wound = await this.wounds.find(call.transaction, woundId);
    if (wound?.patientId === undefined || wound.patientId === null)
      throw refusedPart('subject', 'There is no such BodyStructure.');
    const { woundId: name, woundIdSystem: system } = await this.named(call, wound);
    return {
      ...(await this.ofPatient(call, wound.patientId)),
      woundId: name,
      ...(system === '' ? {} : { woundIdSystem: system }),
    };
  }

  /** An unlinked wound had one photo only; the reviewer adds a second. */
  private async named(
    { transaction }: FhirCall,
    { id, woundId, woundIdSystem }: Wound,
  ): Promise<{ readonly woundId: string; readonly woundIdSystem: string }> {
    if (woundId !== null) return { woundId, woundIdSystem };
    const name = { woundId: id, woundIdSystem: identifierSystem('wound') };
    await this.wounds.name(transaction, id, name);
    return name;
  }
}

function nameOf(names: readonly HumanName[] | undefined): string | undefined {
  const [name] = names ?? [];
  if (name === undefined) return undefined;
  const spoken =
    name.text ??
    [...(name.prefix ?? []), ...(name.given ?? []), name.family].filter((part) => part !== undefined).join(' ');
  return spoken === '' ? undefined : spoken;
}
