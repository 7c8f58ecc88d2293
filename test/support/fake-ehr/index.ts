import { AuthorizationServer } from './authorization-server.js';
import { CdsClient } from './cds-client.js';
import { EhrControl } from './control.js';
import type { Dialect } from './dialects.js';
import { EhrState } from './ehr-state.js';
import { urlsOf, type EhrUrls } from './ehr-urls.js';
import { PlannedFaults } from './faults.js';
import { FhirServer } from './fhir-server.js';
import { IdTokens } from './id-tokens.js';
import type { Fields } from './json.js';
import { Sessions } from './sessions.js';
import { TokenEndpoint } from './token-endpoint.js';
import { findViolations, type ExpectedReport } from './verify.js';
import { Listener, type Answer, type Call } from './wire.js';

export { CALLER_FAULTS, CdsClient, type CallerFault, type CdsAnswer } from './cds-client.js';
export type { EhrControl } from './control.js';
export type { Dialect } from './dialects.js';
export type { EhrUrls } from './ehr-urls.js';
export { answerWith, type Fault, type FaultPlace } from './faults.js';
export type { Answer } from './wire.js';
export type { Fields, Resource } from './json.js';
export {
  ID_TOKEN_FAULTS,
  type IdTokenFault,
  type LaunchContext,
  type LaunchFault,
  type RedirectFault,
  type RegisteredClient,
  type TokenFault,
} from './launches.js';
export { epicRefusal } from './rules/epic.js';
export { noteText, type ExpectedReport, type VersionMark } from './verify.js';

/** How the EHR is set up. */
export interface FakeEhrOptions {
  /** What it takes: `transaction` if not stated. */
  readonly dialect?: Dialect;
  /** Authorization, tokens and keys on an origin of their own, as Oracle has them. */
  readonly hasAuthorizationElsewhere?: boolean;
  /** Milliseconds since 1970: the clock of this process if not stated. */
  readonly now?: () => number;
}

/** A strict EHR that runs: see README.md of this folder. */
export interface FakeEhr {
  /** The `iss` of launches. */
  readonly fhirBaseUrl: string;
  readonly origin: string;
  /** Where people and clients get their tokens; the same as `origin` unless it is elsewhere. */
  readonly authorizationOrigin: string;
  readonly urls: EhrUrls;
  readonly control: EhrControl;
  /** The EHR as a caller of CDS services. */
  readonly cds: CdsClient;
  /** What it holds that is not as it must be, in words; empty when all is well. Reports that are expected must be there exactly once. */
  verify(expected?: readonly ExpectedReport[]): readonly string[];
  stop(): Promise<void>;
}

/** Starts an EHR on ports that the system chose: FHIR server, SMART authorization server, caller of CDS services. */
export async function startFakeEhr(options: FakeEhrOptions = {}): Promise<FakeEhr> {
  const now = options.now ?? (() => Date.now());
  const state = new EhrState(options.dialect ?? 'transaction', now);
  const faults = new PlannedFaults();
  // Addresses stand in what the parts answer, so that they are made after the listeners.
  const made: { parts?: Parts } = {};
  const listen = (offers: Offers) =>
    Listener.open(async (call) => {
      const answer = made.parts === undefined ? { status: 503 } : await route(call, made.parts, offers);
      const { method, path, query } = call;
      state.answered({ method, path, query: query.toString(), status: answer.status });
      return answer;
    }, faults);
  const isApart = options.hasAuthorizationElsewhere === true;
  const main = await listen({ fhir: true, oauth: !isApart });
  const elsewhere = isApart ? await listen({ fhir: false, oauth: true }) : null;
  const authorizationOrigin = (elsewhere ?? main).origin;
  const urls = urlsOf(main.origin, authorizationOrigin);
  const sessions = new Sessions(state);
  const authorization = new AuthorizationServer(state, urls, sessions);
  const idTokens = new IdTokens(now);
  const cds = new CdsClient(main.origin, `${main.origin}/cds/jwks`, now);
  const tokens = new TokenEndpoint(state, urls, sessions, idTokens);
  made.parts = { fhir: new FhirServer(state, urls), authorization, tokens, idTokens, cds };
  return {
    fhirBaseUrl: urls.fhirBaseUrl,
    origin: main.origin,
    authorizationOrigin,
    urls,
    control: new EhrControl(state, faults, authorization, sessions, urls.fhirBaseUrl),
    cds,
    verify: (expected = []) => findViolations(state.chart, expected),
    stop: async () => {
      await Promise.all([main.close(), elsewhere?.close()]);
    },
  };
}

interface Parts {
  readonly fhir: FhirServer;
  readonly authorization: AuthorizationServer;
  readonly tokens: TokenEndpoint;
  readonly idTokens: IdTokens;
  readonly cds: CdsClient;
}

/** What one listener answers. */
interface Offers {
  readonly fhir: boolean;
  readonly oauth: boolean;
}

function route(call: Call, parts: Parts, offers: Offers): Answer | Promise<Answer> {
  const { method, path } = call;
  if (offers.oauth) {
    if (path === '/oauth2/authorize' && (method === 'GET' || method === 'POST'))
      return parts.authorization.authorize(call);
    if (path === '/oauth2/token') return parts.tokens.answer(call);
    if (path === '/oauth2/jwks' && method === 'GET') return keys(parts.idTokens);
    if (path === '/oauth2/style.json' && method === 'GET')
      return { status: 200, json: { color_background: '#ffffff' } };
  }
  if (offers.fhir) {
    if (path === '/fhir/.well-known/smart-configuration' && method === 'GET') return parts.authorization.discovery();
    if (path === '/cds/jwks' && method === 'GET') return keys(parts.cds);
    if (path === '/fhir' || path.startsWith('/fhir/')) return parts.fhir.answer(call, path.slice('/fhir'.length));
  }
  return { status: 404, json: { error: 'not found' } };
}

async function keys(of: { keySet(): Promise<Fields> }): Promise<Answer> {
  return { status: 200, json: await of.keySet() };
}
