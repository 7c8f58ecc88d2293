import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { JOSEError } from 'jose/errors';
import type { EhrRegister } from '../../core/ehrs/ehr.register.js';
import type { Ehr } from '../../core/ehrs/ehr.js';
import type { EhrTokenLedger } from '../../core/ehrs/ehr-token.ledger.js';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import type { Clock } from '../../core/ports/clock.js';
import type { EhrKeySets } from '../../ehrs/index.js';
import type { LaunchThrottle } from '../../identity/index.js';

const ALGORITHMS: readonly string[] = ['ES384', 'RS384'];
/** CDS Hooks 2.0: no more than five minutes in the future. */
const LONGEST_LIFE_S = 300;
const CLOCK_TOLERANCE_S = 10;
const LONGEST_JTI = 256;
const LONGEST_ISSUER = 2000;

/** What a token says of itself before its signature was checked. */
interface Claimed {
  readonly issuer: string;
  readonly keySetUrl: string | undefined;
}

/** A call as it came. */
export interface CdsRequest {
  readonly authorization: string | undefined;
  /** Exactly what was called. */
  readonly address: string;
  /** The network address of the caller. */
  readonly from: string;
}

/** An EHR that asks for cards. */
export type CdsEhr = Ehr & { readonly cds: NonNullable<Ehr['cds']> };

/** Checks the token that every call of CDS Hooks has, discovery and feedback too (CDS Hooks 2.0, "Trusting CDS Clients"). */
export class CdsCallers {
  constructor(
    private readonly ehrs: Pick<EhrRegister, 'byCdsIssuer'>,
    private readonly keys: Pick<EhrKeySets, 'of'>,
    private readonly tokens: EhrTokenLedger,
    private readonly clock: Clock,
    private readonly turns: Pick<LaunchThrottle, 'countCall' | 'requireTurn' | 'failed'>,
  ) {}

  /**
   * The EHR that signed the call, once. `proven` is told of it once the signature is right. `cds.token`; `rate.limited`, by registration, and by where
   * it comes from once much from there was refused.
   */
  async ehrOf(call: CdsRequest, proven: (ehr: Ehr) => void = () => undefined): Promise<CdsEhr> {
    // Apart from launches: an EHR's server and a hospital's browsers may go out by one address.
    const place = `cds ${call.from}`;
    this.turns.requireTurn(place);
    try {
      return await this.admitted(call, proven);
    } catch (fault) {
      throw isSuturaError(fault, 'cds.token') ? this.turns.failed(place, fault) : fault;
    }
  }

  private async admitted({ authorization, address }: CdsRequest, proven: (ehr: Ehr) => void): Promise<CdsEhr> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw refused('Send the signed token of this call as "Authorization: Bearer <token>".');
    const { issuer, keySetUrl } = claimedBy(token);
    const ehr = issuer.length > LONGEST_ISSUER ? null : await this.ehrs.byCdsIssuer(issuer);
    if (ehr === null || !asksForCards(ehr)) throw refused('The issuer in iss is not registered here for CDS Hooks.');
    if (keySetUrl !== undefined && keySetUrl !== ehr.cds.jwksUrl)
      throw refused('jku is not the address of the key set that is registered. Leave it out, or have it registered.');
    const { jti, exp } = await this.verified(token, ehr, address);
    proven(ehr);
    if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_JTI)
      throw refused(`jti must be a text of 1 to ${LONGEST_JTI} characters.`);
    const digest = createHash('sha256').update(jti, 'utf8').digest();
    // Kept as long as it could be accepted.
    const expiresAt = new Date((exp! + 2 * CLOCK_TOLERANCE_S) * 1000);
    if (!(await this.tokens.use(ehr.id, digest, expiresAt)))
      throw refused('This token was used before. Sign a new one, with a new jti, for each call.');
    // One EHR that asks without end takes no other's turn; who repeats its tokens takes none of its.
    this.turns.countCall(ehr.id);
    return ehr;
  }

  private async verified(token: string, ehr: CdsEhr, address: string): Promise<JWTPayload> {
    const now = this.clock.now();
    const { payload } = await jwtVerify(token, this.keys.of(ehr, ehr.cds.jwksUrl), {
      algorithms: [...ALGORITHMS],
      issuer: ehr.cds.issuer,
      audience: address,
      typ: 'JWT',
      requiredClaims: ['exp', 'iat', 'jti'],
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE_S,
    }).catch((fault: unknown) => {
      throw fault instanceof JOSEError ? refused(wordsOf(fault)) : fault;
    });
    const nowS = now.getTime() / 1000;
    if (Array.isArray(payload.aud) && payload.aud.length !== 1)
      throw refused('aud names several addresses. Sign a token for each call.');
    if (payload.exp! > nowS + LONGEST_LIFE_S + CLOCK_TOLERANCE_S) throw refused('exp is more than five minutes ahead.');
    if (typeof payload.iat !== 'number' || payload.iat > nowS + CLOCK_TOLERANCE_S)
      throw refused('iat lies in the time to come. Check the clock of the EHR.');
    return payload;
  }
}

function asksForCards(ehr: Ehr): ehr is CdsEhr {
  return ehr.cds?.enabled === true;
}

/** Of whom the token says that it is; not checked yet. What no key could make right is refused before any key is fetched. */
function claimedBy(token: string): Claimed {
  try {
    const { alg, kid, jku } = decodeProtectedHeader(token);
    const { iss } = decodeJwt(token);
    if (alg === undefined || !ALGORITHMS.includes(alg))
      throw refused(`The algorithm must be ${ALGORITHMS.join(' or ')}.`);
    if (typeof kid !== 'string' || kid === '')
      throw refused('The header lacks kid, which names the key of the signature.');
    if (typeof iss !== 'string' || iss === '') throw refused('iss, which names the EHR, is missing.');
    return { issuer: iss, keySetUrl: jku };
  } catch (fault) {
    throw fault instanceof SuturaError ? fault : refused('The token is not a JSON Web Token.');
  }
}

/** jose's own words name claims and no values. */
function wordsOf({ code, message }: JOSEError): string {
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'The signature does not fit the key that kid names.';
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'No key of the registered key set has this kid and algorithm.';
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return `The algorithm must be ${ALGORITHMS.join(' or ')}.`;
  if (code === 'ERR_JWT_EXPIRED') return 'The token has expired. Sign a new one; check the clock of the EHR.';
  return code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' ? `A claim is not right: ${message}.` : 'It cannot be verified.';
}

function refused(detail: string): SuturaError {
  return new SuturaError('cds.token', { detail });
}
