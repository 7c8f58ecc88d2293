import type { Fields } from './json.js';

/** What can be wrong with the id_token; every one is a forgery or a fault of the EHR, and ends the launch. */
export const ID_TOKEN_FAULTS = [
  'id-missing',
  'id-not-a-token',
  'id-alg-none',
  'id-hs256-secret',
  'id-hs256-public-key',
  'id-other-key',
  'id-unknown-kid',
  'id-no-kid',
  'id-tampered',
  'id-wrong-nonce',
  'id-no-nonce',
  'id-expired',
  'id-no-expiry',
  'id-issued-in-future',
  'id-no-issued-at',
  'id-other-audience',
  'id-several-audiences',
  'id-other-authorized-party',
  'id-other-issuer',
  'id-no-subject',
  'id-no-fhir-user',
  'id-fhir-user-is-patient',
  'id-fhir-user-elsewhere',
] as const;
export type IdTokenFault = (typeof ID_TOKEN_FAULTS)[number];

/** What the authorization endpoint sends back instead of a code for this client's state. */
export type RedirectFault = 'access-denied' | 'server-error' | 'wrong-state' | 'no-state' | 'no-code' | 'other-iss';

/** What is wrong with the answer of the token endpoint. */
export type TokenFault =
  | 'invalid-grant'
  | 'invalid-client'
  | 'no-patient'
  | 'no-access-token'
  | 'token-type-mac'
  | 'no-scope'
  | 'fewer-scopes'
  | 'no-expiry';

/** Everything that can be made to go wrong in one launch; slow, huge and broken answers are planned as faults of their address. */
export type LaunchFault = IdTokenFault | RedirectFault | TokenFault;

/** What the EHR has open when it launches, and who sits there. */
export interface LaunchContext {
  /** Ids of this EHR. */
  readonly patientId: string;
  readonly encounterId?: string;
  /** Who is logged in, such as `Practitioner/pra-1`. */
  readonly user: string;
  readonly userName?: string;
  readonly needPatientBanner?: boolean;
  readonly intent?: string;
  readonly tenant?: string;
  /** What a card's link handed over. */
  readonly appContext?: string;
  readonly fhirContext?: readonly Fields[];
  /** Seconds that the access token lives: 600 if not stated. */
  readonly tokenLifeS?: number;
  /** Another patient, whom a renewed token is for: the chart was changed, or somebody tries. */
  readonly patientOnRefresh?: string;
  readonly fault?: LaunchFault;
}

/** A client as it is registered with the EHR. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly type: 'public' | 'symmetric' | 'asymmetric';
  /** Of a symmetric client. */
  readonly secret?: string;
  /** Of an asymmetric client: where its public keys are read. */
  readonly jwksUrl?: string;
  /** Of a client that is launched. */
  readonly redirectUris?: readonly string[];
  /** All scopes that it may be given. */
  readonly scopes: readonly string[];
  /** Whether it asks for tokens by itself (backend services). */
  readonly isBackend?: boolean;
}
