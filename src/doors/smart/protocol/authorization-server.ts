import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
  type CustomFetch,
  type IDToken,
} from 'openid-client';
import type { Ehr, EhrLaunch } from '../../../core/ehrs/ehr.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import {
  ASSERTION_TYPE,
  badAnswer,
  EhrCaller,
  NoEhrAnswerError,
  PublishedKeys,
  type EhrAnswer,
  type SmartConfiguration,
} from '../../../ehrs/index.js';
import { unreachable } from './launch-fault.js';
import { scopesOf } from './launch-scopes.js';

/** Signatures with a key of two halves alone: with the others, whoever knows a public text could sign. */
const ID_TOKEN_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
const CLOCK_TOLERANCE_S = 60;
/** Of an id_token that is made for the code at hand. */
const LONGEST_AGE_S = 3600;
const LIMIT_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;

/** What the browser is sent out with. */
export interface SentLaunch {
  readonly iss: string;
  readonly launch: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** What a browser that comes back has to fit. */
export type AwaitedLaunch = Pick<SentLaunch, 'state' | 'nonce' | 'verifier'>;

export interface RedeemedLaunch {
  /** As the token endpoint answered; `readTokenAnswer` reads it. */
  readonly token: unknown;
  /** Of an id_token whose signature, issuer, audience, party, times and nonce were checked. */
  readonly claims: IDToken;
}

/** An EHR whose registration has a launch. */
export type LaunchingEhr = Ehr & { readonly launch: EhrLaunch };

/** The authorization server of an EHR: authorization code with PKCE, as SMART App Launch 2.2 has it. Each request goes through the guard of addresses. */
@Injectable()
export class AuthorizationServer {
  constructor(
    private readonly caller: EhrCaller,
    private readonly keys: PublishedKeys,
    private readonly clock: Clock,
  ) {}

  /** Where the browser is sent. */
  async addressFor(ehr: LaunchingEhr, smart: SmartConfiguration, sent: SentLaunch): Promise<string> {
    const { iss, launch, state, nonce, verifier, redirectUri } = sent;
    return buildAuthorizationUrl(this.configured(ehr, smart, None()), {
      redirect_uri: redirectUri,
      launch,
      scope: scopesOf(ehr.launch.scopes, smart.capabilities),
      state,
      aud: iss,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * Redeems the code. `asked`: the address that the browser came back to, with its query; without it, our redirect address. `launch.answer`,
   * `launch.unreachable`.
   */
  async redeem(
    ehr: LaunchingEhr,
    smart: SmartConfiguration,
    asked: URL,
    { state, nonce, verifier }: AwaitedLaunch,
  ): Promise<RedeemedLaunch> {
    const silence: { fault?: NoEhrAnswerError } = {};
    const configuration = this.configured(ehr, smart, await this.authenticationOf(ehr, smart));
    configuration[customFetch] = this.guardedFetch(ehr, silence);
    const answer = await authorizationCodeGrant(configuration, asked, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    }).catch((fault: unknown) => {
      if (silence.fault !== undefined) throw unreachable(silence.fault);
      throw suturaErrorOf(fault) ?? badAnswer(wordsOf(fault));
    });
    this.requireOwnKey(answer.id_token ?? '');
    const claims = answer.claims();
    if (claims === undefined) throw badAnswer('The EHR gave no id_token.');
    this.requireFresh(claims);
    return { token: answer, claims };
  }

  private configured(ehr: LaunchingEhr, smart: SmartConfiguration, authentication: ClientAuth): Configuration {
    const configuration = new Configuration(
      {
        issuer: smart.issuer,
        jwks_uri: smart.jwksUri,
        authorization_endpoint: smart.authorizationEndpoint,
        token_endpoint: smart.tokenEndpoint,
        id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
        authorization_response_iss_parameter_supported: smart.statesIssuer,
      },
      ehr.launch.clientId,
      undefined,
      authentication,
    );
    // The signature is checked even where TLS vouches for the answer.
    enableNonRepudiationChecks(configuration);
    // http is let through by the guard of addresses, within the networks that the operator opened.
    const addresses = [smart.authorizationEndpoint, smart.tokenEndpoint, smart.jwksUri];
    if (addresses.some((address) => address.startsWith('http:'))) allowInsecureRequests(configuration);
    return configuration;
  }

  private async authenticationOf(
    { organizationId, launch }: LaunchingEhr,
    smart: SmartConfiguration,
  ): Promise<ClientAuth> {
    const { clientType, clientId, clientSecret } = launch;
    switch (clientType) {
      case 'public':
        return None();
      case 'symmetric':
        return ClientSecretBasic(clientSecret ?? '');
      case 'asymmetric': {
        const assertion = await this.keys
          .assert({ organizationId, clientId, tokenUrl: smart.tokenEndpoint, algorithms: smart.assertionAlgorithms })
          .catch(() => {
            throw badAnswer('The EHR takes assertions signed by neither ES384 nor RS384.');
          });
        return (_server, _client, body) => {
          body.set('client_id', clientId);
          body.set('client_assertion_type', ASSERTION_TYPE);
          body.set('client_assertion', assertion);
        };
      }
    }
  }

  private guardedFetch(ehr: Ehr, silence: { fault?: NoEhrAnswerError }): CustomFetch {
    return async (url, { method, headers, body }) => {
      try {
        const answer = await this.caller.ask(ehr, {
          method: method === 'POST' ? 'POST' : 'GET',
          url,
          headers,
          ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
          timeoutMs: TIMEOUT_MS,
          limitBytes: LIMIT_BYTES,
        });
        return responseOf(answer);
      } catch (fault) {
        if (fault instanceof NoEhrAnswerError) silence.fault = fault;
        throw fault;
      }
    };
  }

  /** A key that is named is one that the EHR can withdraw; without a name, whichever fits would do. */
  private requireOwnKey(idToken: string): void {
    const { kid } = decodeProtectedHeader(idToken);
    if (typeof kid !== 'string' || kid === '')
      throw badAnswer('The id_token does not name the key of its signature (kid).');
  }

  private requireFresh({ iat }: IDToken): void {
    const ageS = this.clock.now().getTime() / 1000 - iat;
    if (ageS < -CLOCK_TOLERANCE_S || ageS > LONGEST_AGE_S)
      throw badAnswer('The id_token was issued at another time than now (iat). Check the clocks of both sides.');
  }
}

/** Ours, which the library may have wrapped. */
function suturaErrorOf(fault: unknown): SuturaError | null {
  if (fault instanceof SuturaError) return fault;
  return fault instanceof Error && fault.cause instanceof SuturaError ? fault.cause : null;
}

/** As the library reads it. A status that is none, or has no body, is no answer to any of its questions. */
function responseOf({ status, headers, body }: EhrAnswer): Response {
  const isPlain = status >= 200 && status <= 599 && ![204, 205, 304].includes(status);
  if (!isPlain) throw badAnswer(`The authorization server of the EHR answers with ${status}.`);
  return new Response(new Uint8Array(body), { status, headers: { 'content-type': headers['content-type'] ?? '' } });
}

/** What the library found wrong, by its code and the claim or OAuth error that it names; never a value. */
function wordsOf(fault: unknown): string {
  const { code, error, cause } = fault as {
    readonly code?: unknown;
    readonly error?: unknown;
    readonly cause?: unknown;
  };
  const { claim } = (cause as { readonly cause?: { readonly claim?: unknown } } | undefined)?.cause ?? {};
  const named = [code, error, claim].filter((part) => typeof part === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(part));
  return `The answer of the authorization server cannot be relied on (${named.length === 0 ? 'unknown' : named.join(', ')}).`;
}
