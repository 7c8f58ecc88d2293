import { randomBytes } from 'node:crypto';
import type { EhrState } from './ehr-state.js';
import type { EhrUrls } from './ehr-urls.js';
import type { Fields } from './json.js';
import type { LaunchContext, RegisteredClient } from './launches.js';
import { readScope } from './scopes.js';
import type { Sessions } from './sessions.js';
import type { Answer, Call } from './wire.js';

/** Characters of base64url that hold the 122 random bits that a state must have. */
const SHORTEST_STATE = 21;

/** Discovery and authorization of the SMART server: a launch opens one code, for its client and address. */
export class AuthorizationServer {
  /** What discovery states instead; undefined leaves out. */
  discoveryChanges: Fields = {};
  private readonly launches = new Map<string, { readonly context: LaunchContext; isUsed: boolean }>();

  constructor(
    private readonly state: EhrState,
    private readonly urls: EhrUrls,
    private readonly sessions: Sessions,
  ) {}

  /** A launch that this EHR issued; good for one authorization. */
  launch(context: LaunchContext): string {
    const handle = randomBytes(18).toString('base64url');
    this.launches.set(handle, { context, isUsed: false });
    return handle;
  }

  /** What `/.well-known/smart-configuration` states. */
  discovery(): Answer {
    const { permissions } = this.state.rules;
    const json = {
      issuer: this.urls.issuer,
      jwks_uri: this.urls.jwks,
      authorization_endpoint: this.urls.authorize,
      token_endpoint: this.urls.token,
      grant_types_supported: ['authorization_code', 'client_credentials'],
      response_types_supported: ['code'],
      scopes_supported: ['openid', 'fhirUser', 'launch', 'online_access', 'patient/*.rs', 'system/*.cruds'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
      code_challenge_methods_supported: ['S256'],
      capabilities: [
        'launch-ehr',
        'authorize-post',
        'client-public',
        'client-confidential-symmetric',
        'client-confidential-asymmetric',
        'sso-openid-connect',
        'context-banner',
        'context-style',
        'context-ehr-patient',
        'context-ehr-encounter',
        'permission-online',
        'permission-patient',
        'permission-user',
        ...permissions.map((one) => `permission-${one}`),
      ],
      ...this.discoveryChanges,
    };
    return { status: 200, json };
  }

  /** Sends the person back with a code; a wrong client or address is told to nobody but the person. */
  authorize({ method, query, headers, body }: Call): Answer {
    const isForm = /^application\/x-www-form-urlencoded(;|$)/.test(headers['content-type'] ?? '');
    if (method === 'POST' && !isForm) return page(415, 'An authorization request by POST is a form.');
    const asked = method === 'POST' ? new URLSearchParams(body.toString('utf8')) : query;
    const client = this.sessions.clients.get(asked.get('client_id') ?? '');
    const redirectUri = asked.get('redirect_uri') ?? '';
    const isTwice = new Set(asked.keys()).size !== [...asked.keys()].length;
    if (client?.redirectUris?.includes(redirectUri) !== true || isTwice) {
      this.object('no client with this redirect_uri, or a parameter twice');
      return page(400, 'This application is not known here.');
    }
    const [error, reason] = this.faultOf(asked) ?? [];
    if (error !== undefined) {
      this.object(reason!);
      const state = asked.get('state');
      return back(redirectUri, { error, ...(state === null ? {} : { state }) });
    }
    const launch = this.launches.get(asked.get('launch')!)!;
    launch.isUsed = true;
    return this.sendBack(client, asked, launch.context);
  }

  private faultOf(asked: URLSearchParams): readonly [error: string, reason: string] | null {
    const scopes = (asked.get('scope') ?? '').split(' ');
    const launch = this.launches.get(asked.get('launch') ?? '');
    if (asked.get('response_type') !== 'code') return ['unsupported_response_type', 'response_type is not code'];
    if (launch === undefined) return ['invalid_request', 'the launch was not issued here'];
    if (launch.isUsed) return ['invalid_request', 'the launch was used before'];
    if (asked.get('aud') !== this.urls.fhirBaseUrl) return ['invalid_request', 'aud is not this server'];
    if ((asked.get('state') ?? '').length < SHORTEST_STATE)
      return ['invalid_request', 'state is shorter than 122 bits'];
    if (asked.get('code_challenge_method') !== 'S256') return ['invalid_request', 'code_challenge_method is not S256'];
    if (!/^[A-Za-z0-9_-]{43}$/.test(asked.get('code_challenge') ?? ''))
      return ['invalid_request', 'code_challenge is no SHA-256'];
    if (!scopes.includes('launch')) return ['invalid_scope', 'the scope launch is missing'];
    if (scopes.some((one) => one === '' || (one.includes('/') && readScope(one) === null)))
      return ['invalid_scope', 'a scope is malformed'];
    return scopes.includes('openid') && !asked.has('nonce') ? ['invalid_request', 'there is no nonce'] : null;
  }

  private sendBack(client: RegisteredClient, asked: URLSearchParams, context: LaunchContext): Answer {
    const [redirectUri, state] = [asked.get('redirect_uri')!, asked.get('state')!];
    const { fault } = context;
    if (fault === 'access-denied') return back(redirectUri, { error: 'access_denied', state });
    if (fault === 'server-error') return back(redirectUri, { error: 'server_error', state });
    const code = this.sessions.openCode(client, asked, context);
    if (fault === 'no-code') return back(redirectUri, { state });
    if (fault === 'no-state') return back(redirectUri, { code });
    if (fault === 'other-iss') return back(redirectUri, { code, state, iss: 'https://ehr.invalid/oauth2' });
    return back(redirectUri, { code, state: fault === 'wrong-state' ? randomBytes(18).toString('base64url') : state });
  }

  private object(reason: string): void {
    this.state.objections.push(`authorize: ${reason}`);
  }
}

function page(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, bytes: Buffer.from(`<p>${text}</p>`) };
}

function back(redirectUri: string, parameters: Readonly<Record<string, string>>): Answer {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href } };
}
