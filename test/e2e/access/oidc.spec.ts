import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { AdminBrowser } from '../../support/admin-browser.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { TestIdentityProvider, type ProviderWish } from '../../support/identity-provider.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { createTestDatabase } from '../../support/test-database.js';

const ORGANIZATION = '01997f2e-1111-7000-8000-0000000000aa';
const OTHER = '01997f2e-1111-7000-8000-0000000000bb';
const BEGIN = '/admin/v1/session/oidc';
let people = 0;
const person = (roles: unknown, more: object = {}): ProviderWish => {
  people += 1;
  return {
    claims: { sub: `s-${people}`, preferred_username: `person-${people}`, name: 'Anna Example', roles, ...more },
  };
};

describe('logins by the identity provider', () => {
  let provider: TestIdentityProvider;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let gateway: Gateway;

  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
    database = await createTestDatabase();
    gateway = await startGateway({
      roles: 'api',
      databaseUrl: database.url,
      env: {
        TRUST_PROXY: 'loopback',
        ...provider.settings,
        SUTURA_OIDC_ROLES: `ward=viewer@${ORGANIZATION},it=integrator@${ORGANIZATION},it=viewer@${OTHER},root=installation-admin`,
      },
    });
    for (const id of [ORGANIZATION, OTHER])
      await queryDatabase(
        database.url,
        `insert into organizations (id, name, plan, result_policy, created_at) values ($1, 'Clinic', 'enterprise', 'review', now())`,
        [id],
      );
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
    await database?.drop();
  });

  const follow = (url: string, cookie = ''): Promise<Answer> =>
    send('GET', url, {
      headers: { 'x-forwarded-for': `198.51.100.${(people % 250) + 1}`, ...(cookie === '' ? {} : { cookie }) },
    });
  const cookieOf = (answer: Answer, name: string): string =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0]!)
      .find((pair) => pair.startsWith(`${name}=`)) ?? '';

  /** As far as the address that the provider sends the browser back to. */
  const sentBack = async (wish: ProviderWish): Promise<{ readonly address: string; readonly cookie: string }> => {
    provider.next(wish);
    const begun = expectStatus(302, await follow(`${gateway.baseUrl}${BEGIN}`));
    const back = expectStatus(302, await follow(begun.headers.get('location')!));
    return { address: back.headers.get('location')!, cookie: cookieOf(begun, 'sutura-login') };
  };
  const logIn = async (wish: ProviderWish): Promise<Answer> => {
    const { address, cookie } = await sentBack(wish);
    return follow(address, cookie);
  };
  const browserOf = async (answer: Answer): Promise<AdminBrowser> => {
    const browser = new AdminBrowser(gateway);
    browser.cookie = cookieOf(expectStatus(303, answer), 'sutura-session');
    browser.csrfToken = expectStatus(200, await browser.ask('GET', '/session')).body.csrfToken as string;
    return browser;
  };
  const said = ({ status, body }: Answer): unknown[] => [status, body?.code];

  it('do not exist without settings', async () => {
    const plain = await sharedGateway();
    for (const path of [BEGIN, `${BEGIN}/callback?code=x&state=y`])
      expect(said(await follow(`${plain.baseUrl}${path}`))).toEqual([404, 'route.not_found']);
  });

  it.each<[string, Partial<ProviderWish>]>([
    ['is signed by another key', { isForged: true }],
    ['is of another issuer', { issuer: 'https://evil.example' }],
    ['is for another client', { audience: 'another' }],
    ['is of another login', { nonce: 'another' }],
    ['has expired', { expiresInS: -300 }],
  ])('are refused where the ID token %s', async (_, wrong) => {
    const answer = await logIn({ ...person(['root']), ...wrong });
    expect([...said(answer), cookieOf(answer, 'sutura-session')]).toEqual([401, 'login.provider', '']);
  });

  it('are refused in another browser than the one that began, without a code, with an old one, and a second time', async () => {
    const { address, cookie } = await sentBack(person(['ward']));
    expect(said(await follow(address))).toEqual([401, 'login.provider']);
    const other = await sentBack(person(['ward']));
    expect(said(await follow(address, other.cookie))).toEqual([401, 'login.provider']);
    expect(said(await follow(address, `${cookie}; sutura-login=x`))).toEqual([401, 'login.provider']);
    const denied = new URL(address);
    denied.search = '?error=access_denied';
    expect(said(await follow(denied.href, cookie))).toEqual([401, 'login.provider']);
    const old = await sentBack(person(['ward']));
    await queryDatabase(database.url, 'update provider_logins set expires_at = now()');
    expect(said(await follow(old.address, old.cookie))).toEqual([401, 'login.provider']);
    const right = await sentBack(person(['ward']));
    expectStatus(303, await follow(right.address, right.cookie));
    expect(said(await follow(right.address, right.cookie))).toEqual([401, 'login.provider']);
  });

  it.each([[[]], [['another']], [undefined], [{ ward: true }], [[42, null]]])(
    'are refused where the claim gives no role: %j',
    async (roles) => {
      expect(said(await logIn(person(roles)))).toEqual([403, 'login.no_role']);
    },
  );

  it('are refused without a name that can be taken, and under the name of a user who has a password', async () => {
    expect(said(await logIn(person(['ward'], { preferred_username: 'two words' })))).toEqual([401, 'login.provider']);
    expectStatus(201, await gateway.admin('POST', '/users', { name: 'boss', installationAdmin: true }));
    expect(said(await logIn(person(['ward'], { preferred_username: 'BOSS' })))).toEqual([409, 'user.name_taken']);
  });

  it('give the roles that the provider states, anew at each login, and are written down', async () => {
    const wish = person(['it', 'unknown']);
    const browser = await browserOf(await logIn(wish));
    const { body } = await browser.ask('GET', '/session');
    expect(body.user).toMatchObject({
      displayName: 'Anna Example',
      installationAdmin: false,
      state: 'active',
      roles: [
        { organizationId: ORGANIZATION, role: 'integrator' },
        { organizationId: OTHER, role: 'viewer' },
      ],
    });
    const key = { environment: 'test', scopes: ['analysis:read'] };
    expectStatus(201, await browser.ask('POST', `/organizations/${ORGANIZATION}/keys`, key));
    expect(said(await browser.ask('POST', `/organizations/${OTHER}/keys`, key))).toEqual([403, 'auth.role']);
    const again = await browserOf(await logIn({ claims: { ...wish.claims, roles: 'ward' } }));
    expect(said(await again.ask('POST', `/organizations/${ORGANIZATION}/keys`, key))).toEqual([403, 'auth.role']);
    const rows = await queryDatabase<{ query: string }>(
      database.url,
      `select query from audit_events where interaction = '$login' and key_id = $1`,
      [`user:${String(wish.claims['preferred_username'])}`],
    );
    expect(rows).toEqual([{ query: 'by=oidc' }, { query: 'by=oidc' }]);
    // Nobody has a password here by whom one could be guessed.
    const name = String(wish.claims['preferred_username']);
    expect((await new AdminBrowser(gateway).tryLogIn(name, 'seven suns over one meadow')).status).toBe(401);
  });

  it('are refused for a user who was disabled here, whatever the provider says', async () => {
    const wish = person(['ward']);
    const browser = await browserOf(await logIn(wish));
    const { id } = (await browser.ask('GET', '/session')).body.user;
    expectStatus(200, await gateway.admin('PATCH', `/users/${id}`, { disabled: true }));
    expect((await browser.ask('GET', '/session')).status).toBe(401);
    expect(said(await logIn(wish))).toEqual([401, 'login.refused']);
  });

  it('may make an installation admin, and with the first the admin token ends', async () => {
    expectStatus(200, await gateway.admin('GET', '/organizations'));
    const browser = await browserOf(await logIn(person(['root'])));
    expectStatus(200, await browser.ask('GET', '/organizations'));
    expect(said(await gateway.admin('GET', '/organizations'))).toEqual([401, 'auth.invalid']);
    expect(provider.refused).toEqual([]);
  });
});
