import { createHash } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  type Configuration,
  type IDToken,
  type TokenEndpointResponse,
} from 'openid-client';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { Clock } from '../../core/ports/clock.js';
import type { ProviderLogins } from '../../core/users/provider-logins.js';
import type { ProviderTokens } from '../../core/users/provider-sessions.js';
import type { Logger } from '../../platform/logging/logger.js';

/** How the identity provider knows this service. */
export interface ProviderTerms {
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
}

/** A login on its way: where the browser goes, and what it brings back. */
export interface SentLogin {
  readonly address: string;
  readonly state: string;
}

/** Who came back from the provider. `tokens` null: it can not be asked again. */
export interface CompletedLogin {
  readonly claims: IDToken;
  readonly tokens: ProviderTokens | null;
}

/** What the provider answers when it is asked again. */
export type SaidAgain =
  | {
      readonly kind: 'claims';
      readonly by: 'id-token' | 'userinfo';
      readonly claims: Readonly<Record<string, unknown>>;
      readonly tokens: ProviderTokens;
    }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'silent'; readonly tokens: ProviderTokens };

const LOGIN_LIFE_S = 600;
const TIMEOUT_S = 10;

/** OpenID Connect with an authorization code and PKCE (RFC 7636). What the provider publishes is read at the first login. */
export class IdentityProvider {
  private configuration: Promise<Configuration> | undefined;

  constructor(
    private readonly terms: ProviderTerms,
    private readonly logins: ProviderLogins,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock,
  ) {}

  /** `redirectUri`: where the provider sends the browser. `login.provider` where it does not answer. */
  async begin(redirectUri: string): Promise<SentLogin> {
    const configuration = await this.orRefuse(() => this.configured());
    const [verifier, nonce, state] = [randomPKCECodeVerifier(), randomNonce(), randomState()];
    await this.logins.begin(digestOf(state), { verifier, nonce }, LOGIN_LIFE_S);
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.terms.scopes,
      response_type: 'code',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { address: address.href, state };
  }

  /**
   * The claims of the person who comes back, and with what they are asked about again. `asked`: the address that the browser asked for, with its query; `state`: what this browser was
   * sent with. `login.provider`.
   */
  async complete(asked: URL, state: string | null): Promise<CompletedLogin> {
    const login = state === null ? null : await this.logins.take(digestOf(state));
    if (state === null || login === null) throw new SuturaError('login.provider');
    return this.orRefuse(async () => {
      const configuration = await this.configured();
      const answer = await authorizationCodeGrant(configuration, asked, {
        pkceCodeVerifier: login.verifier,
        expectedNonce: login.nonce,
        expectedState: state,
        idTokenExpected: true,
      });
      const claims = answer.claims()!;
      const tokens = this.tokensOf(answer, claims.sub);
      const canBeAsked = tokens.refresh !== null || configuration.serverMetadata().userinfo_endpoint !== undefined;
      return { claims, tokens: canBeAsked ? tokens : null };
    });
  }

  /** The provider's present answer about a logged-in person. `withdrawn`: the grant was refused. Never rejects. */
  async askAgain(held: ProviderTokens): Promise<SaidAgain> {
    let tokens = held;
    try {
      const configuration = await this.configured();
      if (held.refresh !== null) {
        const answer = await refreshTokenGrant(configuration, held.refresh);
        tokens = this.tokensOf(answer, held.subject, held.refresh);
        const claims = answer.claims();
        if (claims !== undefined && claims.sub !== held.subject) return { kind: 'withdrawn' };
        if (claims !== undefined) return { kind: 'claims', by: 'id-token', claims, tokens };
      }
      return await this.userInfo(configuration, tokens);
    } catch (fault) {
      const { status, error } = fault as { readonly status?: unknown; readonly error?: unknown };
      const isRefused = error === 'invalid_grant' || (status === 401 && error !== 'invalid_client');
      this.logger.warn(isRefused ? 'oidc.withdrawn' : 'oidc.silent', this.wordsOf(fault));
      return isRefused ? { kind: 'withdrawn' } : { kind: 'silent', tokens };
    }
  }

  private async userInfo(configuration: Configuration, tokens: ProviderTokens): Promise<SaidAgain> {
    const { access, accessUntil, subject } = tokens;
    const isOver = accessUntil !== null && accessUntil <= this.clock.now().getTime();
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    if (access === null || isOver || endpoint === undefined) return { kind: 'silent', tokens };
    return { kind: 'claims', by: 'userinfo', claims: await fetchUserInfo(configuration, access, subject), tokens };
  }

  /** `former`: the refresh token, used further if the answer has no new one. */
  private tokensOf(answer: TokenEndpointResponse, subject: string, former: string | null = null): ProviderTokens {
    const { access_token: access, refresh_token: refresh = former, expires_in: lifeS } = answer;
    const accessUntil = lifeS === undefined ? null : this.clock.now().getTime() + lifeS * 1000;
    return { subject, refresh, access, accessUntil };
  }

  private configured(): Promise<Configuration> {
    this.configuration ??= this.discover().catch((fault: unknown) => {
      this.configuration = undefined;
      throw fault;
    });
    return this.configuration;
  }

  private discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.terms;
    const authentication = clientSecret === undefined ? None() : ClientSecretBasic(clientSecret);
    return discovery(new URL(issuer), clientId, undefined, authentication, {
      timeout: TIMEOUT_S,
      // The signature of an ID token is checked even where TLS vouches for it; http is let through by the setting for this machine itself alone.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    });
  }

  /** The library's errors name what was wrong; tokens and codes are never logged. */
  private async orRefuse<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (fault) {
      if (fault instanceof SuturaError) throw fault;
      this.logger.warn('oidc.refused', this.wordsOf(fault));
      throw new SuturaError('login.provider');
    }
  }

  private wordsOf(fault: unknown): { readonly code: string; readonly error: string | null } {
    const { code, error } = fault as { readonly code?: unknown; readonly error?: unknown };
    return { code: typeof code === 'string' ? code : 'unknown', error: typeof error === 'string' ? error : null };
  }
}

function digestOf(state: string): Buffer {
  return createHash('sha256').update(state, 'utf8').digest();
}
