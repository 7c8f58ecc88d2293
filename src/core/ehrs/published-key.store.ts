/** By what assertions to EHRs are signed (SMART App Launch 2.2, client-confidential-asymmetric). */
export const PUBLISHED_ALGORITHMS = ['ES384', 'RS384'] as const;
export type PublishedAlgorithm = (typeof PUBLISHED_ALGORITHMS)[number];

/** A key by which EHRs know an organization. */
export interface PublishedKey {
  readonly kid: string;
  readonly algorithm: PublishedAlgorithm;
  /** JSON Web Key, public part. */
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** JSON Web Key; kept encrypted where the installation has a key. */
  readonly privateJwk: Readonly<Record<string, unknown>>;
  readonly signsFrom: Date;
  /** null: until the next rotation. It stays published for a day after that. */
  readonly signsUntil: Date | null;
}

/** A published key outlives its last signature by so long: an assertion lives five minutes, and an EHR may keep a key set for a day. */
export const PUBLISHED_AFTER_S = 86_400;

/** The keys of organizations, shared by all processes. Each organization has its own: an EHR that trusts one of them trusts no other. */
export abstract class PublishedKeyStore {
  /** Those of the organization that are published, the newest of each algorithm first. Empty for an unknown organization, too. */
  abstract published(organizationId: string): Promise<readonly PublishedKey[]>;
  /** False for an unknown or malformed id. */
  abstract isOrganization(organizationId: string): Promise<boolean>;
  /** True where it has registered an EHR, in either environment. False for an unknown or malformed id. */
  abstract hasEhr(organizationId: string): Promise<boolean>;
  /** The organization of an installation that has no other, whether that one has EHRs or not. null: there is none, or there are several. */
  abstract only(): Promise<string | null>;
  /** Keeps those whose algorithm has no key yet; another process may have been quicker. */
  abstract addFirst(organizationId: string, keys: readonly PublishedKey[]): Promise<void>;
  /**
   * In the place of those of the organization that sign now: these sign no more from `signsFrom` of the new one of their algorithm. `atOnce`: they
   * are gone, and so are all others of the organization.
   */
  abstract rotate(organizationId: string, keys: readonly PublishedKey[], atOnce: boolean): Promise<void>;
}
