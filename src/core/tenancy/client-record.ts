import type { Environment } from './tenant.js';

/** A key of a JSON Web Key Set, public part (RFC 7517). */
export type PublicJwk = Readonly<Record<string, unknown>>;

/** Where a client's public keys are: given once, or at an address that is asked again. */
export type ClientKeys =
  | { readonly kind: 'given'; readonly keys: readonly PublicJwk[] }
  | { readonly kind: 'address'; readonly url: string };

/** A back-end service that gets tokens by SMART Backend Services. Its id is its `client_id`. */
export interface ClientRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly name: string;
  /** The most that its tokens may have, as `system/Type.crus`. */
  readonly scopes: readonly string[];
  readonly keys: ClientKeys;
  /** From where it may ask for tokens and use them, as CIDR (`10.20.0.0/16`); none: from anywhere. */
  readonly allowedNetworks: readonly string[];
  /** It may name the person behind a token, and behind a request: `fhirUser` of its assertion, X-Sutura-User. */
  readonly namesPersons: boolean;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}
