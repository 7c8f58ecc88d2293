import type { PatientIdentifier } from '../patients/patient.js';
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

  /** The numbers with this value, of this system where it is given, that only what it keeps says of somebody: nobody has announced them. */
  unannounced(_transaction: TenantTransaction, _number: NumberWanted): Promise<readonly PatientIdentifier[]> {
    return Promise.resolve([]);
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

  /** Each once. */
  async unannounced(transaction: TenantTransaction, wanted: NumberWanted): Promise<readonly PatientIdentifier[]> {
    const found = new Map<string, PatientIdentifier>();
    for (const eraser of this.erasers)
      for (const number of await eraser.unannounced(transaction, wanted)) found.set(number.system, number);
    return [...found.values()];
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
