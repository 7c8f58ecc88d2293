import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { ID_TOKEN_FAULTS, startFakeEhr, type FakeEhr, type LaunchContext } from '../../../support/fake-ehr/index.js';
import { makeClientKey, type AssertionWish } from '../../../support/smart-client.js';
import { callEhr } from './ehr-caller.js';
import { askToken, authorize, KeyedClient, makeVerifier, REDIRECT, SCOPES, type Parameters } from './smart-caller.js';

let ehr: FakeEhr;
let keyed: KeyedClient;
let context: LaunchContext;
let patientId: string;
let isLate = false;

beforeAll(async () => {
  keyed = await KeyedClient.start();
  ehr = await startFakeEhr({ now: () => Date.now() + (isLate ? 700_000 : 0) });
  patientId = ehr.control.addPatient({ identifiers: [] });
  const encounterId = ehr.control.addEncounter({ patientId });
  const practitioner = ehr.control.addPractitioner({ identifiers: [] });
  context = { patientId, encounterId, user: `Practitioner/${practitioner}`, userName: 'Ada Winter' };
  const common = { redirectUris: [REDIRECT], scopes: SCOPES };
  ehr.control.registerClient({ ...common, clientId: 'public', type: 'public' });
  ehr.control.registerClient({ ...common, clientId: 'symmetric', type: 'symmetric', secret: 'a secret+more' });
  ehr.control.registerClient({
    ...common,
    clientId: 'asymmetric',
    type: 'asymmetric',
    jwksUrl: keyed.jwksUrl,
    isBackend: true,
    scopes: [...SCOPES, 'system/DocumentReference.c'],
  });
});

afterAll(async () => {
  await ehr.stop();
  await keyed.stop();
});

const lastObjection = (): string | undefined => ehr.control.objections.at(-1);

describe('the authorization endpoint', () => {
  it.each<readonly [string, Parameters]>([
    ['an unknown client', { client_id: 'nobody' }],
    ['an address that is not registered', { redirect_uri: `${REDIRECT}/` }],
  ])('tells %s nothing', async (_case, wish) => {
    const { status, back } = await authorize(ehr, context, makeVerifier().challenge, wish);
    expect([status, [...back]]).toEqual([400, []]);
  });

  it.each<readonly [string, Parameters, string, string]>([
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type', 'response_type is not code'],
    ['a launch of elsewhere', { launch: 'guessed' }, 'invalid_request', 'the launch was not issued here'],
    ['no launch', { launch: undefined }, 'invalid_request', 'the launch was not issued here'],
    ['another aud', { aud: 'https://ehr.invalid/fhir' }, 'invalid_request', 'aud is not this server'],
    ['no state', { state: undefined }, 'invalid_request', 'state is shorter than 122 bits'],
    ['a short state', { state: 'x'.repeat(20) }, 'invalid_request', 'state is shorter than 122 bits'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request', 'code_challenge_method is not S256'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request', 'code_challenge is no SHA-256'],
    ['no scope for the launch', { scope: 'openid fhirUser' }, 'invalid_scope', 'the scope launch is missing'],
    ['a malformed scope', { scope: 'launch patient/Patient.sr' }, 'invalid_scope', 'a scope is malformed'],
    ['openid without a nonce', { nonce: undefined }, 'invalid_request', 'there is no nonce'],
  ])('sends %s back with an error', async (_case, wish, error, reason) => {
    const { status, back } = await authorize(ehr, context, makeVerifier().challenge, wish);
    expect([status, back.get('error'), back.has('code'), lastObjection()]).toEqual([
      302,
      error,
      false,
      `authorize: ${reason}`,
    ]);
  });

  it('takes a launch once', async () => {
    const { challenge } = makeVerifier();
    const url = new URL(ehr.control.launch('https://sutura.example/launch', context));
    const launch = url.searchParams.get('launch')!;
    expect((await authorize(ehr, context, challenge, { launch })).back.has('code')).toBe(true);
    expect((await authorize(ehr, context, challenge, { launch })).back.get('error')).toBe('invalid_request');
  });

  it.each(['access-denied', 'server-error', 'wrong-state', 'no-state', 'no-code', 'other-iss'] as const)(
    'goes wrong as asked: %s',
    async (fault) => {
      const { back } = await authorize(ehr, { ...context, fault }, makeVerifier().challenge);
      const isRight = back.has('code') && back.get('state') === 'state-of-thirty-characters-abcd' && !back.has('iss');
      expect(isRight).toBe(false);
    },
  );

  it('takes a form as it takes an address', async () => {
    const { back } = await authorize(ehr, context, makeVerifier().challenge, {}, 'POST');
    expect(back.get('state')).toBe('state-of-thirty-characters-abcd');
  });
});

