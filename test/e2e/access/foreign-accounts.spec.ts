import { AdminBrowser, PASSWORD } from '../../support/admin-browser.js';
import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { TestIdentityProvider } from '../../support/identity-provider.js';
import { createTestDatabase } from '../../support/test-database.js';

const OWN = '01997f2e-1111-7000-8000-0000000000aa';
const OTHER = '01997f2e-1111-7000-8000-0000000000bb';
const said = ({ status, body }: Answer): unknown[] => [status, body?.code];
let number = 0;
const newName = (): string => `account-${(number += 1)}`;
type Invited = { readonly id: string; readonly name: string; readonly setupCode: string };

describe('an account', () => {
  let provider: TestIdentityProvider;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let gateway: Gateway;
  let [admin, otherAdmin]: AdminBrowser[] = [];

  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
    database = await createTestDatabase();
    const roles = `it=integrator@${OWN},root=installation-admin`;
    gateway = await startGateway({
      roles: 'api',
      databaseUrl: database.url,
      env: { TRUST_PROXY: 'loopback', ...provider.settings, SUTURA_OIDC_ROLES: roles },
    });
    for (const id of [OWN, OTHER])
      await queryDatabase(
        database.url,
        `insert into organizations (id, name, plan, result_policy, created_at) values ($1, 'Clinic', 'enterprise', 'review', now())`,
        [id],
      );
    [admin, otherAdmin] = [await enter(OWN, 'admin'), await enter(OTHER, 'admin')];
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
    await database?.drop();
  });

  const invite = async (roles: object[], more: object = {}): Promise<Invited> =>
    expectStatus(201, await gateway.admin('POST', '/users', { name: newName(), roles, ...more })).body as Invited;
  const enter = async (organizationId: string, role: string): Promise<AdminBrowser> =>
    new AdminBrowser(gateway).enter(await invite([{ organizationId, role }]));
  const ofOwn = (method: string, path: string, json?: object): Promise<Answer> =>
    admin!.ask(method, `/organizations/${OWN}/users${path}`, json);
  const give = async ({ id }: { readonly id: string }, change: object): Promise<void> => {
    expectStatus(200, await gateway.admin('PATCH', `/users/${id}`, change));
  };
  const reset = async ({ id, name }: { readonly id: string; readonly name: string }): Promise<Invited> => ({
    ...(expectStatus(200, await ofOwn('POST', `/${id}/reset`)).body as Invited),
    name,
  });
  const session = (browser: AdminBrowser): Promise<Answer> => browser.ask('GET', '/session');

  const comeByProvider = async (
    roles: string[],
  ): Promise<{ readonly browser: AdminBrowser; readonly name: string }> => {
    const name = newName();
    provider.next({ claims: { sub: `s-${name}`, preferred_username: name, name: 'Anna Example', roles } });
    const visit = (url: string, cookie = ''): Promise<Answer> => send('GET', url, { headers: { cookie } });
    const pairs = (answer: Answer): string[] => answer.headers.getSetCookie().map((line) => line.split(';')[0]!);
    const begun = expectStatus(302, await visit(`${gateway.baseUrl}/admin/v1/session/oidc`));
    const back = expectStatus(302, await visit(begun.headers.get('location')!));
    const done = expectStatus(303, await visit(back.headers.get('location')!, pairs(begun).join('; ')));
    const browser = new AdminBrowser(gateway);
    browser.cookie = pairs(done).find((pair) => pair.startsWith('sutura-session='))!;
    browser.csrfToken = expectStatus(200, await session(browser)).body.csrfToken as string;
    return { browser, name };
  };

  describe('that the identity provider vouches for', () => {
    it('gets no set-up code from an admin of its organization, nor from those of the installation', async () => {
      const { browser } = await comeByProvider(['it']);
      const { id } = expectStatus(200, await session(browser)).body.user;
      expect(said(await ofOwn('POST', `/${id}/reset`))).toEqual([409, 'user.provider']);
      expect(said(await gateway.admin('POST', `/users/${id}/reset`))).toEqual([409, 'user.provider']);
      expectStatus(200, await session(browser));
    });

    it('has no other way in, even where one was left from before', async () => {
      const { browser, name } = await comeByProvider(['it']);
      const local = await invite([{ organizationId: OWN, role: 'viewer' }]);
      await new AdminBrowser(gateway).enter(local);
      await queryDatabase(
        database.url,
        'update users set password_hash = (select password_hash from users where name = $2) where name = $1',
        [name, local.name],
      );
      expect(said(await new AdminBrowser(gateway).tryLogIn(name))).toEqual([401, 'login.refused']);
      for (const [method, path, json] of [
        ['POST', '/session/password', { password: PASSWORD, newPassword: 'nine boats behind the harbour' }],
        ['POST', '/session/codes', { password: PASSWORD }],
      ] as const)
        expect(said(await browser.ask(method, path, json))).toEqual([401, 'login.refused']);
    });

    it('takes no set-up code that was left from before', async () => {
      const { name } = await comeByProvider(['it']);
      const { setupCode, id } = await invite([]);
      const [kept] = await queryDatabase<{ sha256: Buffer; until: Date }>(
        database.url,
        'select setup_sha256 as "sha256", setup_expires_at as until from users where id = $1',
        [id],
      );
      const move = 'update users set setup_sha256 = $2, setup_expires_at = $3 where name = $1 or id::text = $1';
      await queryDatabase(database.url, move, [id, null, null]);
      await queryDatabase(database.url, move, [name, kept!.sha256, kept!.until]);
      const answer = await new AdminBrowser(gateway).ask('POST', '/session/setup', { setupCode, password: PASSWORD });
      expect(said(answer)).toEqual([403, 'user.setup']);
    });
  });

  describe('of somebody who has no role in the organization any more', () => {
    it('is not reset and not disabled by its admins', async () => {
      const person = await invite([{ organizationId: OWN, role: 'integrator' }]);
      const browser = await new AdminBrowser(gateway).enter(person);
      await give(person, { roles: [] });
      expect(said(await ofOwn('POST', `/${person.id}/reset`))).toEqual([409, 'user.elsewhere']);
      expect(said(await ofOwn('PATCH', `/${person.id}`, { disabled: true }))).toEqual([409, 'user.elsewhere']);
      await give(person, { roles: [{ organizationId: OTHER, role: 'admin' }] });
      expectStatus(200, await browser.ask('GET', `/organizations/${OTHER}/users`));
    });

    it('is not reset by two requests at once of which one takes the role away', async () => {
      for (let round = 0; round < 5; round += 1) {
        const person = await invite([{ organizationId: OWN, role: 'integrator' }]);
        const [, answer] = await Promise.all([
          give(person, { roles: [{ organizationId: OTHER, role: 'admin' }] }),
          ofOwn('POST', `/${person.id}/reset`),
        ]);
        // Either the code came first and ended with the role elsewhere, or there is none.
        const code = answer.status === 200 ? (answer.body.setupCode as string) : 'A'.repeat(43);
        expect([200, 409]).toContain(answer.status);
        const used = await admin!.ask('POST', '/session/setup', { setupCode: code, password: PASSWORD });
        expect(said(used)).toEqual([403, 'user.setup']);
      }
    });
  });

  describe('whose set-up code an admin of the organization was handed', () => {
    it.each<[string, object]>([
      ['a role in another organization', { roles: [{ organizationId: OTHER, role: 'admin' }] }],
      ['one beside that here', { roles: [OWN, OTHER].map((organizationId) => ({ organizationId, role: 'viewer' })) }],
      ['all of the installation', { installationAdmin: true }],
    ])('ends for whoever holds it, once the person is given %s', async (_, gift) => {
      const made = expectStatus(201, await ofOwn('POST', '', { name: newName(), role: 'integrator' })).body as Invited;
      const again = await invite([{ organizationId: OWN, role: 'viewer' }]);
      const [first, second] = [
        await new AdminBrowser(gateway).enter(made),
        await new AdminBrowser(gateway).enter(await reset(again)),
      ];
      const pending = await reset(await invite([{ organizationId: OWN, role: 'viewer' }]));
      for (const person of [made, again, pending]) await give(person, gift);
      for (const browser of [first, second]) expect(said(await session(browser))).toEqual([401, 'auth.session']);
      for (const { name } of [made, again])
        expect(said(await new AdminBrowser(gateway).tryLogIn(name))).toEqual([401, 'login.refused']);
      const setup = { setupCode: pending.setupCode, password: PASSWORD };
      expect(said(await admin!.ask('POST', '/session/setup', setup))).toEqual([403, 'user.setup']);
      // Who gave the role hands out a code: that one lasts.
      await give(made, { roles: [{ organizationId: OWN, role: 'viewer' }], installationAdmin: false });
      const { setupCode } = expectStatus(200, await gateway.admin('POST', `/users/${made.id}/reset`)).body;
      const browser = await new AdminBrowser(gateway).enter({ name: made.name, setupCode });
      await give(made, { roles: [{ organizationId: OTHER, role: 'viewer' }] });
      expectStatus(200, await session(browser));
    });

    it('ends though the password was changed since', async () => {
      const person = await reset(await invite([{ organizationId: OWN, role: 'viewer' }]));
      const browser = await new AdminBrowser(gateway).enter(person);
      const newPassword = 'nine boats behind the harbour';
      expectStatus(204, await browser.ask('POST', '/session/password', { password: PASSWORD, newPassword }));
      await give(person, { roles: [{ organizationId: OTHER, role: 'admin' }] });
      expect((await new AdminBrowser(gateway).tryLogIn(person.name, newPassword)).status).toBe(401);
    });

    it('stays in force while the person belongs to that organization alone', async () => {
      const person = await reset(await invite([{ organizationId: OWN, role: 'viewer' }]));
      const browser = await new AdminBrowser(gateway).enter(person);
      await give(person, { roles: [{ organizationId: OWN, role: 'admin' }] });
      await give(person, { roles: [] });
      expectStatus(200, await session(browser));
    });

    it('is not ended by admins elsewhere, who take the person in no more', async () => {
      const person = await invite([OWN, OTHER].map((organizationId) => ({ organizationId, role: 'viewer' })));
      await give(person, { roles: [{ organizationId: OWN, role: 'viewer' }] });
      const browser = await new AdminBrowser(gateway).enter(await reset(person));
      const taken = await otherAdmin!.ask('PATCH', `/organizations/${OTHER}/users/${person.id}`, { role: 'admin' });
      expect(said(taken)).toEqual([409, 'user.elsewhere']);
      expectStatus(200, await session(browser));
    });
  });
});
