import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeEhr, LaunchContext } from '../../../support/fake-ehr/index.js';
import {
  ASSERTION_TYPE,
  makeClientKey,
  signAssertion,
  type AssertionWish,
  type ClientKey,
} from '../../../support/smart-client.js';

export const REDIRECT = 'https://sutura.example/launch/callback';
export const SCOPES = ['launch', 'openid', 'fhirUser', 'online_access', 'patient/Patient.r', 'patient/Encounter.rs'];

/** What a client asks with; undefined leaves a parameter out. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** A verifier with its challenge. */
export function makeVerifier(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A right authorization request of the public client, but for what is wished otherwise; where it leads. */
export async function authorize(
  ehr: FakeEhr,
  context: LaunchContext,
  challenge: string,
  wish: Parameters = {},
  method: 'GET' | 'POST' = 'GET',
): Promise<{ readonly status: number; readonly back: URLSearchParams }> {
  const launch = new URL(ehr.control.launch('https://sutura.example/launch', context)).searchParams.get('launch')!;
  const form = formOf({
    response_type: 'code',
    client_id: 'public',
    redirect_uri: REDIRECT,
    launch,
    scope: SCOPES.join(' '),
    state: 'state-of-thirty-characters-abcd',
    aud: ehr.fhirBaseUrl,
    nonce: 'nonce-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...wish,
  });
  const { authorize: url } = ehr.urls;
  const answer = await fetch(method === 'GET' ? `${url}?${form.toString()}` : url, {
    method,
    redirect: 'manual',
    ...(method === 'POST' ? { body: form } : {}),
  });
  const location = answer.headers.get('location');
  return { status: answer.status, back: location === null ? new URLSearchParams() : new URL(location).searchParams };
}

/** Asks for a token; `basic` is `id:secret`. */
export async function askToken(
  ehr: FakeEhr,
  parameters: Parameters,
  basic?: string,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await fetch(ehr.urls.token, {
    method: 'POST',
    headers: basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: formOf(parameters),
  });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
}

function formOf(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** An asymmetric client with its keys at an address. */
export class KeyedClient {
  private constructor(
    readonly key: ClientKey,
    readonly jwksUrl: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<KeyedClient> {
    const key = await makeClientKey('ES384');
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key.publicJwk] }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new KeyedClient(key, `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`, server);
  }

  /** A right assertion, but for what is wished otherwise. */
  async assertion(ehr: FakeEhr, clientId: string, wish?: AssertionWish, key = this.key): Promise<Parameters> {
    const assertion = await signAssertion(clientId, ehr.urls.token, key, wish);
    return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