describe('the token endpoint', () => {
  /** A code of a client, with what must be sent with it. */
  async function openCode(clientId: string, launched: LaunchContext = context): Promise<Parameters> {
    const { verifier, challenge } = makeVerifier();
    const { back } = await authorize(ehr, launched, challenge, { client_id: clientId });
    return {
      grant_type: 'authorization_code',
      code: back.get('code')!,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...(clientId === 'public' ? { client_id: clientId } : {}),
    };
  }

  it.each<readonly [string, Parameters, string]>([
    ['another grant_type', { grant_type: 'password' }, 'another grant_type'],
    ['a code of nobody', { code: 'guessed' }, 'the code was not given out here'],
    ['another redirect_uri', { redirect_uri: 'https://other.invalid' }, 'redirect_uri is another than before'],
    ['no verifier', { code_verifier: undefined }, 'code_verifier is missing or malformed'],
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'code_verifier is not that of the challenge'],
    ['another client', { client_id: 'symmetric' }, 'the client is symmetric and did not say who it is'],
    ['no client', { client_id: undefined }, 'no client of this id'],
    ['a secret in the form', { client_secret: 'x' }, 'the secret stood in the form, not in Basic'],
  ])('refuses a public client with %s', async (_case, wish, reason) => {
    const { status } = await askToken(ehr, { ...(await openCode('public')), ...wish });
    expect([status, lastObjection()]).toEqual([status === 401 ? 401 : 400, `token: ${reason}`]);
  });

  it('takes a code once, and ends what it gave when it comes again', async () => {
    const asked = await openCode('public');
    const first = await askToken(ehr, asked);
    const read = () =>
      callEhr('GET', `${ehr.fhirBaseUrl}/Patient/${patientId}`, { token: String(first.body['access_token']) });
    expect([first.status, (await read()).status]).toEqual([200, 200]);
    expect((await askToken(ehr, asked)).body).toEqual({ error: 'invalid_grant' });
    expect((await read()).status).toBe(401);
    expect((await askToken(ehr, refreshOf(first.body))).status).toBe(400);
  });

  it('refuses a code that has ended', async () => {
    const asked = await openCode('public');
    isLate = true;
    const { status } = await askToken(ehr, asked);
    isLate = false;
    expect([status, lastObjection()]).toEqual([400, 'token: the code has ended']);
  });

  it.each<readonly [string, string | undefined]>([
    ['none', undefined],
    ['another secret', 'symmetric:guessed'],
    ['its secret without encoding', 'symmetric:a secret+more'],
  ])('refuses a symmetric client by %s', async (_case, basic) => {
    const asked = await openCode('symmetric');
    expect((await askToken(ehr, asked, basic)).status).toBe(401);
  });

  it.each<readonly [string, AssertionWish, string]>([
    ['without a kid', { header: { kid: undefined } }, 'the assertion has no kid'],
    ['of another typ', { header: { typ: 'at+jwt' } }, 'the assertion is of another typ'],
    ['of another subject', { claims: { sub: 'public' } }, 'the assertion is not valid: unexpected "sub" claim value'],
    ['of an unknown issuer', { claims: { iss: 'nobody' } }, 'no asymmetric client of this id'],
    ['for another address', { claims: { aud: 'https://ehr.invalid/token' } }, 'aud is not the token endpoint'],
    ['without an end', { claims: { exp: undefined } }, 'the assertion is not valid: missing required "exp" claim'],
    ['without a number', { claims: { jti: undefined } }, 'the assertion is not valid: missing required "jti" claim'],
    [
      'that lives an hour',
      { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } },
      'the assertion lives longer than five minutes',
    ],
    ['that has ended', { claims: { exp: 1 } }, 'the assertion is not valid: "exp" claim timestamp check failed'],
  ])('refuses an assertion %s', async (_case, wish, reason) => {
    const asked = { ...(await openCode('asymmetric')), ...(await keyed.assertion(ehr, 'asymmetric', wish)) };
    expect([(await askToken(ehr, asked)).status, lastObjection()]).toEqual([401, `token: ${reason}`]);
  });

  it('refuses an assertion by a key that is not published, by RS256, and a second time', async () => {
    const other = await makeClientKey('ES384', keyed.key.kid);
    const forged = await keyed.assertion(ehr, 'asymmetric', {}, other);
    expect((await askToken(ehr, { ...(await openCode('asymmetric')), ...forged })).status).toBe(401);
    const weak = await keyed.assertion(ehr, 'asymmetric', {}, await makeClientKey('RS256'));
    expect((await askToken(ehr, { ...(await openCode('asymmetric')), ...weak })).status).toBe(401);
    const right = await keyed.assertion(ehr, 'asymmetric');
    expect((await askToken(ehr, { ...(await openCode('asymmetric')), ...right })).status).toBe(200);
    expect((await askToken(ehr, { ...(await openCode('asymmetric')), ...right })).status).toBe(401);
    expect(lastObjection()).toBe('token: the assertion was used before');
  });

  it('gives patient, visit, banner and a signed id_token to each type of client', async () => {
    const basic = `symmetric:${encodeURIComponent('a secret+more')}`;
    const answers = [
      await askToken(ehr, await openCode('public')),
      await askToken(ehr, await openCode('symmetric'), basic),
      await askToken(ehr, { ...(await openCode('asymmetric')), ...(await keyed.assertion(ehr, 'asymmetric')) }),
    ];
    for (const [place, { status, body }] of answers.entries()) {
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          patient: patientId,
          encounter: context.encounterId,
          need_patient_banner: true,
          scope: SCOPES.join(' '),
        }),
      ]);
      const { payload } = await jwtVerify(String(body['id_token']), createRemoteJWKSet(new URL(ehr.urls.jwks)), {
        issuer: ehr.urls.issuer,
        audience: ['public', 'symmetric', 'asymmetric'][place]!,
      });
      expect(payload).toMatchObject({ nonce: 'nonce-1', fhirUser: `${ehr.fhirBaseUrl}/${context.user}` });
    }
  });

  it('renews a token once by each renewing one', async () => {
    const { body } = await askToken(ehr, await openCode('public'));
    const second = await askToken(ehr, refreshOf(body));
    expect(second.status).toBe(200);
    expect((await askToken(ehr, refreshOf(body))).status).toBe(400);
    expect((await askToken(ehr, refreshOf(second.body))).status).toBe(200);
  });

  it('renews a token for another patient, where a test wants to see that found', async () => {
    const other = ehr.control.addPatient({ identifiers: [] });
    const { body } = await askToken(ehr, await openCode('public', { ...context, patientOnRefresh: other }));
    expect([body['patient'], (await askToken(ehr, refreshOf(body))).body['patient']]).toEqual([patientId, other]);
  });

  it.each([
    'invalid-grant',
    'invalid-client',
    'no-patient',
    'no-access-token',
    'token-type-mac',
    'no-scope',
    'fewer-scopes',
    'no-expiry',
  ] as const)('goes wrong as asked: %s', async (fault) => {
    const { status, body } = await askToken(ehr, await openCode('public', { ...context, fault }));
    const isRight =
      status === 200 &&
      body['patient'] === patientId &&
      typeof body['access_token'] === 'string' &&
      body['token_type'] === 'Bearer' &&
      body['scope'] === SCOPES.join(' ') &&
      typeof body['expires_in'] === 'number';
    expect(isRight).toBe(false);
  });

  it.each(ID_TOKEN_FAULTS)('goes wrong as asked: %s', async (fault) => {
    const { status, body } = await askToken(ehr, await openCode('public', { ...context, fault }));
    expect(status).toBe(200);
    expect(await whyRefused(body['id_token'])).toEqual(expect.any(String));
  });

  /** Why a careful client refuses an id_token; null for a right one. */
  async function whyRefused(idToken: unknown): Promise<string | null> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        String(idToken),
        createRemoteJWKSet(new URL(ehr.urls.jwks)),
        {
          issuer: ehr.urls.issuer,
          audience: 'public',
          requiredClaims: ['exp', 'iat', 'sub'],
          maxTokenAge: '1h',
        },
      );
      if (protectedHeader.kid === undefined) return 'kid';
      if (payload['nonce'] !== 'nonce-1') return 'nonce';
      if (Array.isArray(payload.aud) || (payload['azp'] ?? 'public') !== 'public') return 'aud';
      return payload['fhirUser'] === `${ehr.fhirBaseUrl}/${context.user}` ? null : 'fhirUser';
    } catch (fault) {
      return String(fault);
    }
  }

  it('would let a right id_token through that test', async () => {
    const { body } = await askToken(ehr, await openCode('public'));
    expect(await whyRefused(body['id_token'])).toBeNull();
    expect(decodeJwt(String(body['id_token'])).sub).toBe(`${ehr.fhirBaseUrl}/${context.user}`);
  });

  const refreshOf = (body: Readonly<Record<string, unknown>>): Parameters => ({
    grant_type: 'refresh_token',
    refresh_token: String(body['refresh_token']),
    client_id: 'public',
  });
});

