import type { Bundle, Identifier, Resource, ResourceType } from '@medplum/fhirtypes';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { Tenant } from '../../core/tenancy/tenant.js';

/** What became of a Bundle. */
export interface AppliedBundle {
  /** `Type/id` of each entry, in the order of the entries. */
  readonly references: readonly string[];
  /** Ids of the analyses that exist by now for orders and photos of the Bundle: jobs, or requests that wait. */
  readonly analysisIds: readonly string[];
  /** The same for each entry, in the order of the entries: an order or photo has its own, anything else none. */
  readonly analysesOfEntries: readonly (readonly string[])[];
  /** When the quota returns that at least one analysis waits for; null: none waits. */
  readonly waitsForQuotaUntil: Date | null;
}

/** A number as the sender states it, with its type and its assigner. `system` "": the organization's own numbering. */
export interface StatedIdentifier extends Identifier {
  readonly system: string;
  readonly value: string;
}

/** A record that is joined into another by a merge of patients (ADT^A40). */
export interface PatientJoin {
  /** Identifiers of the record that stays. */
  readonly survivor: readonly StatedIdentifier[];
  /** Identifiers of the record that ends. */
  readonly prior: readonly StatedIdentifier[];
}

/** A photo that is not among those of its order. */
export interface NewOrderPhoto {
  readonly orderId: string;
  /** Hex, of its bytes as they came. */
  readonly sha256: string;
}

export interface ApplyOptions {
  readonly requestId: string;
  /** `wait`: analyses beyond the quota are kept and run when it returns; `refuse`: `quota.exceeded` for the whole of it. */
  readonly quota: 'wait' | 'refuse';
  /** Joined before the Bundle is applied, in the same transaction. */
  readonly joins: readonly PatientJoin[];
  /** Ids of orders that still have to wait for their photo; `fhir.version_conflict` where one has it meanwhile. */
  readonly waitingOrders: readonly string[];
  /** Photos that their orders must still lack; `fhir.version_conflict` where one has it meanwhile. */
  readonly newPhotos: readonly NewOrderPhoto[];
  /** Inside the same transaction, after everything else and right before the commit. */
  within(transaction: Transaction, applied: AppliedBundle): Promise<void>;
}

/**
 * The record that all doors share, in the words of FHIR: what a message says is written there as a transaction Bundle, so that an order has the
 * same ids, rules and statuses whichever door it came through. Bound in the composition; the FHIR folder implements it.
 */
export abstract class ClinicalRecords {
  /** All of it or nothing, in one database transaction that `within` takes part in. Photos are judged and stored before it. SuturaError or OutcomeError. */
  abstract apply(caller: Caller, bundle: Bundle, options: ApplyOptions): Promise<AppliedBundle>;
  /** Resources of a type that carry any of the identifiers, at most 20; a patient whose record was joined into another as that other. */
  abstract findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly { readonly system: string; readonly value: string }[],
  ): Promise<T[]>;
  /** Whether an order has no analysis but one that waits for its photo, or such as came to nothing. */
  abstract waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean>;
  /** The photo (Media) of an order with these bytes whose analysis is under way or done, by its id; null: none, so that it is to be analysed. */
  abstract photoOfOrder(tenant: Tenant, photo: NewOrderPhoto): Promise<string | null>;
  /** null for unknown, foreign, deleted. */
  abstract read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null>;
}
