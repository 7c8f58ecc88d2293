import { createHmac, randomUUID } from 'node:crypto';
import {
  allowInsecureRequests,
  clientCredentialsGrant,
  Configuration,
  customFetch,
  modifyAssertion,
  PrivateKeyJwt,
} from 'openid-client';
// The gateway says how long a caller waits: the wait is what it asked for.
// eslint-disable-next-line sutura/no-waiting-for-time
import { setTimeout as delay } from 'node:timers/promises';
import { send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import {
  askToken,
  makeClientKey,
  signAssertion,
  type AssertionWish,
  type ClientKey,
  type TokenForm,
} from '../../support/smart-client.js';

const PATIENT = { resourceType: 'Patient', identifier: [{ system: 'urn:example:mrn', value: 'P-1' }] };
const OTHER_CLIENT = '01997f2e-0000-7000-8000-00000000dead';

/** Cases of Inferno's SMART kit stand under its own ids. */
describe('SMART Backend Services', () => {
  let gateway: SharedGateway;
  let organization: string;
  let key: ClientKey;
  let stranger: ClientKey;
  let clientId: string;
  let tokenUrl: string;

  beforeAll(async () => {
    // Requests of the tests come from one address.
    gateway = await sharedGateway();
    organization = await gateway.createOrganization('enterprise');
    [key, stranger] = await Promise.all([makeClientKey('ES384'), makeClientKey('ES384')]);
    tokenUrl = `${gateway.baseUrl}/auth/token`;
    clientId = await register(['system/*.crus'], key);
  });

  const register = async (scopes: readonly string[], ...keys: readonly ClientKey[]): Promise<string> => {
    const jwks = { keys: keys.map(({ publicJwk }) => publicJwk) };
    const answer = await gateway.admin('POST', `/organizations/${organization}/clients`, {
      name: 'EHR',
      environment: 'test',
      scopes,
      jwks,
    });
    expect(answer.status).toBe(201);
    return (answer.body as { clientId: string }).clientId;
  };

  const ask = async (form: TokenForm = {}, wish: AssertionWish = {}, by = key, of = clientId): Promise<Answer> => {
    const assertion = await signAssertion(of, tokenUrl, by, wish);
    return politely(() => askToken(tokenUrl, { scope: 'system/*.read', client_assertion: assertion, ...form }));
  };

  /** Requests of an address are limited, and all of these come from one. */
  const politely = async <T extends Pick<Answer, 'status' | 'headers'>>(request: () => Promise<T>): Promise<T> => {
    for (;;) {
      const answer = await request();
      if (answer.status !== 429) return answer;
      await delay(Number(answer.headers.get('retry-after')) * 1000);
    }
  };

  const tokenFor = async (scope: string, of = clientId): Promise<string> => {
    const answer = await ask({ scope }, {}, key, of);
    expect(answer.status).toBe(200);
    return (answer.body as { access_token: string }).access_token;
  };

  const fhir = (token: string, method: string, path: string, json?: unknown): Promise<Answer> =>
    send(method, `${gateway.baseUrl}/fhir${path}`, {
      key: token,
      ...(json === undefined ? {} : { json, headers: { 'content-type': 'application/fhir+json' } }),
    });

  describe('refuses a token request', () => {
    it('smart_backend_services_invalid_grant_type: 400 unsupported_grant_type', async () => {
      expect(await ask({ grant_type: 'authorization_code' })).toMatchObject({
        status: 400,
        body: { error: 'unsupported_grant_type', code: 'oauth.grant_type' },
      });
    });

    it.each([
      [
        'smart_backend_services_invalid_client_assertion: of another assertion type',
        { client_assertion_type: 'not_an_assertion_type' },
      ],
      ['without an assertion', { client_assertion: '' }],
      ['without a scope', { scope: '' }],
    ])('%s', async (_, form) => {
      expect(await ask(form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    });

    it('in another form than a form', async () => {
      expect(
        await politely(() => send('POST', tokenUrl, { json: { grant_type: 'client_credentials' } })),
      ).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    });

    const now = () => Math.floor(Date.now() / 1000);
    it.each<[string, () => AssertionWish]>([
      ['for another audience', () => ({ claims: { aud: 'https://other.example.org/auth/token' } })],
      ['that has expired', () => ({ claims: { exp: now() - 60 } })],
      ['that lives longer than five minutes', () => ({ claims: { exp: now() + 3600 } })],
      ['without an expiry', () => ({ claims: { exp: undefined } })],
      ['without jti', () => ({ claims: { jti: undefined } })],
      ['with an empty jti', () => ({ claims: { jti: '' } })],
      ['whose jti is a number', () => ({ claims: { jti: 7 } })],
      ['whose sub is not its iss', () => ({ claims: { sub: OTHER_CLIENT } })],
      ['of a client that is not registered', () => ({ claims: { iss: OTHER_CLIENT, sub: OTHER_CLIENT } })],
      ['of a client whose id is no id', () => ({ claims: { iss: "' or 1=1", sub: "' or 1=1" } })],
      ['whose kid is not registered', () => ({ header: { kid: 'another' } })],
      ['without kid', () => ({ header: { kid: undefined } })],
    ])('smart_backend_services_invalid_jwt: %s', async (_, wish) => {
      const answer = await ask({}, wish());
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client', code: 'oauth.client' } });
      expect((answer.body as { error_description: string }).error_description.length).toBeGreaterThan(10);
    });

    it('smart_backend_services_invalid_jwt: signed with a key that only claims to be the registered one', async () => {
      expect(await ask({}, {}, { ...stranger, kid: key.kid })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    });

    it.each(['not a token', 'a.b.c', `${'x'.repeat(20_000)}`])(
      'smart_backend_services_invalid_jwt: garbage',
      async (text) => {
        expect(await ask({ client_assertion: text })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      },
    );

    it('with no signature at all, whatever its header says', async () => {
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
      const claims = { iss: clientId, sub: clientId, aud: tokenUrl, exp: now() + 200, jti: 'unsigned' };
      const text = `${encode({ alg: 'none', kid: key.kid })}.${encode(claims)}.`;
      expect(await ask({ client_assertion: text })).toMatchObject({ status: 401 });
    });

    it.each(['HS256', 'HS384'])('signed by %s with the registered public key for a secret', async (alg) => {
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
      const claims = { iss: clientId, sub: clientId, aud: tokenUrl, exp: now() + 200, jti: randomUUID() };
      const signed = `${encode({ alg, kid: key.kid, typ: 'JWT' })}.${encode(claims)}`;
      const secret = JSON.stringify(key.publicJwk);
      const mac = createHmac(alg === 'HS384' ? 'sha384' : 'sha256', secret)
        .update(signed)
        .digest('base64url');
      expect(await ask({ client_assertion: `${signed}.${mac}` })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    });

    it('of a weaker algorithm, though its key is registered', async () => {
      const weak = await makeClientKey('RS256');
      const of = await register(['system/*.rs'], weak);
      expect(await ask({}, {}, weak, of)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    it('that was used before, and of two at once one', async () => {
      const assertion = await signAssertion(clientId, tokenUrl, key);
      const form = { scope: 'system/*.rs', client_assertion: assertion };
      const both = await Promise.all([
        politely(() => askToken(tokenUrl, form)),
        politely(() => askToken(tokenUrl, form)),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect(await politely(() => askToken(tokenUrl, form))).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    });

    it('for scopes that the client is not registered for', async () => {
      const of = await register(['system/DiagnosticReport.rs'], key);
      expect(await ask({ scope: 'system/Patient.rs openid' }, {}, key, of)).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      });
    });

    it('of a client that was revoked', async () => {
      const of = await register(['system/*.rs'], key);
      expect((await gateway.admin('DELETE', `/clients/${of}`)).status).toBe(204);
      expect(await ask({}, {}, key, of)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    it('with a key that was rotated away', async () => {
      const of = await register(['system/*.rs'], key);
      const jwks = { keys: [stranger.publicJwk] };
      expect((await gateway.admin('POST', `/clients/${of}/rotate`, { jwks })).status).toBe(200);
      expect((await ask({}, {}, key, of)).status).toBe(401);
      expect((await ask({}, {}, stranger, of)).status).toBe(200);
    });
  });

  describe('registers no client', () => {
    const registration = (jwk: object) => ({
      name: 'EHR',
      environment: 'test',
      scopes: ['system/*.rs'],
      jwks: { keys: [jwk] },
    });

    it.each([
      ['whose key is private', () => ({ ...key.publicJwk, d: 'AAAA' }), 'private'],
      ['whose key has no kid', () => ({ ...key.publicJwk, kid: undefined }), 'kid'],
      ['whose key is no key', () => ({ kty: 'EC', kid: 'k', crv: 'P-384', x: 'AA', y: 'AA' }), 'P-384'],
    ])('%s', async (_, jwk, word) => {
      const answer = await gateway.admin('POST', `/organizations/${organization}/clients`, registration(jwk()));
      expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      expect(JSON.stringify(answer.body)).toContain(word);
    });

    it('with two keys of one kid, or with a megabyte of keys', async () => {
      const other = await makeClientKey('ES384', key.kid);
      const twice = { ...registration(key.publicJwk), jwks: { keys: [key.publicJwk, other.publicJwk] } };
      const large = { ...key.publicJwk, x5c: ['A'.repeat(1_000_000)] };
      for (const wrong of [twice, registration(large)]) {
        const { status } = await gateway.admin('POST', `/organizations/${organization}/clients`, wrong);
        expect([400, 413]).toContain(status);
      }
    });

    it('of a scope that is none, of an address without TLS, of two sources of keys', async () => {
      const right = { ...registration(key.publicJwk) };
      for (const wrong of [
        { ...right, scopes: ['patient/*.rs'] },
        { ...right, jwks: undefined, jwksUrl: 'http://ehr.example.org/jwks.json' },
        { ...right, jwksUrl: 'https://ehr.example.org/jwks.json' },
        { ...right, jwks: undefined },
      ])
        expect(await gateway.admin('POST', `/organizations/${organization}/clients`, wrong)).toMatchObject({
          status: 400,
        });
    });
  });

  describe('grants a token', () => {
    it('smart_backend_services_auth_request_success and _auth_response_body', async () => {
      const answer = await ask({ scope: 'system/*.read' });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          token_type: 'bearer',
          expires_in: 300,
          scope: 'system/*.read',
          access_token: expect.any(String) as string,
        },
      });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it('in the syntax of v2, narrowed to what is registered', async () => {
      const of = await register(['system/DiagnosticReport.rs', 'system/Media.c'], key);
      expect(await ask({ scope: 'system/*.cruds system/Nothing.rs offline_access' }, {}, key, of)).toMatchObject({
        status: 200,
        body: { scope: 'system/DiagnosticReport.rs system/Media.c' },
      });
    });

    it('to an independent client library, signing with RSA', async () => {
      const rsa = await makeClientKey('RS384');
      const of = await register(['system/*.rs'], rsa);
      const configuration = new Configuration(
        { issuer: gateway.baseUrl, token_endpoint: tokenUrl },
        of,
        undefined,
        // SMART has the address of the token endpoint as the audience, where this library has the issuer's.
        PrivateKeyJwt(
          { key: rsa.privateKey, kid: rsa.kid },
          { [modifyAssertion]: (_header, payload) => void (payload['aud'] = tokenUrl) },
        ),
      );
      allowInsecureRequests(configuration);
      configuration[customFetch] = (url, options) => politely(() => fetch(url, options as RequestInit));
      await expect(clientCredentialsGrant(configuration, { scope: 'openid' })).rejects.toMatchObject({
        error: 'invalid_scope',
      });
      const granted = await clientCredentialsGrant(configuration, { scope: 'system/*.rs' });
      expect(granted.scope).toBe('system/*.rs');
      expect((await fhir(granted.access_token, 'GET', '/Patient')).status).toBe(200);
    });

    it('and writes down that it did, for whom, with which scopes', async () => {
      const of = await register(['system/*.rs'], key);
      await tokenFor('system/Patient.rs', of);
      const rows = await queryDatabase<{ query: string }>(
        gateway.databaseUrl,
        `select query from audit_events where interaction = '$token' and key_id = $1`,
        [of],
      );
      expect(rows).toEqual([{ query: 'scope=system/Patient.rs' }]);
    });
  });

  describe('a token', () => {
    it('lets do what it was granted on a type, and nothing else', async () => {
      const writer = await tokenFor('system/Patient.c');
      const created = await fhir(writer, 'POST', '/Patient', PATIENT);
      expect(created.status).toBe(201);
      const id = created.headers.get('location')!.split('/Patient/')[1]!.split('/')[0]!;
      expect((await fhir(writer, 'GET', `/Patient/${id}`)).status).toBe(403);
      expect((await fhir(writer, 'GET', '/Patient')).status).toBe(403);
      expect((await fhir(writer, 'POST', '/Media', { resourceType: 'Media', status: 'completed' })).status).toBe(403);
      const reader = await tokenFor('system/Patient.r');
      expect((await fhir(reader, 'GET', `/Patient/${id}`)).status).toBe(200);
      expect((await fhir(reader, 'GET', '/Patient')).status).toBe(403);
      expect((await fhir(reader, 'PUT', `/Patient/${id}`, { ...PATIENT, id })).status).toBe(403);
    });

    it('includes no resource of a type that it does not reach', async () => {
      const all = await tokenFor('system/*.crus');
      const patient = await fhir(all, 'POST', '/Patient', {
        ...PATIENT,
        identifier: [{ system: 'urn:example:mrn', value: 'P-2' }],
      });
      const reference = `Patient/${patient.headers.get('location')!.split('/Patient/')[1]!.split('/')[0]!}`;
      expect(
        (
          await fhir(all, 'POST', '/BodyStructure', {
            resourceType: 'BodyStructure',
            patient: { reference },
            location: { text: 'heel' },
          })
        ).status,
      ).toBe(201);
      const wounds = await tokenFor('system/BodyStructure.rs');
      const types = (answer: Answer) =>
        (answer.body as { entry: { resource: { resourceType: string } }[] }).entry.map(
          ({ resource }) => resource.resourceType,
        );
      expect(types(await fhir(wounds, 'GET', '/BodyStructure?_include=BodyStructure:patient'))).toEqual([
        'BodyStructure',
      ]);
      expect(types(await fhir(all, 'GET', '/BodyStructure?_include=BodyStructure:patient'))).toEqual([
        'BodyStructure',
        'Patient',
      ]);
      expect((await fhir(wounds, 'GET', `/${reference}/$everything`)).status).toBe(403);
      expect((await fhir(wounds, 'GET', '/BodyStructure?patient.identifier=P-2')).status).toBe(403);
    });

    it('reaches the native door where its rights cover what that shows', async () => {
      const native = (token: string, path: string, method = 'GET') =>
        send(method, `${gateway.baseUrl}/api/v1${path}`, { key: token });
      expect((await native(await tokenFor('system/*.rs'), '/usage')).status).toBe(200);
      expect(await native(await tokenFor('system/DiagnosticReport.rs'), '/usage')).toMatchObject({
        status: 403,
        body: { code: 'auth.scope' },
      });
    });

    it('sees nothing of another organization, and is refused once its client is revoked', async () => {
      const elsewhere = await gateway.createClient();
      const patient = await send('POST', `${gateway.baseUrl}/fhir/Patient`, {
        key: elsewhere.key,
        json: PATIENT,
        headers: { 'content-type': 'application/fhir+json' },
      });
      const id = patient.headers.get('location')!.split('/Patient/')[1]!.split('/')[0]!;
      const of = await register(['system/*.rs'], key);
      const token = await tokenFor('system/*.rs', of);
      expect((await fhir(token, 'GET', `/Patient/${id}`)).status).toBe(404);
      expect((await gateway.admin('DELETE', `/clients/${of}`)).status).toBe(204);
      expect(await fhir(token, 'GET', '/Patient')).toMatchObject({ status: 401 });
    });

    it.each([
      ['changed by a character', (token: string) => `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}`],
      ['without its signature', (token: string) => `${token.split('.').slice(0, 2).join('.')}.`],
      [
        'of another algorithm',
        (token: string) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]!}.`,
      ],
    ])('is refused %s', async (_, change) => {
      expect((await fhir(change(await tokenFor('system/*.rs')), 'GET', '/Patient')).status).toBe(401);
    });

    it('that a client signs itself is none', async () => {
      const own = await signAssertion(clientId, tokenUrl, key, {
        claims: { org: organization, env: 'test', scope: 'system/*.crus' },
      });
      expect((await fhir(own, 'GET', '/Patient')).status).toBe(401);
    });
  });

  describe('says what it offers', () => {
    it.each(['', '/fhir', '/fhir/R4'])(
      'well_known_endpoint at %s/.well-known/smart-configuration, nothing that is not there',
      async (base) => {
        const answer = await send('GET', `${gateway.baseUrl}${base}/.well-known/smart-configuration`);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
        expect(answer.body).toMatchObject({
          token_endpoint: tokenUrl,
          token_endpoint_auth_methods_supported: ['private_key_jwt'],
          token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
          grant_types_supported: ['client_credentials'],
          capabilities: ['client-confidential-asymmetric', 'permission-v1', 'permission-v2'],
        });
        expect(answer.body).not.toHaveProperty('authorization_endpoint');
        expect(answer.body).not.toHaveProperty('issuer');
      },
    );

    it('in the CapabilityStatement', async () => {
      const { body } = await send('GET', `${gateway.baseUrl}/fhir/metadata`);
      const { security } = (
        body as { rest: { security: { service: { coding: { code: string }[] }[]; extension?: object[] } }[] }
      ).rest[0]!;
      expect(security.service[0]!.coding[0]!.code).toBe('SMART-on-FHIR');
      // R4's extension asks for an address to authorize at, which backend services do not have: .well-known says what there is.
      expect(security).not.toHaveProperty('extension');
    });
  });

  it('holds back an address that asks without end, and tells it when to come again', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => askToken(tokenUrl, { grant_type: 'x' })));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(20);
    expect(limited[0]).toMatchObject({ body: { error: 'temporarily_unavailable', code: 'rate.limited' } });
    expect(Number(limited[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
