import type { PatientIdentifier } from '../patients/patient.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { Transaction } from './unit-of-work.js';

export abstract class PatientRepository {
  /** The row that carries the identifier, made with `newId` where there is none yet. Safe against concurrent callers. */
  abstract resolve(transaction: Transaction, tenant: Tenant, identifier: PatientIdentifier, newId: string): Promise<string>;
}
