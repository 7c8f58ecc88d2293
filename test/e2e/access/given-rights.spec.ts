import { AdminBrowser } from '../../support/admin-browser.js';
import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { makeClientKey, type ClientKey } from '../../support/smart-client.js';

const said = ({ status, body }: Answer): unknown[] => [status, body?.code];
const REFUSED = [403, 'auth.role'];
const CONNECTS = ['images:write', 'analysis:write', 'analysis:read', 'webhooks:manage', 'bulk:export'];

describe('a right', () => {
  let gateway: Gateway;
  let own: string;
  let publicKey: ClientKey;
  let [integrator, admin]: AdminBrowser[] = [];
  beforeAll(async () => {
    gateway = await startGateway({
      roles: 'api',
      env: { TRUST_PROXY: 'loopback', SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8' },
    });
    own = await gateway.createOrganization();
    publicKey = await makeClientKey('ES384');
    [integrator, admin] = [await enter('integrator'), await enter('admin')];
  });
  afterAll(() => gateway?.stop());

  const enter = async (role: string): Promise<AdminBrowser> => {
    const wish = { name: `the-${role}`, roles: [{ organizationId: own, role }] };
    return new AdminBrowser(gateway).enter(expectStatus(201, await gateway.admin('POST', '/users', wish)).body);
  };
  const newKey = (by: AdminBrowser, scopes: readonly string[], more: object = {}): Promise<Answer> =>
    by.ask('POST', `/organizations/${own}/keys`, { environment: 'test', scopes, ...more });
  const newClient = (by: AdminBrowser, scopes: readonly string[], more: object = {}): Promise<Answer> =>
    by.ask('POST', `/organizations/${own}/clients`, {
      name: 'EHR',
      environment: 'live',
      scopes,
      jwks: { keys: [publicKey.publicJwk] },
      ...more,
    });
  const revoke = async (kind: 'keys' | 'clients', id: string): Promise<void> => {
    expectStatus(204, await integrator!.ask('DELETE', `/${kind}/${id}`));
  };

  it.each(['patients:erase', 'audit:read', 'analysis:review'])(
    'that an integrator lacks is in no key that they make: %s',
    async (scope) => {
      const answer = await newKey(integrator!, ['analysis:read', scope]);
      expect([...said(answer), answer.body.detail]).toEqual([...REFUSED, expect.stringContaining(scope)]);
    },
  );

  it.each(['system/AuditEvent.rs', 'system/AuditEvent.c', 'system/DiagnosticReport.u', 'system/*.crus'])(
    'that an integrator lacks is in no client that they register: %s',
    async (scope) => expect(said(await newClient(integrator!, ['system/Patient.rs', scope]))).toEqual(REFUSED),
  );

  it('to name persons is given by admins alone, with a new credential or later', async () => {
    expect(said(await newKey(integrator!, ['analysis:read'], { namesPersons: true }))).toEqual(REFUSED);
    expect(said(await newClient(integrator!, ['system/Patient.rs'], { namesPersons: true }))).toEqual(REFUSED);
    const { keyId } = expectStatus(201, await newKey(integrator!, ['analysis:read'])).body;
    const { clientId } = expectStatus(201, await newClient(integrator!, ['system/Patient.rs'])).body;
    for (const path of [`/keys/${keyId}`, `/clients/${clientId}`]) {
      expect(said(await integrator!.ask('PATCH', path, { namesPersons: true }))).toEqual(REFUSED);
      expectStatus(200, await admin!.ask('PATCH', path, { namesPersons: true }));
      expect(said(await integrator!.ask('PATCH', path, { allowedNetworks: [] }))).toEqual(REFUSED);
      expect(said(await integrator!.ask('POST', `${path}/rotate`, rotation(path)))).toEqual(REFUSED);
      expectStatus(200, await integrator!.ask('PATCH', path, { namesPersons: false }));
      expect((await integrator!.ask('POST', `${path}/rotate`, rotation(path))).status).toBeLessThan(202);
    }
    const { items } = expectStatus(200, await admin!.ask('GET', `/organizations/${own}/keys`)).body;
    for (const { keyId: made, state } of items) if (state === 'active') await revoke('keys', made as string);
    await revoke('clients', clientId as string);
  });

  it.each(['patients:erase', 'audit:read', 'analysis:review'])(
    'that an integrator lacks is not handed to them by rotation of an admin’s key: %s',
    async (scope) => {
      const { keyId, key } = expectStatus(201, await newKey(admin!, [scope])).body;
      expect(said(await integrator!.ask('POST', `/keys/${keyId}/rotate`, {}))).toEqual(REFUSED);
      expect(said(await integrator!.ask('PATCH', `/keys/${keyId}`, { allowedNetworks: [] }))).toEqual(REFUSED);
      // Nothing became of the key by what was refused.
      const answer = await send('GET', `${gateway.baseUrl}/api/v1/usage`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(answer.status).not.toBe(401);
      await revoke('keys', keyId as string);
    },
  );

  it('that an integrator lacks is not theirs by keys of their own for an admin’s client', async () => {
    const { clientId } = expectStatus(201, await newClient(admin!, ['system/AuditEvent.rs'])).body;
    const path = `/clients/${clientId}`;
    expect(said(await integrator!.ask('POST', `${path}/rotate`, rotation(path)))).toEqual(REFUSED);
    expect(said(await integrator!.ask('PATCH', path, { allowedNetworks: ['0.0.0.0/0'] }))).toEqual(REFUSED);
    await revoke('clients', clientId as string);
  });

  it('that a role has is given by it: systems are connected as before, and admins give everything', async () => {
    const { keyId } = expectStatus(201, await newKey(integrator!, CONNECTS, { environment: 'live' })).body;
    expectStatus(201, await integrator!.ask('POST', `/keys/${keyId}/rotate`, { overlapS: 0 }));
    expectStatus(200, await integrator!.ask('PATCH', `/keys/${keyId}`, { allowedNetworks: ['10.0.0.0/8'] }));
    const all = [...CONNECTS, 'analysis:review', 'audit:read', 'patients:erase'];
    const made = expectStatus(201, await newKey(admin!, all, { namesPersons: true })).body;
    expectStatus(201, await admin!.ask('POST', `/keys/${made.keyId}/rotate`, { overlapS: 0 }));
    const client = await newClient(integrator!, ['system/*.crs', 'system/Patient.u']);
    expectStatus(201, client);
    expectStatus(201, await newClient(admin!, ['system/*.crus', 'system/AuditEvent.rs'], { namesPersons: true }));
  });

  it('to read is not made of the right to manage webhooks: events with their content are for who may read them', async () => {
    const other = await gateway.createOrganization();
    const { key } = await gateway.createKey(other, 'test', ['webhooks:manage']);
    const { key: reader } = await gateway.createKey(other, 'test', ['webhooks:manage', 'analysis:read']);
    const ask = (by: string, method: string, path: string, json: object): Promise<Answer> =>
      send(method, `${gateway.baseUrl}/api/v1/webhooks${path}`, { json, headers: { authorization: `Bearer ${by}` } });
    const read = (by: string, path: string): Promise<Answer> =>
      send('GET', `${gateway.baseUrl}/api/v1/webhooks${path}`, { headers: { authorization: `Bearer ${by}` } });
    const url = 'https://127.0.0.1:44300/in';
    expect(said(await ask(key, 'POST', '', { url, content: 'full' }))).toEqual([403, 'auth.scope']);
    const { id } = expectStatus(201, await ask(key, 'POST', '', { url })).body;
    expect(said(await ask(key, 'PATCH', `/${id}`, { content: 'full' }))).toEqual([403, 'auth.scope']);
    expectStatus(200, await ask(reader, 'PATCH', `/${id}`, { content: 'full' }));
    expect(said(await ask(key, 'PATCH', `/${id}`, { url: 'https://127.0.0.1:44300/other' }))).toEqual([
      403,
      'auth.scope',
    ]);
    // In one request: what was kept with its content would go to an address of their own.
    const elsewhere = { url: 'https://127.0.0.1:44300/mine', content: 'ids' };
    expect(said(await ask(key, 'PATCH', `/${id}`, elsewhere))).toEqual([403, 'auth.scope']);
    expectStatus(200, await ask(key, 'PATCH', `/${id}`, { content: 'ids' }));
    expect(said(await ask(key, 'PATCH', `/${id}`, { url: elsewhere.url }))).toEqual([403, 'auth.scope']);
    expect(said(await read(key, `/${id}/deliveries/01890000-0000-7000-8000-000000000000`))).toEqual([
      403,
      'auth.scope',
    ]);
    expectStatus(200, await ask(reader, 'PATCH', `/${id}`, { url: elsewhere.url }));
  });

  it.each(['destinations', 'listeners'])(
    'to use files of the machine, which may be the keys of another organization, is of the installation: %s',
    async (peers) => {
      const files = { certFile: '/keys/others.pem', keyFile: '/keys/others.key' };
      const place = peers === 'listeners' ? { port: 47_611 } : { host: 'ehr.example.org', port: 2580 };
      const peer = (name: string, tls: object | null): object => ({
        organizationId: own,
        environment: 'test',
        name,
        settings: { ...place, tls },
      });
      for (const by of [integrator!, admin!]) {
        const answer = await by.ask('POST', `/hl7/${peers}`, peer('by a role', files));
        expect([...said(answer), answer.body.detail]).toEqual([...REFUSED, expect.stringContaining('keyFile')]);
      }
      const { id: plain } = expectStatus(201, await integrator!.ask('POST', `/hl7/${peers}`, peer('plain', null))).body;
      const change = (id: unknown, settings: object): Promise<Answer> =>
        integrator!.ask('PATCH', `/hl7/${peers}/${id as string}`, { settings });
      expect(said(await change(plain, { tls: files }))).toEqual(REFUSED);
      const remove = (made: unknown): Promise<Answer> => integrator!.ask('DELETE', `/hl7/${peers}/${made as string}`);
      expect((await remove(plain)).status).toBeLessThan(205);
      // What the operator placed for them, they keep, and may leave out.
      const { id } = expectStatus(201, await gateway.admin('POST', `/hl7/${peers}`, peer('placed', files))).body;
      expectStatus(200, await change(id, { tls: files, timeZone: 'Europe/Berlin' }));
      expect(said(await change(id, { tls: { keyFile: '/keys/third.key' } }))).toEqual(REFUSED);
      expectStatus(200, await change(id, { tls: null }));
      expect(said(await change(id, { tls: files }))).toEqual(REFUSED);
      expect((await remove(id)).status).toBeLessThan(205);
    },
  );

  function rotation(path: string): object {
    return path.startsWith('/keys') ? { overlapS: 0 } : { jwks: { keys: [publicKey.publicJwk] } };
  }
});
