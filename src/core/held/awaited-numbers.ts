import type { PatientIdentifier } from '../patients/patient.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

/** Numbers of patients whom nobody has announced, each with the item of the list that waits for it. */
export abstract class AwaitedNumbers {
  /** Kept until the item is dropped. Once a row of a patient has one of them, `patient.known` tells of it. */
  abstract keep(transaction: TenantTransaction, itemId: string, numbers: readonly PatientIdentifier[]): Promise<void>;
  /** The item waits for none of them any more. */
  abstract drop(transaction: TenantTransaction, itemId: string): Promise<void>;
  /** Items that wait for a number which this patient has, or the record that they were joined into. */
  abstract ofPatient(transaction: TenantTransaction, patientId: string): Promise<readonly string[]>;
}
