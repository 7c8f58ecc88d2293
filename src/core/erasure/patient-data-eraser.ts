import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ErasedRows, ErasedPatient, PatientRecordIds, PatientWords } from './patient-record.js';

/** What an eraser removed, or found. */
export interface ErasedData {
  readonly counts: readonly ErasedRows[];
  /** Folders of the object store that go with it. */
  readonly folders?: readonly string[];
  /** Attachments that only what was removed pointed at: core removes them. */
  readonly attachmentIds?: readonly string[];
  /** Ids of messages that may be about another patient: they are kept for an operator to decide. */
  readonly leftMessages?: readonly string[];
}

/** A number as an operator names it. */
export interface NumberWanted {
  readonly value: string;
  readonly system?: string | undefined;
}

/** Systems, as they were written, that stand beside one value. */
export interface Numberings {
  /** In what came for people whom nobody had announced. */
  readonly stated: readonly string[];
  /** Of patients, now or in the past. */
  readonly known: readonly string[];
  /** True: something could not be read, and may state another one. */
  readonly isUnread: boolean;
}

/** The number of somebody whom nobody has announced. */
export interface UnannouncedNumber {
  readonly value: string;
  /** Every spelling of its system; the first is the one that numbers are kept by. */
  readonly systems: readonly string[];
  /** A patient has the same value in another numbering: what does not say its numbering may be theirs. */
  readonly isKnownValue: boolean;
}

/** What came under such a number, and is nobody’s. */
export interface UnannouncedData {
  readonly messageIds: readonly string[];
  readonly photoIds: readonly string[];
  /** Further numbers that stand in it: none may be a patient’s. */
  readonly otherValues: readonly string[];
  readonly leftMessages: readonly string[];
}

const NOTHING_UNANNOUNCED: UnannouncedData = { messageIds: [], photoIds: [], otherValues: [], leftMessages: [] };

/** An eraser of patients' data outside core's own records: resources, messages, deliveries. Each declares itself to PatientDataErasers. */
export abstract class PatientDataEraser {
  /** What it knows the patient by, before anything is erased. */
  words(_transaction: TenantTransaction, _patient: PatientRecordIds): Promise<PatientWords> {
    return Promise.resolve({ numbers: [], names: [] });
  }

  /** Those of the values that another patient has as a number here. */
  sharedValues(
    _transaction: TenantTransaction,
    _values: readonly string[],
    _patient: PatientRecordIds,
  ): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** The numberings by which it keeps something with this value. */
  numberings(_transaction: TenantTransaction, _value: string): Promise<Numberings> {
    return Promise.resolve({ stated: [], known: [], isUnread: false });
  }

  /**
   * What it keeps of exactly this number, which is no patient’s. `patient.in_use` where some of it waits or is worked on, `patient.ambiguous` where some may
   * be a patient’s.
   */
  unannounced(_transaction: TenantTransaction, _number: UnannouncedNumber): Promise<UnannouncedData> {
    return Promise.resolve(NOTHING_UNANNOUNCED);
  }

  /** Ids of photos that are the patient’s by a number alone, which nobody has filed under them. */
  photosByNumber(_transaction: TenantTransaction, _patient: Omit<ErasedPatient, 'tenant'>): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** `patient.in_use` while work in progress would restore data of the patient afterwards. */
  refuseInUse(_transaction: TenantTransaction, _patient: ErasedPatient): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Removes every row about the patient, in the transaction of the erasure. A repeat removes what came since. Throws if something could not be
   * looked at: the patient then does not count as erased.
   */
  abstract erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<ErasedData>;
}

/** The registry of everything that keeps patients' data. An adapter that keeps some declares itself here, and an erasure reaches it. */
export class PatientDataErasers {
  private readonly erasers = new Set<PatientDataEraser>();

  declare(eraser: PatientDataEraser): void {
    this.erasers.add(eraser);
  }

  async words(transaction: TenantTransaction, patient: PatientRecordIds): Promise<PatientWords> {
    const numbers: PatientWords['numbers'][number][] = [];
    const names: string[] = [];
    for (const eraser of this.erasers) {
      const words = await eraser.words(transaction, patient);
      numbers.push(...words.numbers);
      names.push(...words.names);
    }
    return { numbers, names };
  }

  async sharedValues(
    transaction: TenantTransaction,
    values: readonly string[],
    patient: PatientRecordIds,
  ): Promise<readonly string[]> {
    const shared: string[] = [];
    for (const eraser of this.erasers) shared.push(...(await eraser.sharedValues(transaction, values, patient)));
    return shared;
  }

  async numberings(transaction: TenantTransaction, value: string): Promise<Numberings> {
    const all: Numberings[] = [];
    for (const eraser of this.erasers) all.push(await eraser.numberings(transaction, value));
    return {
      stated: all.flatMap(({ stated }) => stated),
      known: all.flatMap(({ known }) => known),
      isUnread: all.some(({ isUnread }) => isUnread),
    };
  }

  async unannounced(transaction: TenantTransaction, number: UnannouncedNumber): Promise<UnannouncedData> {
    const all: UnannouncedData[] = [];
    for (const eraser of this.erasers) all.push(await eraser.unannounced(transaction, number));
    return {
      messageIds: all.flatMap(({ messageIds }) => messageIds),
      photoIds: all.flatMap(({ photoIds }) => photoIds),
      otherValues: [...new Set(all.flatMap(({ otherValues }) => otherValues))],
      leftMessages: all.flatMap(({ leftMessages }) => leftMessages),
    };
  }

  async photosByNumber(
    transaction: TenantTransaction,
    patient: Omit<ErasedPatient, 'tenant'>,
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const eraser of this.erasers) ids.push(...(await eraser.photosByNumber(transaction, patient)));
    return ids;
  }

  async refuseInUse(transaction: TenantTransaction, patient: ErasedPatient): Promise<void> {
    for (const eraser of this.erasers) await eraser.refuseInUse(transaction, patient);
  }

  /** One after another, in one transaction: all or none. */
  async erase(transaction: TenantTransaction, patient: ErasedPatient): Promise<Required<ErasedData>> {
    const counts: ErasedRows[] = [];
    const folders: string[] = [];
    const attachmentIds: string[] = [];
    const leftMessages: string[] = [];
    for (const eraser of this.erasers) {
      const erased = await eraser.erase(transaction, patient);
      counts.push(...erased.counts);
      folders.push(...(erased.folders ?? []));
      attachmentIds.push(...(erased.attachmentIds ?? []));
      leftMessages.push(...(erased.leftMessages ?? []));
    }
    return { counts, folders, attachmentIds, leftMessages };
  }
}
