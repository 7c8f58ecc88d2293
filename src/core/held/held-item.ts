import type { Tenant } from '../tenancy/tenant.js';

/** Why something waits for a person. Published names; those of an EHR launch begin with `ehr_`. */
export const HELD_REASONS = [
  'identity_conflict',
  'patient_unknown',
  'order_without_photo',
  'photo_without_order',
  'wound_unclear',
  'authority_unknown',
  'photo_times_out',
  'ehr_patient_not_one',
  'ehr_encounter_not_one',
  'ehr_outcome_unknown',
] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

/** The door that it came through. */
export const HELD_DOORS = ['rest', 'fhir', 'hl7v2', 'ehr'] as const;
export type HeldDoor = (typeof HELD_DOORS)[number];

/**
 * What a person can do with it. Published names. `same`: the person of the record after all, whose name and birth date become what came;
 * `another`: somebody else, whose number is another authority's; `discard`: kept in the history, nothing is filed; `link`: it belongs to what the
 * person names; `accept`: as the service proposes, of a patient whom nobody has announced a record of what came; `same_authority`, `own_authority`: what the numbers of a facility are; `retry`: the photo is analysed once more, at no charge; `wait`: off the list until something new comes.
 */
export const HELD_ACTIONS = [
  'same',
  'another',
  'discard',
  'link',
  'accept',
  'same_authority',
  'own_authority',
  'retry',
  'wait',
] as const;
export type HeldAction = (typeof HELD_ACTIONS)[number];

/** Ids of what came, and of what it touches; no name, number of a patient or text. Each list without doubles, oldest first. */
export interface HeldThings {
  /** HL7 v2 messages, by the ids that `hl7 messages` lists. */
  readonly messageIds: readonly string[];
  /** `Type/id`. */
  readonly resources: readonly string[];
  readonly jobIds: readonly string[];
  readonly imageIds: readonly string[];
  /** Records of patients that it would be filed under, or was. */
  readonly patientIds: readonly string[];
  /** Ids of orders (ServiceRequest). */
  readonly orders: readonly string[];
}

export const NOTHING_CAME: HeldThings = {
  messageIds: [],
  resources: [],
  jobIds: [],
  imageIds: [],
  patientIds: [],
  orders: [],
};

/** One thing that waits for a person. */
export interface HeldItem extends Tenant {
  /**
   * Unique over all reasons: a UUID where a row is kept. What is derived from records has `reason.uuid`, of what waits
   * (`order_without_photo.0199…`), so that one photo can wait for two reasons.
   */
  readonly id: string;
  readonly reason: HeldReason;
  readonly since: Date;
  /** null: it came through several. */
  readonly door: HeldDoor | null;
  readonly came: HeldThings;
  /** What it waits for, as a sentence for whoever works the list off. */
  readonly waitsFor: string;
  /** What can be done; empty: it goes by itself once what it waits for has come. */
  readonly actions: readonly HeldAction[];
}

/** What a person decided. docs/held.md says which further fields an action needs. */
export interface HeldResolution {
  readonly action: HeldAction;
  /** Of `another`: the authority that the number belongs to, as a URI (`urn:oid:1.2.3`). */
  readonly authority?: string | undefined;
  /** Of `link`: what it belongs to, as `Type/id`. */
  readonly to?: string | undefined;
  /** Why, for the history; at most 500 characters. */
  readonly note?: string | undefined;
}

/** Who decided. */
export interface HeldActor {
  /** The key, the client, or the operator, as the audit trail names them. */
  readonly name: string;
  /** The person behind a key, where the caller names one. */
  readonly person?: string | undefined;
}

/** How many wait for one reason in one organization and environment, and since when the oldest does. */
export interface HeldCount extends Tenant {
  readonly reason: HeldReason;
  readonly items: number;
  readonly oldestSince: Date;
}
