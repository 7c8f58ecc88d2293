import { Injectable } from '@nestjs/common';
import type { Patient, Reference, Resource } from '@medplum/fhirtypes';
import {
  PatientDataEraser,
  PatientDataErasers,
  type ErasedData,
  type NumberWanted,
} from '../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient, PatientRecordIds, PatientWords } from '../../../core/erasure/patient-record.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import {
  PatientResources,
  type KeptResource,
  type KeptVersion,
} from '../../../standards/fhir/store/patient-resources.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { elementsOf } from '../../../standards/fhir/types/elements.js';
import { withoutWords } from './erased-references.js';

/** Everything in a resource that names a file of bytes here. */
const BINARY = /"Binary\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g;

/** What is found of a patient among the resources. */
interface Findings {
  /** Theirs, with all versions, by number. */
  readonly own: Map<string, KeptResource>;
  /** Others' that name the patient somewhere, or once did. */
  readonly others: KeptVersion[];
  /** Versions of what is another patient's now, from when it was this one's. */
  readonly past: KeptVersion[];
}

/**
 * Resources of a patient: those whose subject they are, and those without a subject that refer to such. All versions go. What is another patient's,
 * or nobody's, and names this one, such as a mother who took the photo, keeps the bare reference.
 */
@Injectable()
export class PatientResourcesEraser extends PatientDataEraser {
  constructor(
    private readonly resources: PatientResources,
    erasers: PatientDataErasers,
  ) {
    super();
    erasers.declare(this);
  }

  /** Numbers and names of every version of the Patient. */
  override async words(transaction: TenantTransaction, { patientIds }: PatientRecordIds): Promise<PatientWords> {
    const numbers: PatientWords['numbers'][number][] = [];
    const names: string[] = [];
    const words = patientIds.map((id) => `"${id}"`);
    for await (const { content } of this.resources.naming(transaction, words, 'Patient')) {
      if (content.resourceType !== 'Patient' || !patientIds.includes(content.id ?? '')) continue;
      for (const { system = '', value } of content.identifier ?? [])
        if (value !== undefined) numbers.push({ system, value });
      names.push(...namesOf(content));
    }
    return { numbers, names: [...new Set(names)] };
  }

  /** Numbers that are kept only, such as those of persons, may be several patients'. */
  override async sharedValues(
    transaction: TenantTransaction,
    values: readonly string[],
    { patientIds }: PatientRecordIds,
  ): Promise<readonly string[]> {
    if (values.length === 0) return [];
    const shared = new Set<string>();
    for await (const { content } of this.resources.naming(transaction, values.map(quoted), 'Patient')) {
      if (content.resourceType !== 'Patient' || patientIds.includes(content.id ?? '')) continue;
      for (const { value } of content.identifier ?? [])
        if (value !== undefined && values.includes(value)) shared.add(value);
    }
    return [...shared];
  }

  override async unannounced(
    transaction: TenantTransaction,
    { value, system }: NumberWanted,
  ): Promise<readonly PatientIdentifier[]> {
    const systems = new Set<string>();
    for await (const { content, isPresent } of this.resources.naming(transaction, [quoted(value)])) {
      const number = isPresent ? numberOf(content) : null;
      if (number?.value === value && (system === undefined || number.system === system)) systems.add(number.system);
    }
    return [...systems].map((one) => ({ system: one, value }));
  }

  /** A resource of a photo has the photo’s id. */
  override async photosByNumber(
    transaction: TenantTransaction,
    { words: { numbers }, sharedValues }: Omit<ErasedPatient, 'tenant'>,
  ): Promise<readonly string[]> {
    const ids = new Set<string>();
    if (numbers.length === 0) return [];
    for await (const { content, isPresent } of this.resources.naming(
      transaction,
      numbers.map(({ value }) => quoted(value)),
    )) {
      const isPhoto = content.resourceType === 'Media' || content.resourceType === 'DocumentReference';
      if (isPhoto && isPresent && isAmong(numberOf(content), numbers, sharedValues)) ids.add(content.id!);
    }
    return [...ids];
  }

  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData> {
    const { own, others, past } = await this.find(transaction, patient);
    const theirs = [...own.values()];
    const left = others.filter(({ number }) => !own.has(number));
    const attachmentIds = await this.attachmentsOf(transaction, theirs);
    const targets = new Set([
      ...theirs.map(({ type, id }) => `${type}/${id}`),
      ...patient.patientIds.map((id) => `Patient/${id}`),
    ]);
    const removed = await this.resources.remove(transaction, theirs);
    const pasts = past.filter(({ number }) => !own.has(number));
    await this.resources.removeVersions(transaction, pasts);
    const rewritten = left.flatMap((version) => {
      const content = withoutWords(version.content, targets, patient.words.numbers);
      return content === version.content ? [] : [{ ...version, content }];
    });
    await this.resources.rewrite(transaction, rewritten);
    return {
      counts: [
        { what: 'FHIR resources', rows: theirs.length, bytes: 0 },
        {
          what: 'versions of FHIR resources',
          rows: removed.rows + pasts.length,
          bytes: removed.bytes + pasts.reduce((sum, { bytes }) => sum + bytes, 0),
        },
        { what: 'references in FHIR resources of others', rows: rewritten.length, bytes: 0 },
      ],
      attachmentIds,
    };
  }

