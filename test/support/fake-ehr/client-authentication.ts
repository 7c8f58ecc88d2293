import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import type { RegisteredClient } from './launches.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Longest life of an assertion, in seconds (SMART 2.2). */
const LONGEST_LIFE_S = 300;
const KEYS_PATIENCE_MS = 10_000;

/** Who asks for a token: by Basic, by an assertion, or, of a public client, by its id. */
export class ClientAuthentication {
  private readonly used = new Set<string>();

  constructor(
    private readonly clients: ReadonlyMap<string, RegisteredClient>,
    private readonly tokenUrl: string,
    private readonly now: () => number,
  ) {}

  /** The client, or in words why it is none. */
  async clientOf(form: URLSearchParams, authorization: string | undefined): Promise<RegisteredClient | string> {
    if (form.has('client_secret')) return 'the secret stood in the form, not in Basic';
    if (form.has('client_assertion')) return this.byAssertion(form, authorization);
    if (authorization !== undefined) return this.byBasic(form, authorization);
    const client = this.clients.get(form.get('client_id') ?? '');
    if (client === undefined) return 'no client of this id';
    return client.type === 'public' ? client : `the client is ${client.type} and did not say who it is`;
  }

  private byBasic(form: URLSearchParams, authorization: string): RegisteredClient | string {
    const [, encoded] = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(authorization) ?? [];
    if (encoded === undefined) return 'Authorization is no Basic';
    const [id, secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':').map(decoded);
    const client = this.clients.get(id ?? '');
    if (client?.type !== 'symmetric') return 'no symmetric client of this id';
    if (form.has('client_id') && form.get('client_id') !== id) return 'client_id is another than in Basic';
    return client.secret === secret ? client : 'another secret';
  }

  private async byAssertion(
    form: URLSearchParams,
    authorization: string | undefined,
  ): Promise<RegisteredClient | string> {
    if (authorization !== undefined) return 'two ways to say who it is';
    if (form.get('client_assertion_type') !== ASSERTION_TYPE) return 'another client_assertion_type';
    const assertion = form.get('client_assertion')!;
    try {
      const { kid, alg, typ } = decodeProtectedHeader(assertion);
      if (kid === undefined) return 'the assertion has no kid';
      if (alg !== 'RS384' && alg !== 'ES384') return 'the assertion is signed by another algorithm';
      if (typ !== undefined && typ !== 'JWT') return 'the assertion is of another typ';
      const claimed = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
        iss?: unknown;
      };
      const client = this.clients.get(String(claimed.iss));
      if (client?.type !== 'asymmetric' || client.jwksUrl === undefined) return 'no asymmetric client of this id';
      if (form.has('client_id') && form.get('client_id') !== client.clientId) return 'client_id is another than iss';
      return await this.verified(assertion, client, client.jwksUrl);
    } catch (fault) {
      return `the assertion is not valid: ${fault instanceof Error ? fault.message : 'unreadable'}`;
    }
  }

  private async verified(
    assertion: string,
    client: RegisteredClient,
    jwksUrl: string,
  ): Promise<RegisteredClient | string> {
    const answer = await fetch(jwksUrl, { signal: AbortSignal.timeout(KEYS_PATIENCE_MS), redirect: 'error' });
    if (!answer.ok) return `the client's keys were answered with ${answer.status}`;
    const keys = (await answer.json()) as JSONWebKeySet;
    if (keys.keys.some((key) => key.d !== undefined || key.k !== undefined))
      return 'the client publishes a private key';
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      algorithms: ['RS384', 'ES384'],
      currentDate: new Date(this.now()),
      issuer: client.clientId,
      subject: client.clientId,
      requiredClaims: ['exp', 'jti', 'aud'],
    });
    if (payload.aud !== this.tokenUrl) return 'aud is not the token endpoint';
    if (payload.exp! > this.now() / 1_000 + LONGEST_LIFE_S) return 'the assertion lives longer than five minutes';
    const key = `${client.clientId} ${payload.jti!}`;
    if (this.used.has(key)) return 'the assertion was used before';
    this.used.add(key);
    return client;
  }
}

/** Id and secret are form-encoded in Basic (RFC 6749, 2.3.1). */
function decoded(part: string): string {
  return decodeURIComponent(part.replaceAll('+', ' '));
}
