import type { Language } from '../report/languages.js';
import type { Tenant } from '../tenancy/tenant.js';

/** How an EHR takes documents and observations: everything in one transaction; a clinical note by US Core; what Epic, Oracle and a German KIS (ISiK) create. */
export const EHR_DIALECTS = ['transaction', 'us-core-note', 'epic', 'oracle', 'isik'] as const;
export type EhrDialect = (typeof EHR_DIALECTS)[number];

/** How a client of SMART App Launch proves itself: not at all, by a shared secret, by a signature with our published keys. */
export const EHR_CLIENT_TYPES = ['public', 'symmetric', 'asymmetric'] as const;
export type EhrClientType = (typeof EHR_CLIENT_TYPES)[number];

/** What the people whom an EHR sends to the review desk may do there. */
export const EHR_PEOPLE = ['read', 'review'] as const;
export type EhrPeople = (typeof EHR_PEOPLE)[number];

/** By what a push is let in: nothing, a token that does not change, SMART Backend Services with our published keys. */
export const PUSH_AUTHS = ['none', 'bearer', 'backend-services'] as const;
export type PushAuth = (typeof PUSH_AUTHS)[number];

export const PUSH_CONTENTS = ['pdf', 'observations', 'diagnostic-report', 'photo'] as const;
export type PushContent = (typeof PUSH_CONTENTS)[number];

/** `final`: reports that stand, by policy too; `reviewed`: those that a person has decided on. */
export const PUSH_MOMENTS = ['final', 'reviewed'] as const;
export type PushMoment = (typeof PUSH_MOMENTS)[number];

/** How the encounter of a report is found at the EHR: by its number, by the day of the photo, not at all. */
export const ENCOUNTER_RULES = ['identifier', 'period', 'none'] as const;
export type EncounterRule = (typeof ENCOUNTER_RULES)[number];

/** How a measure is filed at an EHR, in place of our own code. */
export interface PushCode {
  readonly system: string;
  readonly code: string;
  /** UCUM; absent: the unit that the measure has here. */
  readonly unit?: string | undefined;
}

/** The EHR opens the review desk (SMART App Launch 2.2). */
export interface EhrLaunch {
  readonly clientId: string;
  /** Of a symmetric client alone. Never answered, logged or recorded. */
  readonly clientSecret: string | null;
  readonly clientType: EhrClientType;
  /** null: those that the desk needs. */
  readonly scopes: readonly string[] | null;
  readonly people: EhrPeople;
}

/** Results are filed at the EHR's FHIR server. */
export interface EhrPush {
  readonly enabled: boolean;
  readonly dialect: EhrDialect;
  readonly auth: PushAuth;
  /** Of `bearer` alone. Never answered, logged or recorded. */
  readonly token: string | null;
  /** null: that of the launch. */
  readonly clientId: string | null;
  /** null: those that the dialect needs. */
  readonly scopes: readonly string[] | null;
  readonly send: readonly PushContent[];
  readonly when: PushMoment;
  readonly encounterRule: EncounterRule;
  /** By measure; null: our own codes. */
  readonly codes: Readonly<Record<string, PushCode>> | null;
}

/** The EHR asks at certain moments whether there is something to say (CDS Hooks 2.0). */
export interface EhrCds {
  readonly enabled: boolean;
  /** `iss` of its tokens, to the character. */
  readonly issuer: string;
  /** Where its public keys are; the only `jku` that is accepted. */
  readonly jwksUrl: string;
  /** In which its cards are written. */
  readonly language: Language;
}

/** What an operator says of an EHR. */
export interface EhrTerms {
  /** For people. */
  readonly name: string;
  /** Base of its FHIR server and `iss` of its launches, without a slash at the end. One registration in all organizations and environments has it. */
  readonly fhirBaseUrl: string;
  /** Further origins (`https://host[:port]`) of this EHR: where it authorizes, gives tokens and publishes keys. Nothing else of it is called. */
  readonly origins: readonly string[];
  /**
   * The system of this EHR's Patient.identifier by which its patients are ours. It stands here and not within `push`, since a launch, a card and a
   * filed result have to mean the same person by it. null: nobody is matched. The authority of bare numbers where no other default stands; a number
   * of another authority is never sent under it.
   */
  readonly patientSystem: string | null;
  /** null: it opens nothing here. */
  readonly launch: EhrLaunch | null;
  /** null: nothing is filed there. */
  readonly push: EhrPush | null;
  /** null: it is not answered. */
  readonly cds: EhrCds | null;
  /** Origins whose pages may show the desk of a launch in a frame. */
  readonly frameAncestors: readonly string[];
}

/** The registration of one EHR with one organization, in one environment. */
export interface Ehr extends Tenant, EhrTerms {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What is not named stays. */
export type EhrChange = { readonly [Field in keyof EhrTerms]?: EhrTerms[Field] | undefined };