describe('a backend service', () => {
  const ask = async (
    clientId: string,
    scope: string | undefined,
  ): Promise<{ readonly status: number; readonly body: unknown }> =>
    askToken(ehr, { grant_type: 'client_credentials', scope, ...(await keyed.assertion(ehr, clientId)) });

  it('gets no token without a system scope that it was given', async () => {
    for (const scope of [undefined, 'patient/Patient.r', 'system/Patient.r', 'system/DocumentReference.rc'])
      expect(await ask('asymmetric', scope)).toEqual({ status: 400, body: { error: 'invalid_scope' } });
  });

  it('gets no token as a public client', async () => {
    const asked = { grant_type: 'client_credentials', scope: 'system/DocumentReference.c', client_id: 'public' };
    expect((await askToken(ehr, asked)).body).toEqual({ error: 'unauthorized_client' });
  });

  it('gets one for five minutes', async () => {
    const { body } = await ask('asymmetric', 'system/DocumentReference.c system/Observation.c');
    expect(body).toMatchObject({ expires_in: 300, scope: 'system/DocumentReference.c' });
  });
});

describe('discovery', () => {
  it('names what a launch needs, on the origin where it is', async () => {
    const apart = await startFakeEhr({ dialect: 'oracle', hasAuthorizationElsewhere: true });
    const { body } = await callEhr('GET', `${apart.fhirBaseUrl}/.well-known/smart-configuration`);
    expect(body).toMatchObject({
      token_endpoint: `${apart.authorizationOrigin}/oauth2/token`,
      code_challenge_methods_supported: ['S256'],
    });
    expect(apart.authorizationOrigin).not.toBe(apart.origin);
    expect((await callEhr('POST', `${apart.origin}/oauth2/token`)).status).toBe(404);
    expect((await callEhr('GET', `${apart.authorizationOrigin}/fhir/metadata`)).status).toBe(404);
    await apart.stop();
  });

  it('states otherwise what a test changes', async () => {
    ehr.control.changeDiscovery({
      code_challenge_methods_supported: undefined,
      token_endpoint: 'https://10.0.0.1/token',
    });
    const { body } = await callEhr('GET', `${ehr.fhirBaseUrl}/.well-known/smart-configuration`);
    ehr.control.changeDiscovery({});
    expect(body).not.toHaveProperty('code_challenge_methods_supported');
    expect(body).toMatchObject({ token_endpoint: 'https://10.0.0.1/token' });
  });
});
