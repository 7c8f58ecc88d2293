import type { Measure } from '../../../core/measurement/measures.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';

/** In which form an EHR takes results: what its server creates, corrects and lets be searched for. */
export const PUSH_DIALECTS = ['transaction', 'us-core-note', 'epic', 'oracle', 'isik'] as const;
export type PushDialect = (typeof PUSH_DIALECTS)[number];

/** `pdf`: the document, which `epic` gets as a text note. */
export const PUSHED_THINGS = ['pdf', 'observations', 'diagnostic-report', 'photo'] as const;
export type PushedThing = (typeof PUSHED_THINGS)[number];

/** A measure under the code of the receiver; `unit`: UCUM. */
export interface SiteCode {
  readonly system: string;
  readonly code: string;
  readonly unit: string;
}

/** How results go to an EHR, as far as their form depends on it. */
export interface PushSettings {
  readonly dialect: PushDialect;
  readonly send: readonly PushedThing[];
  /** `final`: without those that are preliminary; `reviewed`: only what a person has accepted or corrected. */
  readonly when: 'final' | 'reviewed';
  /** `identifier`: by the number of the visit; `period`: the one that covers the moment of the photo; `none`: results name no encounter. */
  readonly encounterRule: 'identifier' | 'period' | 'none';
  readonly codes?: Readonly<Partial<Record<Measure, SiteCode>>>;
}

/** An EHR as results are sent to it. */
export interface PushTarget extends Tenant {
  readonly id: string;
  readonly name: string;
  /** Without a slash at its end. */
  readonly fhirBaseUrl: string;
  /** Further origins of this EHR, such as that of its token endpoint. */
  readonly origins: readonly string[];
  readonly push: PushSettings;
  /** System of the patient numbers that the EHR is asked for. */
  readonly patientSystem: string;
  readonly access: PushAccess;
  /** Results issued before are not sent. */
  readonly since: Date;
}

/** How requests prove who sends them. */
export type PushAccess =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'backend-services'; readonly clientId: string; readonly scopes: readonly string[] };
