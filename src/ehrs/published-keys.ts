import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import {
  PUBLISHED_ALGORITHMS,
  type PublishedAlgorithm,
  type PublishedKey,
  type PublishedKeyStore,
} from '../core/ehrs/published-key.store.js';
import type { Clock } from '../core/ports/clock.js';
import type { IdSource } from '../core/ports/id-source.js';

/** How long an EHR may keep the key set (Cache-Control). New keys sign only after that, so that no EHR meets a signature whose key it has not read. */
export const KEY_SET_LIFE_S = 3600;
const RSA_BITS = 3072;
const CACHED_MS = 5000;
/** RFC 7523 and SMART: at most five minutes, less what the clocks of two machines differ by. */
const ASSERTION_LIFE_S = 240;

/** What an assertion is for. */
export interface AssertionTerms {
  /** By which the EHR knows this service: `iss` and `sub`. */
  readonly clientId: string;
  /** The token endpoint, to the character: `aud`. */
  readonly tokenUrl: string;
  /** `token_endpoint_auth_signing_alg_values_supported` of the EHR; absent: it states none. */
  readonly algorithms?: readonly string[] | undefined;
}

/** `client_assertion_type` of what `assert` signs. */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The keys by which EHRs know this service, made at the first need, and what is signed with them. */
export class PublishedKeys {
  private cached: { readonly keys: readonly PublishedKey[]; readonly untilMs: number } | undefined;

  constructor(
    private readonly store: PublishedKeyStore,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Public parts alone, those that signed until a day ago too. */
  async keySet(): Promise<{ readonly keys: readonly Readonly<Record<string, unknown>>[] }> {
    return { keys: (await this.published()).map(({ publicJwk }) => publicJwk) };
  }

  /**
   * Signs who this service is (RFC 7523), once: with a `jti` of its own, for four minutes. By ES384 unless the EHR takes RS384 alone. Throws where it
   * states algorithms and takes neither.
   */
  async assert({ clientId, tokenUrl, algorithms }: AssertionTerms): Promise<string> {
    const algorithm = PUBLISHED_ALGORITHMS.find((one) => algorithms === undefined || algorithms.includes(one));
    if (algorithm === undefined) throw new Error('The EHR takes neither ES384 nor RS384.');
    const key = await this.signing(algorithm);
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

  /** New keys of both algorithms: published at once, and signing once nobody has a key set without them. The key set with them. */
  async rotate(atOnce: boolean): Promise<readonly PublishedKey[]> {
    const delayMs = atOnce ? 0 : KEY_SET_LIFE_S * 1000;
    // Without a first one there would be none to sign meanwhile.
    if (!atOnce) await this.published();
    await this.store.rotate(await this.make(new Date(this.clock.now().getTime() + delayMs)), atOnce);
    this.cached = undefined;
    return this.published();
  }

  private async signing(algorithm: PublishedAlgorithm): Promise<PublishedKey> {
    const now = this.clock.now();
    const keys = (await this.published()).filter((key) => key.algorithm === algorithm);
    const present = keys.find(
      ({ signsFrom, signsUntil }) => signsFrom <= now && (signsUntil === null || signsUntil > now),
    );
    // Clocks of two machines differ: the newest, before none.
    return present ?? keys[0]!;
  }

  /** Read again after five seconds: the key set is public, and everybody may ask for it. */
  private async published(): Promise<readonly PublishedKey[]> {
    if (this.cached !== undefined && performance.now() < this.cached.untilMs) return this.cached.keys;
    const keys = await this.read();
    this.cached = { keys, untilMs: performance.now() + CACHED_MS };
    return keys;
  }

  private async read(): Promise<readonly PublishedKey[]> {
    const known = await this.store.published();
    if (PUBLISHED_ALGORITHMS.every((algorithm) => known.some((key) => key.algorithm === algorithm))) return known;
    await this.store.addFirst(await this.make(this.clock.now()));
    return this.store.published();
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
