import { randomUUID } from 'node:crypto';
import { Signer, type Signature } from './forged-tokens.js';
import type { Fields } from './json.js';

/** What can be wrong with the token of a call; each must be answered with 401. `jku-elsewhere` names keys that no registration has. */
export const CALLER_FAULTS = [
  'missing',
  'not-bearer',
  'malformed',
  'alg-none',
  'hs256-secret',
  'hs256-public-key',
  'other-key',
  'unknown-kid',
  'no-kid',
  'tampered',
  'jku-elsewhere',
  'expired',
  'no-expiry',
  'issued-in-future',
  'no-issued-at',
  'other-issuer',
  'no-issuer',
  'other-audience',
  'audience-of-base',
  'no-audience',
  'no-jti',
  'replayed',
  'other-typ',
] as const;
export type CallerFault = (typeof CALLER_FAULTS)[number];

const SIGNATURES: Partial<Record<CallerFault, Signature>> = {
  'alg-none': 'alg-none',
  'hs256-secret': 'hs256-secret',
  'hs256-public-key': 'hs256-public-key',
  'other-key': 'other-key',
  'unknown-kid': 'unknown-kid',
  'no-kid': 'no-kid',
  tampered: 'tampered',
};
const PATIENCE_MS = 30_000;

/** An answer of a CDS service. */
export interface CdsAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The EHR as the client of CDS services: every call has a token of its own, for exactly its address. */
export class CdsClient {
  private readonly signer = new Signer('ES384', 'ehr-cds-1');

  constructor(
    readonly issuer: string,
    readonly jwksUrl: string,
    private readonly now: () => number,
  ) {}

  keySet(): Promise<Fields> {
    return this.signer.keySet();
  }

  /** `GET {base}/cds-services`. */
  discover(base: string, fault?: CallerFault): Promise<CdsAnswer> {
    return this.call('GET', base, '/cds-services', undefined, fault);
  }

  /** `POST {base}/cds-services/{id}`; `hookInstance` is made unless the request has one. */
  ask(base: string, serviceId: string, request: Fields, fault?: CallerFault): Promise<CdsAnswer> {
    return this.call('POST', base, `/cds-services/${serviceId}`, { hookInstance: randomUUID(), ...request }, fault);
  }

  /** `POST {base}/cds-services/{id}/feedback`. */
  tell(base: string, serviceId: string, feedback: readonly Fields[], fault?: CallerFault): Promise<CdsAnswer> {
    return this.call('POST', base, `/cds-services/${serviceId}/feedback`, { feedback }, fault);
  }

  /** The value of `Authorization` for a call of this address; undefined for none. */
  async authorization(url: string, fault?: CallerFault): Promise<string | undefined> {
    if (fault === 'missing') return undefined;
    if (fault === 'malformed') return 'Bearer not.a.token';
    const header: Fields =
      fault === 'jku-elsewhere'
        ? { jku: 'https://ehr.invalid/jwks' }
        : { jku: this.jwksUrl, ...(fault === 'other-typ' ? { typ: 'at+jwt' } : {}) };
    const signature = fault === undefined ? 'right' : (SIGNATURES[fault] ?? 'right');
    const token = await this.signer.sign(this.claims(url, fault), signature, { secret: 'guessed', header });
    return fault === 'not-bearer' ? `Basic ${token}` : `Bearer ${token}`;
  }

  private async call(
    method: 'GET' | 'POST',
    base: string,
    path: string,
    body: Fields | undefined,
    fault: CallerFault | undefined,
  ): Promise<CdsAnswer> {
    const url = `${base}${path}`;
    const authorization = await this.authorization(url, fault);
    const send = async (): Promise<CdsAnswer> => {
      const answer = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: parsed(text) };
    };
    const first = await send();
    return fault === 'replayed' ? send() : first;
  }

  private claims(url: string, fault: CallerFault | undefined): Fields {
    const nowS = Math.floor(this.now() / 1_000);
    const right = { iss: this.issuer, aud: url, iat: nowS, exp: nowS + 240, jti: randomUUID() };
    const wrong: Partial<Record<CallerFault, Fields>> = {
      expired: { iat: nowS - 7_200, exp: nowS - 3_600 },
      'no-expiry': { exp: undefined },
      'issued-in-future': { iat: nowS + 3_600, exp: nowS + 3_840 },
      'no-issued-at': { iat: undefined },
      'other-issuer': { iss: 'https://ehr.invalid' },
      'no-issuer': { iss: undefined },
      'other-audience': { aud: 'https://other.invalid/cds-services/another' },
      'audience-of-base': { aud: new URL(url).origin },
      'no-audience': { aud: undefined },
      'no-jti': { jti: undefined },
    };
    return { ...right, ...(fault === undefined ? {} : wrong[fault]) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
