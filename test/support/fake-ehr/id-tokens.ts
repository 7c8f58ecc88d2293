import { Signer, type Signature } from './forged-tokens.js';
import type { Fields } from './json.js';
import type { IdTokenFault } from './launches.js';

/** What a right id_token states. */
export interface IdTokenFacts {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string | undefined;
  readonly fhirUser: string;
  readonly name: string | undefined;
  /** The secret of a symmetric client. */
  readonly secret: string | undefined;
}

const SIGNATURES: Partial<Record<IdTokenFault, Signature>> = {
  'id-alg-none': 'alg-none',
  'id-hs256-secret': 'hs256-secret',
  'id-hs256-public-key': 'hs256-public-key',
  'id-other-key': 'other-key',
  'id-unknown-kid': 'unknown-kid',
  'id-no-kid': 'no-kid',
  'id-tampered': 'tampered',
};

/** Signs id_tokens, right ones and each wrong kind. */
export class IdTokens {
  private readonly signer = new Signer('RS256', 'ehr-id-1');

  constructor(private readonly now: () => number) {}

  keySet(): Promise<Fields> {
    return this.signer.keySet();
  }

  /** undefined where the answer shall have none. */
  async sign(facts: IdTokenFacts, fault?: IdTokenFault): Promise<string | undefined> {
    if (fault === 'id-missing') return undefined;
    if (fault === 'id-not-a-token') return 'this.is-not.a-token';
    const claims = { ...this.rightClaims(facts), ...(fault === undefined ? {} : this.wrongClaims(facts, fault)) };
    const signature = fault === undefined ? 'right' : (SIGNATURES[fault] ?? 'right');
    return this.signer.sign(claims, signature, facts.secret === undefined ? {} : { secret: facts.secret });
  }

  private get nowS(): number {
    return Math.floor(this.now() / 1_000);
  }

  private rightClaims({ issuer, clientId, nonce, fhirUser, name }: IdTokenFacts): Fields {
    const nowS = this.nowS;
    return { iss: issuer, sub: fhirUser, aud: clientId, nonce, fhirUser, name, iat: nowS, exp: nowS + 300 };
  }

  private wrongClaims({ clientId }: IdTokenFacts, fault: IdTokenFault): Fields {
    const nowS = this.nowS;
    const wrong: Partial<Record<IdTokenFault, Fields>> = {
      'id-wrong-nonce': { nonce: 'nonce-of-another-launch' },
      'id-no-nonce': { nonce: undefined },
      'id-expired': { iat: nowS - 7_200, exp: nowS - 3_600 },
      'id-no-expiry': { exp: undefined },
      'id-issued-in-future': { iat: nowS + 3_600, exp: nowS + 7_200 },
      'id-no-issued-at': { iat: undefined },
      'id-other-audience': { aud: 'another-client' },
      'id-several-audiences': { aud: [clientId, 'another-client'] },
      'id-other-authorized-party': { aud: [clientId, 'another-client'], azp: 'another-client' },
      'id-other-issuer': { iss: 'https://ehr.invalid/oauth2' },
      'id-no-subject': { sub: undefined },
      'id-no-fhir-user': { fhirUser: undefined },
      'id-fhir-user-is-patient': { fhirUser: 'Patient/pat-1' },
      'id-fhir-user-elsewhere': { fhirUser: 'https://ehr.invalid/fhir/Practitioner/1' },
    };
    return wrong[fault] ?? {};
  }
}
