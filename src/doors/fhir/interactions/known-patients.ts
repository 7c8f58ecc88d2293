import type { Patient } from '@medplum/fhirtypes';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';

/** The patients of a tenant, whichever door they came through. */
export abstract class KnownPatients {
  /**
   * The ids of those who carry any of the numbers, each once. Where nobody does, none of the numbers becomes known before the transaction ends, so
   * that what waits for its patient is never overtaken by them.
   */
  abstract withAny(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
  ): Promise<readonly string[]>;
  /** The Patient resource; null: nothing but numbers is known of them. */
  abstract find(transaction: TenantTransaction, patientId: string): Promise<Patient | null>;
  /** Makes the Patient resources of those of these ids that are patients of the tenant; the ids of the others. */
  abstract show(transaction: TenantTransaction, patientIds: readonly string[]): Promise<readonly string[]>;
}
