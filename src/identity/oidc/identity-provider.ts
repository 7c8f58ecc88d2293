import { createHash } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  enableNonRepudiationChecks,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type IDToken,
} from 'openid-client';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { ProviderLogins } from '../../core/users/provider-logins.js';
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

const LOGIN_LIFE_S = 600;
const TIMEOUT_S = 10;

/** OpenID Connect with an authorization code and PKCE (RFC 7636). What the provider publishes is read at the first login. */
export class IdentityProvider {
  private configuration: Promise<Configuration> | undefined;

  constructor(
    private readonly terms: ProviderTerms,
    private readonly logins: ProviderLogins,
    private readonly logger: Pick<Logger, 'warn'>,
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
      ...{ state, nonce },
    });
    return { address: address.href, state };
  }

  /**
   * The claims of the person who comes back. `asked`: the address that the browser asked for, with its query; `state`: what this browser was
   * sent with. `login.provider`.
   */
  async complete(asked: URL, state: string | null): Promise<IDToken> {
    const login = state === null ? null : await this.logins.take(digestOf(state));
    if (state === null || login === null) throw new SuturaError('login.provider');
    return this.orRefuse(async () => {
      const tokens = await authorizationCodeGrant(await this.configured(), asked, {
        pkceCodeVerifier: login.verifier,
        expectedNonce: login.nonce,
        expectedState: state,
        idTokenExpected: true,
      });
      return tokens.claims()!;
    });
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
      const { code, error } = fault as { readonly code?: unknown; readonly error?: unknown };
      this.logger.warn('oidc.refused', {
        code: String(code ?? 'unknown'),
        error: typeof error === 'string' ? error : null,
      });
      throw new SuturaError('login.provider');
    }
  }
}

function digestOf(state: string): Buffer {
  return createHash('sha256').update(state, 'utf8').digest();
}
