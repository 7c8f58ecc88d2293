import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { Authority, AuthorityProposal, FacilityNumbering, ProposalReason } from './authority.js';

/** One number that two records have, each by another form of its authority. */
export interface SharedNumber {
  /** The record that has it by the form that stays, else the older one. */
  readonly survivorId: string;
  readonly priorId: string;
}

/** Rows of authorities. All but the lists are written under `lock`, and told to every process at the commit. */
export abstract class AuthorityRepository {
  /** Nobody else changes the organization’s authorities before the transaction ends. */
  abstract lock(transaction: TenantTransaction | SystemTransaction, organizationId: string): Promise<void>;
  /** Those of both environments, oldest first. */
  abstract list(transaction: SystemTransaction, organizationId: string): Promise<readonly Authority[]>;
  /** Those that count in the transaction’s environment, oldest first. */
  abstract of(transaction: TenantTransaction): Promise<readonly Authority[]>;
  /** Inserts it, or replaces the one of its id. */
  abstract save(transaction: TenantTransaction | SystemTransaction, authority: Authority): Promise<void>;
  abstract remove(transaction: SystemTransaction, authority: Authority): Promise<void>;
  /** Makes these systems, and `system` itself, its forms, and no others of the authority. Without forms: none. null: of no authority. */
  abstract setForms(
    transaction: TenantTransaction,
    authorityId: string | null,
    system: string,
    forms: readonly string[],
  ): Promise<void>;
  /** Every system that a number of the tenant’s patients is kept by. */
  abstract keptSystems(transaction: TenantTransaction): Promise<readonly string[]>;
  /** How many numbers are kept by the system; `limit`: so many or more. */
  abstract countNumbers(transaction: TenantTransaction, system: string, limit: number): Promise<number>;
  /** Numbers that different records have by these systems, `limit` at most; not those of a pair in `apart`. */
  abstract sharedNumbers(
    transaction: TenantTransaction,
    system: string,
    others: readonly string[],
    apart: readonly SharedNumber[],
    limit: number,
  ): Promise<readonly SharedNumber[]>;
  /** No number of a patient is written before the transaction ends. */
  abstract holdNumbers(transaction: TenantTransaction): Promise<void>;
  /** Keeps by `system` what is kept by the others; what two records share stays. Whoever waits for one of the numbers is told. */
  abstract rekey(transaction: TenantTransaction, system: string, others: readonly string[]): Promise<void>;
  /** Of both environments, oldest first. */
  abstract proposals(transaction: SystemTransaction, organizationId: string): Promise<readonly AuthorityProposal[]>;
  /** Does nothing where the pair was proposed before. `isSettled`: they are two, and nobody is asked. */
  abstract propose(
    transaction: TenantTransaction,
    id: string,
    pair: { readonly one: string; readonly other: string; readonly why: ProposalReason },
    isSettled?: boolean,
  ): Promise<void>;
  /** False: it was settled before. */
  abstract settle(
    transaction: TenantTransaction,
    id: string,
    decision: { readonly isSame: boolean; readonly by: string },
  ): Promise<boolean>;
  /** Of every listener. */
  abstract numberings(transaction: TenantTransaction): Promise<readonly FacilityNumbering[]>;
  abstract setNumbering(
    transaction: TenantTransaction,
    numbering: FacilityNumbering,
    heldItemId: string | null,
  ): Promise<void>;
  /** The facility (MSH-4) that the item asks about; null: none. */
  abstract askedBy(transaction: TenantTransaction, heldItemId: string): Promise<string | null>;
  /** Every process forgets the organization’s table at the commit. */
  abstract tell(transaction: TenantTransaction | SystemTransaction, organizationId: string): Promise<void>;
}
