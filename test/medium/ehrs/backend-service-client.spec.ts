import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock } from '../../../src/core/ports/clock.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { EhrCaller, type EhrCall } from '../../../src/ehrs/index.js';
import { AccessTokens } from '../../../src/exits/ehr/calls/access-tokens.js';
import type { PushingEhr } from '../../../src/exits/ehr/settings/pushing-ehr.js';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import type { FakeEhr } from '../../support/fake-ehr/index.js';
import { PATIENTS, PushGround } from '../ehr-push/push-ground.js';

const CLIENT_ID = 'sutura-push';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Inferno's client list for backend services (suite `smart_client_stu2_2`, `bsca`), by its ids: the EHR of the tests checks what such a client has to send. */
describe('smart_client_stu2_2 as a backend service', () => {
  let ground: PushGround;
  let tenant: Tenant;
  let fake: FakeEhr;
  let patientId: string;
  let keys: Server;
  let ehr: PushingEhr;
  /** What was asked of the EHR, oldest first. */
  let asked: EhrCall[];
  /** What the EHR found wrong before. */
  let noted: number;

  beforeAll(async () => {
    ground = await PushGround.open();
    tenant = await ground.context.createTenant();
    ({ ehr: fake, patientId } = await ground.startEhr('us-core-note', true));
    keys = createServer((_request, response) => {
      void ground.keys.keySetOf(tenant.organizationId).then((set) => response.end(JSON.stringify(set)));
    });
    await new Promise<void>((listening) => keys.listen(0, '127.0.0.1', listening));
    fake.control.registerClient({
      clientId: CLIENT_ID,
      type: 'asymmetric',
      jwksUrl: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
      isBackend: true,
      scopes: ['system/Patient.rs', 'system/DocumentReference.crus'],
    });
    const terms = { dialect: 'us-core-note', send: ['pdf'], auth: 'backend-services', clientId: CLIENT_ID } as const;
    ehr = (await ground.register(tenant, fake, terms)) as PushingEhr;
  });
  afterAll(async () => {
    await new Promise((closed) => keys?.close(closed));
    await ground?.stopAll();
    await ground?.close();
  });
  beforeEach(() => {
    asked = [];
    noted = fake.control.objections.length;
  });

  /** As each process has it. */
  function client() {
    const guard = new AddressGuard(networksOf(['127.0.0.0/8']));
    const caller = new EhrCaller({ guard, timeoutMs: 10_000, limitBytes: 1024 * 1024 });
    const ask: EhrCaller['ask'] = (of, call) => {
      asked.push(call);
      return caller.ask(of, call);
    };
    const recording = Object.assign(Object.create(caller) as EhrCaller, { ask });
    return { ask, tokens: new AccessTokens(recording, ground.keys, ground.context.get(Clock)) };
  }
  const tokenRequests = () => asked.filter(({ method }) => method === 'POST');
  const formOf = ({ body }: EhrCall) => new URLSearchParams(String(body));
  const claimsOf = (call: EhrCall) => decodeJwt(formOf(call).get('client_assertion')!);

  it('is let in by an assertion once, and by none of another client', async () => {
    const { ask, tokens } = client();
    await tokens.of(ehr);
    const [request] = tokenRequests();
    expect((await ask(ehr, request!)).status).toBe(401);
    const other = client();
    const stranger: PushingEhr = { ...ehr, push: { ...ehr.push, clientId: 'somebody' } };
    await expect(other.tokens.of(stranger)).rejects.toMatchObject({ fault: 'token_refused' });
  });

  it('smart_client_registration_bsca: is known by its id and the address of its keys, and sends no secret', async () => {
    await client().tokens.of(ehr);
    const [request] = tokenRequests();
    expect([...formOf(request!).keys()].sort()).toEqual([
      'client_assertion',
      'client_assertion_type',
      'grant_type',
      'scope',
    ]);
    expect(Object.keys(request!.headers ?? {}).sort()).toEqual(['accept', 'content-type']);
  });

  it('smart_client_access_bsca_interaction: gets a token and reads what it was given access to', async () => {
    const { ask, tokens } = client();
    const headers = { accept: 'application/fhir+json', authorization: `Bearer ${await tokens.of(ehr)}` };
    const query = new URLSearchParams({ identifier: `${PATIENTS}|MRN-4711` }).toString();
    const answer = await ask(ehr, { method: 'GET', url: `${ehr.fhirBaseUrl}/Patient?${query}`, headers });
    expect(answer.status).toBe(200);
    expect(answer.body.toString('utf8')).toContain(patientId);
    expect(fake.control.objections.slice(noted)).toEqual([]);
  });

  it('smart_client_token_request_bsca_verification: signs an assertion of its own for each token, for this endpoint and five minutes at most', async () => {
    for (const { tokens } of [client(), client()]) await tokens.of(ehr);
    const requests = tokenRequests();
    expect(requests).toHaveLength(2);
    const published = (await ground.keys.keySetOf(tenant.organizationId)).keys;
    for (const request of requests) {
      const form = formOf(request);
      expect(Object.fromEntries(form)).toMatchObject({
        grant_type: 'client_credentials',
        client_assertion_type: ASSERTION_TYPE,
        scope: 'system/Patient.rs system/DocumentReference.crus',
      });
      const { alg, kid, typ } = decodeProtectedHeader(form.get('client_assertion')!);
      expect(['RS384', 'ES384']).toContain(alg);
      expect([typ, published.some((key) => key.kid === kid && key.alg === alg)]).toEqual(['JWT', true]);
      const { iss, sub, aud, exp } = claimsOf(request);
      expect([iss, sub, aud]).toEqual([CLIENT_ID, CLIENT_ID, request.url]);
      expect(exp! - ground.context.get(Clock).now().getTime() / 1000).toBeLessThanOrEqual(300);
    }
    expect(new Set(requests.map((request) => claimsOf(request).jti)).size).toBe(2);
    expect(fake.control.objections.slice(noted)).toEqual([]);
  });

  it('smart_client_token_use_verification: asks for no second token while the first lasts, and for another once it was told to', async () => {
    const { tokens } = client();
    const first = await tokens.of(ehr);
    expect([await tokens.of(ehr), tokenRequests().length]).toEqual([first, 1]);
    expect(tokens.forget(ehr)).toBe(true);
    expect([(await tokens.of(ehr)) === first, tokenRequests().length]).toEqual([false, 2]);
  });
});
