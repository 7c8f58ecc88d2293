import { SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import { tenantOf } from '../tenancy/tenant.js';
import type { RowsErased } from './patient-erasure.repository.js';
import type { NumberWanted, PatientDataErasers } from './patient-data-eraser.js';
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
   * A record for somebody whom nobody has announced, and of whom something came all the same: a message that was discarded or refused, a photo. Null: nothing
   * did. `patient.ambiguous` where it came by two numberings.
   */
  async register(about: TenantTransaction, wanted: NumberWanted, newId: string): Promise<string | null> {
    await this.patients.takeTime(about);
    const numbers = await this.erasers.unannounced(about, wanted);
    if (numbers.length > 1) throw new SuturaError('patient.ambiguous');
    return numbers[0] === undefined ? null : this.patients.register(about, numbers[0], newId);
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