  private async find(transaction: TenantTransaction, patient: ErasedPatient): Promise<Findings> {
    const findings: Findings = { own: new Map(), others: [], past: [] };
    const isOwn = ownershipOf(patient);
    await this.own(transaction, await this.startOf(transaction, patient), findings);
    const words = [
      ...patient.patientIds.map((id) => `Patient/${id}"`),
      ...patient.words.numbers.map(({ value }) => quoted(value)),
    ];
    const versions: KeptVersion[] = [];
    for await (const version of this.resources.naming(transaction, words)) versions.push(version);
    await this.own(
      transaction,
      versions.filter((version) => version.isPresent && isOwn(version.content) === true).map(({ number }) => number),
      findings,
    );
    await this.follow(transaction, isOwn, findings);
    for (const version of versions) {
      if (!version.isPresent && isOwn(version.content) === true) findings.past.push(version);
      else findings.others.push(version);
    }
    return findings;
  }

  /** What has an id that core gave. */
  private async startOf(transaction: TenantTransaction, patient: ErasedPatient): Promise<string[]> {
    const { patientIds, imageIds, jobIds, reportIds, woundIds, requestIds } = patient;
    const targets = [
      ...patientIds.map((id) => ({ type: 'Patient', id })),
      ...imageIds.flatMap((id) => [
        { type: 'Media', id },
        { type: 'DocumentReference', id },
      ]),
      ...[...jobIds, ...requestIds].map((id) => ({ type: 'Task', id })),
      ...reportIds.map((id) => ({ type: 'DiagnosticReport', id })),
      ...woundIds.map((id) => ({ type: 'BodyStructure', id })),
    ];
    return (await this.resources.named(transaction, targets)).map(({ number }) => number);
  }

  /** Also deletes what refers to deleted resources and has no other subject: Provenance, findings without a subject. */
  private async follow(transaction: TenantTransaction, isOwn: Ownership, findings: Findings): Promise<void> {
    for (let edge = [...findings.own.values()]; edge.length > 0;) {
      const numbers = (await this.resources.referring(transaction, edge)).filter((one) => !findings.own.has(one));
      const referring = await this.resources.present(transaction, numbers);
      const owned = referring.filter(({ content }) => isOwn(content) !== false);
      findings.others.push(...referring.filter(({ content }) => isOwn(content) === false));
      edge = await this.own(
        transaction,
        owned.map(({ number }) => number),
        findings,
      );
    }
  }

  private async own(
    transaction: TenantTransaction,
    numbers: readonly string[],
    { own }: Findings,
  ): Promise<KeptResource[]> {
    const fresh = await this.resources.ofNumbers(
      transaction,
      [...new Set(numbers)].filter((one) => !own.has(one)),
    );
    for (const one of fresh) own.set(one.number, one);
    return fresh;
  }

  private async attachmentsOf(transaction: TenantTransaction, resources: readonly KeptResource[]): Promise<string[]> {
    const ids = new Set<string>();
    for (const { content } of await this.resources.present(
      transaction,
      resources.map(({ number }) => number),
    ))
      for (const [, id] of JSON.stringify(content).matchAll(BINARY)) ids.add(id!);
    return [...ids];
  }
}

/** True: the patient's; false: another patient's, or what belongs to nobody and stays; null: only what it refers to says. */
type Ownership = (resource: Resource) => boolean | null;

function ownershipOf({ patientIds, words: { numbers }, sharedValues }: ErasedPatient): Ownership {
  return (resource) => {
    if (resource.resourceType === 'Patient') return patientIds.includes(resource.id ?? '');
    const element = rowOf(resource.resourceType)?.subject ?? null;
    if (element === null) return resource.resourceType === 'Provenance' ? null : false;
    const subject = elementsOf(resource)[element] as Reference | undefined;
    if (subject?.reference !== undefined)
      return /^Patient\//.test(subject.reference) ? patientIds.includes(subject.reference.split('/')[1]!) : null;
    const number = numberOf(resource);
    return number === null ? null : isAmong(number, numbers, sharedValues);
  };
}

/** By which its subject is named, where nothing else names it. */
function numberOf(resource: Resource): PatientIdentifier | null {
  const element = rowOf(resource.resourceType)?.subject ?? null;
  if (element === null || resource.resourceType === 'Patient') return null;
  const subject = elementsOf(resource)[element] as Reference | undefined;
  const { system = '', value } = subject?.identifier ?? {};
  return value === undefined || subject?.reference !== undefined ? null : { system, value };
}

function isAmong(
  number: PatientIdentifier | null,
  numbers: readonly PatientIdentifier[],
  sharedValues: readonly string[],
): boolean {
  if (number === null || sharedValues.includes(number.value)) return false;
  return numbers.some(({ system, value }) => system === number.system && value === number.value);
}

/** As JSON has it. */
function quoted(value: string): string {
  return JSON.stringify(value);
}

function namesOf({ name = [], telecom = [] }: Patient): string[] {
  return [
    ...name.flatMap(({ family, given = [], text }) => [family, ...given, text]),
    ...telecom.map(({ value }) => value),
  ].filter((one) => one !== undefined);
}
