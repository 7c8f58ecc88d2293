import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { JOSEError } from 'jose/errors';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { ClientRepository } from '../../core/organizations/client.repository.js';
import type { Clock } from '../../core/ports/clock.js';
import type { ClientRecord } from '../../core/tenancy/client-record.js';
import { PERSON_RULE, readPerson } from '../../core/tenancy/person.js';
import type { ClientKeySets } from './client-key-sets.js';

export const ASSERTION_ALGORITHMS = ['RS384', 'ES384'] as const;
/** SMART Backend Services, "exp": no more than five minutes in the future. */
const LONGEST_LIFE_S = 300;
const CLOCK_TOLERANCE_S = 10;
const LONGEST_JTI = 256;

/** A client that signed an assertion, and the person whom it named by the claim `fhirUser`. */
export interface IdentifiedClient {
  readonly client: ClientRecord;
  readonly person: string | null;
}

/** Checks what a client signed to say that it is the one (RFC 7523, SMART App Launch 2.2 client-confidential-asymmetric). */
export class ClientAssertions {
  constructor(
    private readonly clients: Pick<ClientRepository, 'findAtOnce' | 'useAssertion'>,
    private readonly keys: Pick<ClientKeySets, 'of'>,
    private readonly clock: Clock,
  ) {}

  /**
   * The client that signed it, once: an assertion that was used before is refused. `audience`: the address of the token endpoint.
   * `proven` is called once the signature is right. `oauth.client`, `auth.person`.
   */
  async clientOf(
    assertion: string,
    audience: string,
    proven: (client: ClientRecord) => void = () => undefined,
  ): Promise<IdentifiedClient> {
    const claimed = claimedBy(assertion);
    const client = await this.clients.findAtOnce(claimed);
    if (client === null) throw refused('The client id in iss and sub is not registered here.');
    const { jti, exp, fhirUser } = await this.verified(assertion, client, audience);
    proven(client);
    if (client.revokedAt !== null) throw refused('The client was revoked.');
    if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_JTI)
      throw refused(`jti must be a text of 1 to ${LONGEST_JTI} characters.`);
    const digest = createHash('sha256').update(jti, 'utf8').digest();
    // Kept as long as it could be accepted.
    const expiresAt = new Date((exp! + 2 * CLOCK_TOLERANCE_S) * 1000);
    if (!(await this.clients.useAssertion(client.id, digest, expiresAt)))
      throw refused('This assertion was used before. Sign a new one, with a new jti, for each request.');
    return { client, person: personOf(client, fhirUser) };
  }

  private async verified(assertion: string, client: ClientRecord, audience: string): Promise<JWTPayload> {
    const now = this.clock.now();
    const { payload } = await jwtVerify(assertion, this.keys.of(client), {
      algorithms: [...ASSERTION_ALGORITHMS],
      issuer: client.id,
      subject: client.id,
      audience,
      requiredClaims: ['exp', 'jti'],
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE_S,
    }).catch((fault: unknown) => {
      throw fault instanceof JOSEError ? refused(wordsOf(fault)) : fault;
    });
    if (payload.exp! > now.getTime() / 1000 + LONGEST_LIFE_S + CLOCK_TOLERANCE_S)
      throw refused('exp is more than five minutes ahead.');
    return payload;
  }
}

/** Who the assertion says that it is of; not checked yet. */
function claimedBy(assertion: string): string {
  try {
    const { kid } = decodeProtectedHeader(assertion);
    const { iss, sub } = decodeJwt(assertion);
    if (typeof kid !== 'string') throw refused('The header lacks kid, which names the key of the signature.');
    if (typeof iss !== 'string' || iss !== sub) throw refused('iss and sub must both be the client id.');
    return iss;
  } catch (fault) {
    throw fault instanceof SuturaError ? fault : refused('client_assertion is not a JSON Web Token.');
  }
}

function personOf({ namesPersons }: ClientRecord, fhirUser: unknown): string | null {
  if (fhirUser === undefined) return null;
  if (!namesPersons) throw new SuturaError('auth.person');
  const person = typeof fhirUser === 'string' ? readPerson(fhirUser) : null;
  if (person === null) throw refused(`fhirUser must be a text with ${PERSON_RULE}.`);
  return person;
}

/** jose's own words name claims and no values. */
function wordsOf({ code, message }: JOSEError): string {
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'The signature does not fit the registered key.';
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'No registered key of the client has this kid and algorithm.';
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return `The algorithm must be ${ASSERTION_ALGORITHMS.join(' or ')}.`;
  if (code === 'ERR_JWT_EXPIRED') return 'The assertion has expired. Sign a new one; check the clock of the client.';
  return code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' ? `A claim is not right: ${message}.` : 'It cannot be verified.';
}

function refused(detail: string): SuturaError {
  return new SuturaError('oauth.client', { detail });
}
