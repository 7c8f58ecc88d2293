import { createHash } from 'node:crypto';
import { ClientAuthentication } from './client-authentication.js';
import type { EhrState } from './ehr-state.js';
import type { EhrUrls } from './ehr-urls.js';
import type { IdTokens } from './id-tokens.js';
import type { Fields } from './json.js';
import type { IdTokenFault, LaunchContext, RegisteredClient } from './launches.js';
import { readScope } from './scopes.js';
import type { Code, Session, Sessions } from './sessions.js';
import type { Answer, Call } from './wire.js';

/** Seconds that a backend's token lives. */
const BACKEND_LIFE_S = 300;
/** Seconds that a token of a launch lives unless the launch says otherwise: as short as some EHRs have it. */
const LAUNCH_LIFE_S = 600;

/** Gives tokens for codes, renewing tokens and assertions, each once and to its own client. */
export class TokenEndpoint {
  private readonly authentication: ClientAuthentication;

  constructor(
    private readonly state: EhrState,
    private readonly urls: EhrUrls,
    private readonly sessions: Sessions,
    private readonly idTokens: IdTokens,
  ) {
    this.authentication = new ClientAuthentication(sessions.clients, urls.token, state.now);
  }

  /** Answers with tokens, or by RFC 6749 with what was wrong. */
  async answer({ method, headers, body }: Call): Promise<Answer> {
    if (method !== 'POST') return refused(405, 'invalid_request');
    if (!/^application\/x-www-form-urlencoded(;|$)/.test(headers['content-type'] ?? ''))
      return this.refuse('the body is no form', 'invalid_request', 415);
    const form = new URLSearchParams(body.toString('utf8'));
    if (new Set(form.keys()).size !== [...form.keys()].length)
      return this.refuse('a parameter stands twice', 'invalid_request');
    const client = await this.authentication.clientOf(form, headers.authorization);
    if (typeof client === 'string') return this.refuse(client, 'invalid_client', 401);
    switch (form.get('grant_type') ?? '') {
      case 'authorization_code':
        return this.byCode(form, client);
      case 'refresh_token':
        return this.byRefresh(form, client);
      case 'client_credentials':
        return this.forBackend(form, client);
      default:
        return this.refuse('another grant_type', 'unsupported_grant_type');
    }
  }

  private async byCode(form: URLSearchParams, client: RegisteredClient): Promise<Answer> {
    const code = this.sessions.findCode(form.get('code') ?? '');
    if (code === undefined) return this.refuse('the code was not given out here', 'invalid_grant');
    const fault = this.faultOfCode(code, form, client);
    if (fault !== null) {
      // A code that comes twice may have been stolen: what it gave ends.
      if (code.isUsed) this.sessions.end(code.id);
      return this.refuse(fault, 'invalid_grant');
    }
    code.isUsed = true;
    const simulated = code.context.fault;
    if (simulated === 'invalid-grant') return refused(400, 'invalid_grant');
    if (simulated === 'invalid-client') return refused(401, 'invalid_client');
    return this.answerFor(code, client, code.nonce);
  }

  private faultOfCode(code: Code, form: URLSearchParams, client: RegisteredClient): string | null {
    if (code.isUsed) return 'the code was used before';
    if (code.clientId !== client.clientId) return 'the code is of another client';
    if (code.expiresAtMs <= this.state.now()) return 'the code has ended';
    if (form.get('redirect_uri') !== code.redirectUri) return 'redirect_uri is another than before';
    const verifier = form.get('code_verifier') ?? '';
    if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return 'code_verifier is missing or malformed';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return challenge === code.challenge ? null : 'code_verifier is not that of the challenge';
  }

  private async byRefresh(form: URLSearchParams, client: RegisteredClient): Promise<Answer> {
    const session = this.sessions.takeRefresh(form.get('refresh_token') ?? '');
    if (session?.clientId === client.clientId) return this.answerFor(renewed(session), client, undefined);
    return this.refuse('the refresh token is unknown, used or of another client', 'invalid_grant');
  }

  private async answerFor(session: Session, client: RegisteredClient, nonce: string | undefined): Promise<Answer> {
    const { scopes, context } = session;
    const { fault, tokenLifeS = LAUNCH_LIFE_S, patientId } = context;
    const grant = { clientId: client.clientId, scopes, patientId, session: session.id };
    const access = this.state.tokens.issue(grant, tokenLifeS);
    return tokenAnswer({
      access_token: fault === 'no-access-token' ? undefined : access,
      token_type: fault === 'token-type-mac' ? 'mac' : 'Bearer',
      expires_in: fault === 'no-expiry' ? undefined : tokenLifeS,
      scope: fault === 'no-scope' ? undefined : scopes.join(' '),
      patient: fault === 'no-patient' ? undefined : patientId,
      encounter: context.encounterId,
      need_patient_banner: context.needPatientBanner ?? true,
      smart_style_url: `${this.urls.issuer}/style.json`,
      intent: context.intent,
      tenant: context.tenant,
      fhirContext: context.fhirContext,
      appContext: context.appContext,
      id_token: scopes.includes('openid') ? await this.idToken(context, client, nonce) : undefined,
      refresh_token: scopes.includes('online_access') ? this.sessions.openRefresh(session) : undefined,
    });
  }

  private idToken(context: LaunchContext, { clientId, secret }: RegisteredClient, nonce: string | undefined) {
    const fault = context.fault?.startsWith('id-') === true ? (context.fault as IdTokenFault) : undefined;
    const fhirUser = `${this.urls.fhirBaseUrl}/${context.user}`;
    const { issuer } = this.urls;
    return this.idTokens.sign({ issuer, clientId, nonce, fhirUser, name: context.userName, secret }, fault);
  }

  private forBackend(form: URLSearchParams, client: RegisteredClient): Answer {
    if (client.isBackend !== true || client.type !== 'asymmetric' || !form.has('client_assertion'))
      return this.refuse('the client is no backend service', 'unauthorized_client');
    const asked = (form.get('scope') ?? '').split(' ').filter((one) => one !== '');
    if (asked.length === 0 || asked.some((one) => readScope(one)?.context !== 'system'))
      return this.refuse('a backend asks for system scopes', 'invalid_scope');
    const scopes = asked.filter((scope) => this.sessions.isGrantable(client, scope));
    if (scopes.length === 0) return this.refuse('none of these scopes is registered', 'invalid_scope');
    const access = this.state.tokens.issue({ clientId: client.clientId, scopes }, BACKEND_LIFE_S);
    return tokenAnswer({
      access_token: access,
      token_type: 'bearer',
      expires_in: BACKEND_LIFE_S,
      scope: scopes.join(' '),
    });
  }

  private refuse(reason: string, error: string, status = 400): Answer {
    this.state.objections.push(`token: ${reason}`);
    return refused(status, error);
  }
}

/** The session as it goes on. */
function renewed(session: Session): Session {
  const { patientOnRefresh } = session.context;
  return patientOnRefresh === undefined
    ? session
    : { ...session, context: { ...session.context, patientId: patientOnRefresh } };
}

/** Tokens are never cached (RFC 6749, 5.1). */
function tokenAnswer(json: Fields): Answer {
  return { status: 200, headers: { 'cache-control': 'no-store', pragma: 'no-cache' }, json };
}

function refused(status: number, error: string): Answer {
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Basic realm="ehr"' } : {};
  return { status, headers: { 'cache-control': 'no-store', ...challenge }, json: { error } };
}
