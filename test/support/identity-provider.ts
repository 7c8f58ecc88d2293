import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { freePort } from './free-port.js';

const CLIENT = { id: 'sutura', secret: 'secretOfTheTest' };

/** What the next login states, and what of it is wrong. */
export interface ProviderWish {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly nonce?: string;
  readonly expiresInS?: number;
  readonly isForged?: boolean;
  /** By which this service may ask again. */
  readonly offers?: 'refresh' | 'userinfo' | 'nothing';
}

interface SentOut {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly wish: ProviderWish;
}

/** A strict identity provider: a code works once, with its verifier, its address and the client's secret. */
export class TestIdentityProvider {
  private readonly codes = new Map<string, SentOut>();
  private readonly granted = new Map<string, ProviderWish>();
  /** What is said of a subject who is asked about again, if not the same as at the login; null: the grant is withdrawn. */
  readonly later = new Map<string, Readonly<Record<string, unknown>> | null>();
  /** Answers to questions about people who logged in before. */
  asked = 0;
  isSilent = false;
  private wish: ProviderWish = { claims: {} };
  /** Requests of the token endpoint that were refused, by reason. */
  readonly refused: string[] = [];

  private constructor(
    readonly issuer: string,
    private readonly server: ReturnType<typeof createServer>,
    private readonly keys: { readonly right: CryptoKey; readonly wrong: CryptoKey; readonly jwk: JWK },
  ) {}

  static async start(): Promise<TestIdentityProvider> {
    const [right, wrong] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
    const jwk = { ...(await exportJWK(right.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
    const server = createServer((request, response) => void provider.answer(request, response));
    const free = await freePort();
    await new Promise<void>((done) => server.listen(free, '127.0.0.1', done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new TestIdentityProvider(issuer, server, {
      right: right.privateKey,
      wrong: wrong.privateKey,
      jwk,
    });
    return provider;
  }

  get settings(): Record<string, string> {
    return {
      SUTURA_OIDC_ISSUER: this.issuer,
      SUTURA_OIDC_CLIENT_ID: CLIENT.id,
      SUTURA_OIDC_CLIENT_SECRET: CLIENT.secret,
    };
  }

  next(wish: ProviderWish): void {
    this.wish = wish;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.issuer);
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        userinfo_endpoint: `${this.issuer}/userinfo`,
      });
    if (pathname === '/jwks') return json(200, { keys: [this.keys.jwk] });
    if (pathname === '/authorize') return this.authorize(searchParams, response);
    if (pathname === '/userinfo') return this.userInfo(request.headers.authorization, json, response);
    const form = new URLSearchParams(await text(request));
    if (form.get('grant_type') === 'refresh_token') return this.refresh(form.get('refresh_token')!, json);
    const fault = this.faultOf(form, request.headers.authorization);
    if (fault !== null) {
      this.refused.push(fault);
      return json(400, { error: 'invalid_grant' });
    }
    const sent = this.codes.get(form.get('code')!)!;
    this.codes.delete(form.get('code')!);
    const { offers = 'nothing' } = sent.wish;
    json(200, {
      ...this.grant(sent.wish, offers),
      ...(offers === 'nothing' ? { expires_in: 0 } : {}),
      id_token: await this.idToken(sent),
    });
  }

  /** Each token works once, as a strict provider has it. */
  private async refresh(token: string, json: (status: number, body: unknown) => void): Promise<void> {
    this.asked += 1;
    const wish = this.granted.get(token);
    this.granted.delete(token);
    if (this.isSilent) return json(503, {});
    const claims = wish === undefined ? null : this.claimsNow(wish);
    if (wish === undefined || claims === null) return json(400, { error: 'invalid_grant' });
    const sent = { challenge: '', nonce: '', redirectUri: '', wish: { ...wish, claims } };
    json(200, { ...this.grant(wish, 'refresh'), id_token: await this.idToken(sent) });
  }

  private userInfo(authorization = '', json: (status: number, body: unknown) => void, response: ServerResponse): void {
    this.asked += 1;
    const wish = this.granted.get(authorization.replace(/^bearer /i, ''));
    const claims = wish === undefined ? null : this.claimsNow(wish);
    if (claims !== null) return json(200, claims);
    response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
  }

  private claimsNow({ claims }: ProviderWish): Readonly<Record<string, unknown>> | null {
    const later = this.later.get(String(claims['sub']));
    return later === undefined ? claims : later;
  }

  private grant(wish: ProviderWish, offers: ProviderWish['offers']): Readonly<Record<string, unknown>> {
    const [access, refresh] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    this.granted.set(access, wish).set(refresh, wish);
    return { access_token: access, token_type: 'bearer', ...(offers === 'refresh' ? { refresh_token: refresh } : {}) };
  }

  private authorize(asked: URLSearchParams, response: ServerResponse): void {
    const isRight =
      asked.get('response_type') === 'code' &&
      asked.get('client_id') === CLIENT.id &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('scope')!.split(' ').includes('openid');
    if (!isRight) return void response.writeHead(400).end();
    const code = randomBytes(16).toString('hex');
    const redirectUri = asked.get('redirect_uri')!;
    const wish = this.wish;
    this.codes.set(code, { challenge: asked.get('code_challenge')!, nonce: asked.get('nonce')!, redirectUri, wish });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: asked.get('state')! }).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  private faultOf(form: URLSearchParams, authorization = ''): string | null {
    const sent = this.codes.get(form.get('code') ?? '');
    if (sent === undefined) return 'code';
    const secret = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
    if (authorization !== `Basic ${secret}`) return 'client';
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== sent.challenge) return 'verifier';
    return form.get('redirect_uri') === sent.redirectUri ? null : 'redirect_uri';
  }

  private idToken({ nonce, wish }: SentOut): Promise<string> {
    const nowS = Math.floor(Date.now() / 1000);
    return new SignJWT({ nonce: wish.nonce ?? nonce, ...wish.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(wish.issuer ?? this.issuer)
      .setAudience(wish.audience ?? CLIENT.id)
      .setIssuedAt(nowS - 400)
      .setExpirationTime(nowS + (wish.expiresInS ?? 300))
      .sign(wish.isForged === true ? this.keys.wrong : this.keys.right);
  }
}
