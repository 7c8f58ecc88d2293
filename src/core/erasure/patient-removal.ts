import { SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import { tenantOf } from '../tenancy/tenant.js';
import type { RowsErased } from './patient-erasure.repository.js';
import type { NumberWanted, PatientDataErasers, UnannouncedData } from './patient-data-eraser.js';
import {
  addCounts,
  idsOfPatient,
  type ErasedPatient,
  type PatientRecordIds,
  type PatientWords,
} from './patient-record.js';
import type { PatientRecords } from './patient-records.js';
import type { TypedWordsErasure } from './typed-words-erasure.js';

const RETRY_AFTER_S = 5;
const NOBODY: PatientRecordIds = {
  patientIds: [],
  imageIds: [],
  jobIds: [],
  reportIds: [],
  woundIds: [],
  requestIds: [],
};
const NO_WORDS = { words: { numbers: [], names: [] }, sharedValues: [] };
const SEVERAL_CAME =
  'Under this number something is kept of people of several numberings. Name the numbering (--system); of a patient who is known here, the id will do.';
/** Why nothing of a number that nobody announced is erased. */
export const IN_DOUBT =
  'Nobody was announced by this number, but what came under it may be of a patient who is known here: a patient has or had one of its numbers, or it was worked on. Nothing was removed. Look at its messages and resources one by one.';

/** What a removal by ids alone took away. */
export type Removed = Pick<RowsErased, 'folders' | 'counts' | 'leftMessages'>;

/** Finds and deletes every row about one patient, in every part of the service, within the caller's transaction. */
export class PatientRemoval {
  constructor(
    private readonly patients: PatientRecords,
    private readonly erasers: PatientDataErasers,
    private readonly typed: TypedWordsErasure,
  ) {}

  /** Holds the patient's rows until the transaction ends. */
  async gather(about: TenantTransaction, patientId: string): Promise<ErasedPatient> {
    const known = await this.patients.gather(about, patientId);
    const { words, sharedValues } = await this.wordsOf(about, known);
    const photos = await this.erasers.photosByNumber(about, { ...idsOfPatient(known), words, sharedValues });
    const own = photos.length === 0 ? known : await this.patients.gather(about, patientId, photos);
    return { ...idsOfPatient(own), tenant: tenantOf(about.tenant), words, sharedValues };
  }

  /**
   * What came of somebody whom nobody has announced: discarded or refused messages, photos. Null: nothing did. It has no patient and gets none. Refuses with
   * `patient.ambiguous` where it came by two numberings or may be a patient’s, and with `patient.in_use` where it waits for a person.
   */
  async gatherUnannounced(about: TenantTransaction, { value, system }: NumberWanted): Promise<UnannouncedData | null> {
    const { patients, erasers } = this;
    await patients.takeTime(about);
    await patients.claimValue(about, value);
    const { stated, known, isUnread } = await erasers.numberings(about, value);
    if (isUnread) throw new SuturaError('hl7.sealed');
    const kept = await patients.keptSystems(about, stated);
    const [wanted] = system === undefined ? [] : await patients.keptSystems(about, [system]);
    const meant = [...new Set(kept)].filter((one) => wanted === undefined || one === wanted);
    if (meant.length > 1) throw new SuturaError('patient.ambiguous', { detail: SEVERAL_CAME });
    const own = meant[0];
    if (own === undefined) return null;
    const isPatients = (await patients.keptSystems(about, known)).includes(own);
    if (isPatients || (await patients.isFiledUnder(about, { system: own, value }))) throw inDoubt();
    const isKnownValue = known.length > 0 || (await patients.sharedValues(about, [value], [])).length > 0;
    const systems = [own, ...stated.filter((_, index) => kept[index] === own)];
    const found = await erasers.unannounced(about, { value, systems, isKnownValue });
    if (found.messageIds.length + found.photoIds.length === 0) {
      // What came does not say beyond doubt that it is not of the patient who has the value.
      if (isKnownValue) throw inDoubt();
      return null;
    }
    if (await this.haveAny(about, found.otherValues)) throw inDoubt();
    if (!(await patients.areNobodys(about, found.photoIds))) throw inDoubt();
    if (await patients.isInUse(about, { ...NOBODY, imageIds: found.photoIds }))
      throw new SuturaError('patient.in_use', { retryAfterS: RETRY_AFTER_S });
    return found;
  }

  /** By the ids that were found, and by no word of theirs: what only names them stays. */
  async removeUnannounced(about: TenantTransaction, found: UnannouncedData): Promise<RowsErased> {
    const record = { ...NOBODY, imageIds: found.photoIds };
    const { messageIds } = found;
    const { leftMessages, ...removed } = await this.removeKnown(about, {
      ...record,
      ...NO_WORDS,
      tenant: tenantOf(about.tenant),
      messageIds,
    });
    return { ...removed, record, leftMessages: [...new Set([...leftMessages, ...found.leftMessages])] };
  }

  /** `patient.ambiguous` where something came under the value in a numbering in which this patient does not have it: nobody said who is meant. */
  async refuseOthers(about: TenantTransaction, value: string, patientId: string): Promise<void> {
    await this.patients.takeTime(about);
    const { stated } = await this.erasers.numberings(about, value);
    const own = await this.patients.systemsOf(about, patientId, value);
    const others = (await this.patients.keptSystems(about, stated)).filter((one) => one !== '' && !own.includes(one));
    if (own.length > 0 && others.length > 0) throw new SuturaError('patient.ambiguous', { detail: SEVERAL_CAME });
  }

  /** Whether patients have or had any of these, in whatever numbering. */
  private async haveAny(about: TenantTransaction, values: readonly string[]): Promise<boolean> {
    if (values.length === 0) return false;
    if ((await this.patients.sharedValues(about, values, [])).length > 0) return true;
    return (await this.erasers.sharedValues(about, values, NOBODY)).length > 0;
  }

  private async wordsOf(
    about: TenantTransaction,
    own: PatientRecordIds & PatientWords,
  ): Promise<Pick<ErasedPatient, 'words' | 'sharedValues'>> {
    const theirs = await this.erasers.words(about, own);
    const words = { numbers: [...own.numbers, ...theirs.numbers], names: [...own.names, ...theirs.names] };
    const values = [...new Set(words.numbers.map(({ value }) => value))];
    const sharedValues = [
      ...(await this.patients.sharedValues(about, values, own.patientIds)),
      ...(await this.erasers.sharedValues(about, values, own)),
    ];
    return { words, sharedValues };
  }

  /** `patient.in_use`; `hl7.sealed` where a message that has to be read cannot be. */
  async refuseInUse(about: TenantTransaction, patient: ErasedPatient): Promise<void> {
    if (await this.patients.isInUse(about, patient))
      throw new SuturaError('patient.in_use', { retryAfterS: RETRY_AFTER_S });
    await this.erasers.refuseInUse(about, patient);
  }

  /** `erasureId` null: a dry run, which counts the words in the audit trail and keeps them. Refuses as `refuseInUse`. */
  async remove(about: TenantTransaction, patientId: string, erasureId: string | null): Promise<RowsErased> {
    const patient = await this.gather(about, patientId);
    await this.refuseInUse(about, patient);
    const { counts, folders, leftMessages } = await this.removeKnown(about, patient);
    const words = await this.typed.erase(about, patient, erasureId);
    return {
      record: idsOfPatient(patient),
      folders: [...folders, ...words.folders],
      counts: addCounts(counts, [words.count]),
      leftMessages,
    };
  }

  /** By ids alone, where no words are known, or none any more. */
  removeByIds(about: TenantTransaction, record: PatientRecordIds): Promise<Removed> {
    const words = { numbers: [], names: [] };
    return this.removeKnown(about, { ...record, tenant: tenantOf(about.tenant), words, sharedValues: [] });
  }

  private async removeKnown(about: TenantTransaction, patient: ErasedPatient): Promise<Removed> {
    const kept = await this.erasers.erase(about, patient);
    const own = await this.patients.remove(about, patient, kept.attachmentIds);
    return {
      folders: [...new Set([...own.folders, ...kept.folders])],
      counts: addCounts(kept.counts, own.counts),
      leftMessages: kept.leftMessages,
    };
  }
}

function inDoubt(): SuturaError {
  return new SuturaError('patient.ambiguous', { detail: IN_DOUBT });
}
