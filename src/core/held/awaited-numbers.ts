import type { PatientIdentifier } from '../patients/patient.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

/** Numbers of patients whom nobody has announced, each with the item of the list that waits for it. */
export abstract class AwaitedNumbers {
  /** Kept until the item is dropped. Once a row of a patient has one of them, `patient.known` tells of it. */
  abstract keep(transaction: TenantTransaction, itemId: string, numbers: readonly PatientIdentifier[]): Promise<void>;
  /** The item waits for none of them any more. */
  abstract drop(transaction: TenantTransaction, itemId: string): Promise<void>;
  /** The numbers that the item waits for. */
  abstract ofItem(transaction: TenantTransaction, itemId: string): Promise<readonly PatientIdentifier[]>;
  /** A patient who has one of the numbers that the item waits for; null: nobody has yet. */
  abstract comeFor(transaction: TenantTransaction, itemId: string): Promise<string | null>;
  /**
   * Items about any of these numbers, or about a patient who has one, whose messages go on: the patient has come, or a person decided so. None that
   * was discarded.
   */
  abstract goingOn(transaction: TenantTransaction, numbers: readonly PatientIdentifier[]): Promise<readonly string[]>;
  /** Items that wait for a number which this patient has, or the record that they were joined into. */
  abstract ofPatient(transaction: TenantTransaction, patientId: string): Promise<readonly string[]>;
}
