import type { TenantTransaction } from '../ports/unit-of-work.js';

/** When patients were born, as the records say now. It is read where an age counts and kept nowhere else. */
export abstract class BirthDates {
  /** `1951-07-14`, `1951-07` or `1951`; null: not known. */
  abstract of(transaction: TenantTransaction, patientId: string): Promise<string | null>;
}
