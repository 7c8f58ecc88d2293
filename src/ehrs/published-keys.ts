import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import {
  PUBLISHED_ALGORITHMS,
  type PublishedAlgorithm,
  type PublishedKey,
  type PublishedKeyStore,
} from '../core/ehrs/published-key.store.js';
import { SuturaError } from '../core/errors/sutura-error.js';
import type { Clock } from '../core/ports/clock.js';
import type { IdSource } from '../core/ports/id-source.js';

/** How long an EHR may keep the key set (Cache-Control). New keys sign only after that, so that no EHR meets a signature whose key it has not read. */
export const KEY_SET_LIFE_S = 3600;
const RSA_BITS = 3072;
const CACHED_MS = 5000;
/** Organizations. */
const MOST_CACHED = 1000;
/** RFC 7523 and SMART: at most five minutes, less what the clocks of two machines differ by. */
const ASSERTION_LIFE_S = 240;

/** What an assertion is for. */
export interface AssertionTerms {
  /** Whose EHR it is: its own keys sign. */
  readonly organizationId: string;
  /** By which the EHR knows this service: `iss` and `sub`. */
  readonly clientId: string;
  /** The token endpoint, to the character: `aud`. */
  readonly tokenUrl: string;
  /** `token_endpoint_auth_signing_alg_values_supported` of the EHR; absent: it states none. */
  readonly algorithms?: readonly string[] | undefined;
}

/** `client_assertion_type` of what `assert` signs. */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The EHR states how assertions may be signed, and takes neither ES384 nor RS384. */
export class NoAssertionError extends Error {}

/** As EHRs read it (RFC 7517): public parts alone, those that signed until a day ago too. */
export interface PublishedKeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

interface CachedKeys {
  readonly keys: readonly PublishedKey[];
  readonly untilMs: number;
}

/**
 * The keys by which EHRs know the organizations that they work with, made at the first need, and what is signed with them. Each organization has its
 * own: with keys of all, whoever registers an EHR could have a signature made that another organization's EHR takes.
 */
export class PublishedKeys {
  private readonly cached = new Map<string, CachedKeys>();
  private readonly running = new Map<string, Promise<readonly PublishedKey[]>>();

  constructor(
    private readonly store: PublishedKeyStore,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Empty until the organization has registered an EHR. `organization.not_found`. */
  async keySetOf(organizationId: string): Promise<PublishedKeySet> {
    return { keys: (await this.published(organizationId)).map(({ publicJwk }) => publicJwk) };
  }

  /**
   * Where no organization is named: of the only one, and empty as soon as there are two. With whichever of several, an EHR that was given this address
   * could trust the keys of strangers.
   */
  async keySet(): Promise<PublishedKeySet> {
    const organizationId = await this.store.only();
    return organizationId === null ? { keys: [] } : this.keySetOf(organizationId);
  }

  /** True where the address that names no organization has the keys of this one. */
  async isOnly(organizationId: string): Promise<boolean> {
    return (await this.store.only()) === organizationId;
  }

  /**
   * Signs who this service is (RFC 7523), once: with a `jti` of its own, for four minutes. By ES384 unless the EHR takes RS384 alone.
   * NoAssertionError where it states algorithms and takes neither; `ehr.not_found` where the organization has no EHR any more and never had keys.
   */
  async assert({ organizationId, clientId, tokenUrl, algorithms }: AssertionTerms): Promise<string> {
    const algorithm = PUBLISHED_ALGORITHMS.find((one) => algorithms === undefined || algorithms.includes(one));
    if (algorithm === undefined) throw new NoAssertionError();
    const key = await this.signing(organizationId, algorithm);
    if (key === null) throw new SuturaError('ehr.not_found');
    const nowS = Math.floor(this.clock.now().getTime() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: 'JWT' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(tokenUrl)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + ASSERTION_LIFE_S)
      .setJti(this.ids.next())
      .sign(await importJWK(key.privateJwk as JWK, algorithm));
  }

  /**
   * New keys of both algorithms: published at once, and signing once nobody has a key set without them. All keys with them; none where the
   * organization never had an EHR, since no key of it is trusted anywhere. `organization.not_found`.
   */
  async rotate(organizationId: string, atOnce: boolean): Promise<readonly PublishedKey[]> {
    const delayMs = atOnce ? 0 : KEY_SET_LIFE_S * 1000;
    // Without a first one there would be none to sign meanwhile.
    if ((await this.published(organizationId)).length === 0) return [];
    await this.store.rotate(organizationId, await this.make(new Date(this.clock.now().getTime() + delayMs)), atOnce);
    this.cached.delete(organizationId);
    return this.published(organizationId);
  }

  private async signing(organizationId: string, algorithm: PublishedAlgorithm): Promise<PublishedKey | null> {
    const now = this.clock.now();
    const keys = (await this.published(organizationId)).filter((key) => key.algorithm === algorithm);
    const present = keys.find(
      ({ signsFrom, signsUntil }) => signsFrom <= now && (signsUntil === null || signsUntil > now),
    );
    // Clocks of two machines differ: the newest, before none.
    return present ?? keys[0] ?? null;
  }

  /** Read again after five seconds: key sets are public, and everybody may ask for them. */
  private async published(organizationId: string): Promise<readonly PublishedKey[]> {
    const cached = this.cached.get(organizationId);
    if (cached !== undefined && performance.now() < cached.untilMs) return cached.keys;
    // Making keys takes a processor for a while: many who ask at once have them made once.
    const running =
      this.running.get(organizationId) ?? this.read(organizationId).finally(() => this.running.delete(organizationId));
    this.running.set(organizationId, running);
    const keys = await running;
    // The first registration fills it at once.
    if (keys.length === 0) return keys;
    if (this.cached.size >= MOST_CACHED) this.cached.clear();
    this.cached.set(organizationId, { keys, untilMs: performance.now() + CACHED_MS });
    return keys;
  }

  private async read(organizationId: string): Promise<readonly PublishedKey[]> {
    const known = await this.store.published(organizationId);
    if (PUBLISHED_ALGORITHMS.every((algorithm) => known.some((key) => key.algorithm === algorithm))) return known;
    // Nothing is made for whoever made up an id.
    if (!(await this.store.isOrganization(organizationId))) throw new SuturaError('organization.not_found');
    // Everybody may ask: whoever works with no EHR gets no keys by it.
    if (!(await this.store.hasEhr(organizationId))) return known;
    await this.store.addFirst(organizationId, await this.make(this.clock.now()));
    return this.store.published(organizationId);
  }

  private make(signsFrom: Date): Promise<PublishedKey[]> {
    return Promise.all(
      PUBLISHED_ALGORITHMS.map(async (algorithm) => {
        const { publicKey, privateKey } = await generateKeyPair(algorithm, {
          extractable: true,
          modulusLength: RSA_BITS,
        });
        const kid = this.ids.next();
        const named = { kid, alg: algorithm, use: 'sig', key_ops: ['verify'] };
        const publicJwk = { ...(await exportJWK(publicKey)), ...named };
        return {
          kid,
          algorithm,
          publicJwk,
          privateJwk: { ...(await exportJWK(privateKey)) },
          signsFrom,
          signsUntil: null,
        };
      }),
    );
  }
}
