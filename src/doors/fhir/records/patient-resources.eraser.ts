import { Injectable } from '@nestjs/common';
import type { Patient, Reference, Resource } from '@medplum/fhirtypes';
import {
  PatientDataEraser,
  PatientDataErasers,
  type ErasedData,
  type Numberings,
  type UnannouncedData,
  type UnannouncedNumber,
} from '../../../core/erasure/patient-data-eraser.js';
import type { ErasedPatient, PatientRecordIds, PatientWords } from '../../../core/erasure/patient-record.js';
import { IN_DOUBT } from '../../../core/erasure/patient-removal.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { formKey } from '../../../core/patients/authority-forms.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import {
  PatientResources,
  type KeptResource,
  type KeptVersion,
} from '../../../standards/fhir/store/patient-resources.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { elementsOf } from '../../../standards/fhir/types/elements.js';
import { statedSubject } from '../interactions/stated-subject.js';
import { withoutWords } from './erased-references.js';

/** Everything in a resource that names a file of bytes here. */
const BINARY = /"Binary\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g;

const PHOTOS: readonly string[] = ['Media', 'DocumentReference'];
const WAITS =
  'A photo under a number of the patient waits for a person. Decide about it first: the list of what is held has it.';

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

  override async numberings(transaction: TenantTransaction, value: string): Promise<Numberings> {
    const [stated, known] = [new Set<string>(), new Set<string>()];
    for await (const { content, isPresent } of this.resources.naming(transaction, [quoted(value)])) {
      if (content.resourceType === 'Patient') {
        for (const one of content.identifier ?? []) if (one.value === value) known.add(one.system ?? '');
      } else if (isPresent)
        for (const number of numbersOf(content)) if (number.value === value) stated.add(number.system);
    }
    return { stated: [...stated], known: [...known], isUnread: false };
  }

  /** Photos alone, which nobody waits for. What names another patient now, or is more than a photo, is in doubt. */
  override async unannounced(
    transaction: TenantTransaction,
    { value, systems }: UnannouncedNumber,
  ): Promise<UnannouncedData> {
    const [present, past] = [new Map<string, Resource>(), new Set<string>()];
    const otherValues = new Set<string>();
    for await (const { number, content, isPresent } of this.resources.naming(transaction, [quoted(value)])) {
      const numbers = numbersOf(content);
      if (!numbers.some((one) => one.value === value && systems.includes(one.system))) continue;
      if (isPresent) present.set(number, content);
      else past.add(number);
      for (const one of numbers) if (one.value !== value) otherValues.add(one.value);
    }
    const theirs = [...present.values()];
    const isDoubtful = theirs.some(({ resourceType }) => !PHOTOS.includes(resourceType));
    if (isDoubtful || [...past].some((number) => !present.has(number)))
      throw new SuturaError('patient.ambiguous', { detail: IN_DOUBT });
    const targets = theirs.map(({ resourceType, id }) => ({ type: resourceType, id: id! }));
    if (await this.resources.isAwaiting(transaction, targets))
      throw new SuturaError('patient.in_use', { detail: WAITS });
    return { messageIds: [], photoIds: targets.map(({ id }) => id), otherValues: [...otherValues], leftMessages: [] };
  }

  /** A resource of a photo has the photo’s id. */
  override async photosByNumber(
    transaction: TenantTransaction,
    { words: { numbers }, sharedValues }: Omit<ErasedPatient, 'tenant'>,
  ): Promise<readonly string[]> {
    const ids = new Set<string>();
    if (numbers.length === 0) return [];
    const words = numbers.map(({ value }) => quoted(value));
    const spelled = await this.resources.spellings(transaction, numbers);
    for await (const { content, isPresent } of this.resources.naming(transaction, words)) {
      if (!isPresent || !PHOTOS.includes(content.resourceType)) continue;
      if (numbersOf(content).some((number) => isAmong(number, spelled, sharedValues))) ids.add(content.id!);
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
    const { words: said } = patient;
    const spelled = await this.resources.spellings(transaction, said.numbers);
    const isOwn = ownershipOf({ ...patient, words: { ...said, numbers: spelled } });
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
    if (subject?.reference?.startsWith('#') === false)
      return /^Patient\//.test(subject.reference) ? patientIds.includes(subject.reference.split('/')[1]!) : null;
    const stated = numbersOf(resource);
    return stated.length === 0 ? null : stated.some((number) => isAmong(number, numbers, sharedValues));
  };
}

/** By which its subject is named, where nothing else names it. */
function numbersOf(resource: Resource): readonly PatientIdentifier[] {
  return resource.resourceType === 'Patient' ? [] : (statedSubject(resource)?.identifiers ?? []);
}

/** `numbers` in all their spellings. */
function isAmong(
  { system, value }: PatientIdentifier,
  numbers: readonly PatientIdentifier[],
  sharedValues: readonly string[],
): boolean {
  if (sharedValues.includes(value)) return false;
  return numbers.some((one) => one.value === value && (one.system === system || one.system === formKey(system)));
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
