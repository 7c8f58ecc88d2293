import type {
  BodyStructure,
  Bundle,
  Coding,
  Identifier,
  Observation,
  Patient,
  Resource,
  ResourceType,
} from '@medplum/fhirtypes';
import type { ClosureReason, WoundStatus } from '../../../core/followup/wound.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';

/** The outcome of a Bundle. */
export interface AppliedBundle {
  /** `Type/id` of each entry, in the order of the entries. */
  readonly references: readonly string[];
  /** The version that each entry led to, in the order of the entries; `isNew`: the entry made the resource. */
  readonly versions: readonly { readonly versionId: string | undefined; readonly isNew: boolean }[];
  /** Ids of the analyses that now exist for orders and photos of the Bundle: jobs, or requests that wait. */
  readonly analysisIds: readonly string[];
  /** The same for each entry, in the order of the entries: orders and photos have their own, other entries none. */
  readonly analysesOfEntries: readonly (readonly string[])[];
  /** The moment at which the quota returns that an analysis waits for; null: none waits. */
  readonly waitsForQuotaUntil: Date | null;
}

/**
 * An identifier as the sender states it, with its type and its assigner. `system` "": the organization's own numbering.
 */
export interface RecordIdentifier extends Identifier {
  readonly system: string;
  readonly value: string;
}

/** A patient record that is merged into another (ADT^A40). */
export interface PatientJoin {
  /** Identifiers of the record that stays. */
  readonly survivor: readonly RecordIdentifier[];
  /** Identifiers of the record that ends. */
  readonly prior: readonly RecordIdentifier[];
  /** What the record that stays gets where it lacks it. */
  readonly demographics: Partial<Patient>;
}

/** A photo that its order does not have yet. */
export interface NewOrderPhoto {
  readonly orderId: string;
  /** Hex, of the bytes as received. */
  readonly sha256: string;
}

/** A number of an order; `system` "": without an authority. */
export interface OrderNumber {
  readonly system: string;
  readonly value: string;
}

/** How a wound stands by people's decisions. */
export interface WoundStanding {
  /** `merged`: it is part of another one. */
  readonly status: WoundStatus | 'merged';
  /** Why it was closed; null: it is not closed. */
  readonly reason: ClosureReason | null;
  /** When it was last closed or reopened; null: never. */
  readonly since: Date | null;
}

/** A photo that a patient's record has. */
export interface FiledPhoto {
  /** Of its Media. */
  readonly id: string;
  /** The orders that it belongs to. */
  readonly orderIds: readonly string[];
  /** Numbers by which it calls orders, which may not be here; `kind` null: whose number it is, is not said. */
  readonly orderNumbers: readonly (OrderNumber & { readonly kind: 'placer' | 'filler' | 'accession' | null })[];
  /**
   * `alive`: asked for, under way or done; `ended`: failed, refused or cancelled; `none`: nobody asked for it; `withdrawn`: the photo was entered in
   * error, or deleted.
   */
  readonly analysis: 'none' | 'alive' | 'ended' | 'withdrawn';
}

/** A photo by its patient, and by its bytes (SHA-256 of them as received, hex) or its id. */
export interface PhotoOfPatient {
  readonly patientId: string;
  readonly photo: { readonly sha256: string } | { readonly id: string };
}

/** What a finding is about, and from when on others of the same are looked for. */
export interface StatedFinding {
  /** `Patient/id`. */
  readonly patient: string;
  /** Any of these. */
  readonly codes: readonly Pick<Coding, 'system' | 'code'>[];
  readonly since: Date;
}

export interface ApplyOptions {
  readonly requestId: string;
  /**
   * `wait`: analyses beyond the quota are kept and run when it returns; `refuse`: the whole Bundle fails with
   * `quota.exceeded`.
   */
  readonly quota: 'wait' | 'refuse';
  /** Merges that precede the Bundle, in the same transaction. */
  readonly joins: readonly PatientJoin[];
  /** Ids of orders that must still wait for their photo; `fhir.version_conflict` where one has got it meanwhile. */
  readonly waitingOrders: readonly string[];
  /** Photos that their orders must still lack; `fhir.version_conflict` where one has got it meanwhile. */
  readonly newPhotos: readonly NewOrderPhoto[];
  /** Placers' numbers that no order may have; `fhir.version_conflict` where one has it meanwhile. */
  readonly newOrders: readonly OrderNumber[];
  /** A person has decided who the patients are: a record may get another name and birth date at once. */
  readonly confirmsIdentity?: boolean;
  /** Called inside the same transaction, after everything else and right before the commit. */
  within(transaction: Transaction, applied: AppliedBundle): Promise<void>;
}

/** What a message is planned by. */
export type RecordLookups = Pick<
  ClinicalRecords,
  | 'findByIdentifier'
  | 'read'
  | 'waitsForPhoto'
  | 'photoOfOrder'
  | 'filedPhotos'
  | 'findingsSince'
  | 'woundOf'
  | 'standingOf'
>;

/**
 * The record that all doors share, in terms of FHIR. A message is written there as a transaction Bundle, so that an
 * order has the same ids, rules and statuses whichever door it came through. The FHIR folder implements it; the
 * composition binds it.
 */
export abstract class ClinicalRecords {
  /**
   * Resolves when the records have everything that other doors filed before; to be called before the first use for a
   * message. `fhir.preparing` where that takes longer than a sender waits.
   */
  abstract require(tenant: Tenant): Promise<void>;
  /** Has the look-ups that `work` makes for this tenant answered in one transaction, which changes nothing. */
  abstract looking<T>(tenant: Tenant, work: (lookups: RecordLookups) => Promise<T>): Promise<T>;
  /**
   * Applies all of a Bundle or nothing, in one database transaction that `within` takes part in. Photos are checked and
   * stored before it. SuturaError or OutcomeError.
   */
  abstract apply(caller: Caller, bundle: Bundle, options: ApplyOptions): Promise<AppliedBundle>;
  /**
   * Resources of a type that carry any of the identifiers, at most 20. A merged patient is returned as the surviving
   * record.
   */
  abstract findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly { readonly system: string; readonly value: string }[],
  ): Promise<T[]>;
  /** Whether all analyses of an order wait for a photo or were abandoned. */
  abstract waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean>;
  /** The wound of this patient (`Patient/id`) with this number; null: none. Many patients have a wound 1: by its number alone not all are found. */
  abstract woundOf(
    tenant: Tenant,
    patient: string,
    number: { readonly system: string; readonly value: string },
  ): Promise<BodyStructure | null>;
  /** How a wound (the id of its BodyStructure) stands by what people decided through whatever door; null: it is not known. */
  abstract standingOf(tenant: Tenant, woundId: string): Promise<WoundStanding | null>;
  /**
   * The id of the order's photo (Media) with these bytes whose analysis is under way or done; null: none, so that the
   * photo is to be analysed.
   */
  abstract photoOfOrder(tenant: Tenant, photo: NewOrderPhoto): Promise<string | null>;
  /** The patient's photos with these bytes, oldest first. */
  abstract filedPhotos(tenant: Tenant, of: PhotoOfPatient): Promise<readonly FiledPhoto[]>;
  /** Findings that somebody stated or changed since; those of the service, which repeat them in reports, are none. `too_many`: not all were looked at. */
  abstract findingsSince(tenant: Tenant, of: StatedFinding): Promise<readonly Observation[] | 'too_many'>;
  /** null where the resource is unknown, of another tenant, or deleted. */
  abstract read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null>;
}
