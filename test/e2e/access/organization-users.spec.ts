import { AdminBrowser } from '../../support/admin-browser.js';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const said = ({ status, body }: Answer): unknown[] => [status, body?.code];
let number = 0;
const newName = (): string => `person-${(number += 1)}`;

describe('users of an organization, managed by its own admin', () => {
  let gateway: Gateway;
  let own: string;
  let other: string;
  let admin: AdminBrowser;
  let adminName: string;
  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api', env: { TRUST_PROXY: 'loopback' } });
    [own, other] = [await gateway.createOrganization(), await gateway.createOrganization()];
    adminName = newName();
    admin = await new AdminBrowser(gateway).enter(
      expectStatus(
        201,
        await gateway.admin('POST', '/users', { name: adminName, roles: [{ organizationId: own, role: 'admin' }] }),
      ).body,
    );
  });
  afterAll(() => gateway?.stop());

  const ask = (method: string, path = '', json?: object, of = own) =>
    admin.ask(method, `/organizations/${of}/users${path}`, json);
  const invite = (wish: object) => gateway.admin('POST', '/users', { name: newName(), ...wish });

  it('are none of another organization’s, and nobody’s whom only others have', async () => {
    const stranger = expectStatus(201, await invite({ roles: [{ organizationId: other, role: 'viewer' }] })).body;
    expect(said(await ask('GET', '', undefined, other))).toEqual([403, 'auth.role']);
    expect(said(await ask('POST', '', { name: newName(), role: 'admin' }, other))).toEqual([403, 'auth.role']);
    for (const change of [{ role: 'admin' }, { disabled: true }])
      expect(said(await ask('PATCH', `/${stranger.id}`, change))).toEqual([404, 'user.not_found']);
    expect(said(await ask('POST', `/${stranger.id}/reset`))).toEqual([404, 'user.not_found']);
    const listed = expectStatus(200, await ask('GET')).body.items as { id: string }[];
    expect(listed.map(({ id }) => id)).not.toContain(stranger.id);
  });

  it('cannot be installation admins, nor disabled or reset where others rely on them; their role here can go', async () => {
    expect(said(await ask('POST', '', { name: newName(), role: 'viewer', installationAdmin: true }))).toEqual([
      400,
      'request.invalid',
    ]);
    const roles = [own, other].map((organizationId) => ({ organizationId, role: 'integrator' }));
    const shared = expectStatus(201, await invite({ roles })).body;
    expect(said(await ask('PATCH', `/${shared.id}`, { disabled: true }))).toEqual([409, 'user.elsewhere']);
    expect(said(await ask('POST', `/${shared.id}/reset`))).toEqual([409, 'user.elsewhere']);
    const changed = expectStatus(200, await ask('PATCH', `/${shared.id}`, { role: null })).body;
    expect([changed.role, changed.roles]).toEqual([null, undefined]);
    const { items } = expectStatus(200, await gateway.admin('GET', '/users')).body;
    expect(items.find(({ id }: { id: string }) => id === shared.id).roles).toEqual([
      { organizationId: other, role: 'integrator' },
    ]);
  });

  it('do not lock themselves out', async () => {
    const { items } = expectStatus(200, await ask('GET')).body;
    const self = items.find(({ name }: { name: string }) => name === adminName);
    for (const change of [{ role: 'viewer' }, { role: null }, { disabled: true }])
      expect(said(await ask('PATCH', `/${self.id}`, change))).toEqual([409, 'user.self']);
    expect(said(await ask('POST', `/${self.id}/reset`))).toEqual([409, 'user.self']);
    expect(expectStatus(200, await ask('GET')).body.items.length).toBeGreaterThan(0);
  });

  it('come, go, come again with another role, are disabled, and it is all in the organization’s trail', async () => {
    const name = newName();
    const made = expectStatus(201, await ask('POST', '', { name, role: 'integrator' })).body;
    expect([made.role, typeof made.setupCode]).toEqual(['integrator', 'string']);
    const person = await new AdminBrowser(gateway).enter(made);
    const keys = () => person.ask('GET', `/organizations/${own}/keys`);
    expectStatus(200, await keys());
    expectStatus(200, await ask('PATCH', `/${made.id}`, { role: null }));
    expect(said(await keys())).toEqual([403, 'auth.role']);
    expectStatus(200, await ask('PATCH', `/${made.id}`, { role: 'viewer' }));
    expectStatus(200, await keys());
    expectStatus(200, await ask('PATCH', `/${made.id}`, { disabled: true }));
    expect(said(await keys())).toEqual([401, 'auth.session']);
    const rows = await queryDatabase<{ interaction: string; key_id: string }>(
      gateway.databaseUrl,
      `select interaction, key_id from audit_events where organization_id = $1 and resources = array[$2] order by id`,
      [own, `Person/${made.id}`],
    );
    expect(rows.map(({ interaction }) => interaction)).toEqual([
      '$create-user',
      '$change-user',
      '$change-user',
      '$change-user',
    ]);
    expect(new Set(rows.map(({ key_id }) => key_id))).toEqual(new Set([`user:${adminName}`]));
  });
});
