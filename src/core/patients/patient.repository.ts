import type { Patient, PatientIdentifier } from './patient.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

export abstract class PatientRepository {
  /** The row that carries the identifier, made with `newId` where there is none yet. Safe against concurrent callers. */
  abstract resolve(transaction: TenantTransaction, identifier: PatientIdentifier, newId: string): Promise<string>;
  /**
   * The row that carries any of the identifiers, made with `newId` where none does; it then carries all of them. Safe against concurrent callers.
   * null: they belong to different rows, which only a merge may join; nothing was written.
   */
  abstract register(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
    newId: string,
  ): Promise<string | null>;
  /** A new row with identifiers that nobody else can have yet, such as its own id. */
  abstract insert(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
    newId: string,
  ): Promise<void>;
  /** The row that carries each of the identifiers, in their order; null: none. */
  abstract carriers(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
  ): Promise<(string | null)[]>;
  /** As `carriers`, with the identifiers locked until the transaction ends. */
  abstract claim(transaction: TenantTransaction, identifiers: readonly PatientIdentifier[]): Promise<(string | null)[]>;
  /** null for unknown, malformed, foreign. */
  abstract find(transaction: TenantTransaction, patientId: string): Promise<Patient | null>;
  /** Identifiers that a known patient carries from now on, too. False where one of them is another's; nothing was written. */
  abstract extend(
    transaction: TenantTransaction,
    patientId: string,
    identifiers: readonly PatientIdentifier[],
  ): Promise<boolean>;
  /**
   * Gives a known patient these numbers, first of all in this order, and takes those that are `gone`: from now on they may be another's. What was
   * filed under one of them stays the patient's. False where one of `numbers` is another's; nothing was written.
   */
  abstract renumber(
    transaction: TenantTransaction,
    patientId: string,
    numbers: readonly PatientIdentifier[],
    gone: readonly PatientIdentifier[],
  ): Promise<boolean>;
  /**
   * Merges a row into the survivor, with its identifiers, images and jobs, and what others file under it concurrently. The caller moves the wounds (WoundRepository.assign).
   */
  abstract absorb(transaction: TenantTransaction, priorId: string, survivorId: string): Promise<void>;
  /** Waits for those who are filing something under the patient; whoever does from now on waits until the transaction ends. */
  abstract holdFilings(transaction: TenantTransaction, patientId: string): Promise<void>;
}
