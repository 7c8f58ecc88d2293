/** By what assertions to EHRs are signed (SMART App Launch 2.2, client-confidential-asymmetric). */
export const PUBLISHED_ALGORITHMS = ['ES384', 'RS384'] as const;
export type PublishedAlgorithm = (typeof PUBLISHED_ALGORITHMS)[number];

/** A key by which EHRs know this service. */
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

/** The keys of the installation, shared by all processes. */
export abstract class PublishedKeyStore {
  /** Those that are published, the newest of each algorithm first. */
  abstract published(): Promise<readonly PublishedKey[]>;
  /** Keeps those whose algorithm has no key yet; another process may have been quicker. */
  abstract addFirst(keys: readonly PublishedKey[]): Promise<void>;
  /**
   * In the place of those that sign now: these sign no more from `signsFrom` of the new one of their algorithm. `atOnce`: they are gone, and so are all
   * others.
   */
  abstract rotate(keys: readonly PublishedKey[], atOnce: boolean): Promise<void>;
}
