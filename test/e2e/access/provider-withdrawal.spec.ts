import { AdminBrowser } from '../../support/admin-browser.js';
import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { TestIdentityProvider, type ProviderWish } from '../../support/identity-provider.js';
import { createTestDatabase } from '../../support/test-database.js';

const ORGANIZATION = '01997f2e-1111-7000-8000-0000000000aa';
const said = ({ status, body }: Answer): unknown[] => [status, body?.code];

describe('of somebody who logged in by the identity provider', () => {
  let provider: TestIdentityProvider;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let gateway: Gateway;
  let people = 0;

  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
    database = await createTestDatabase();
    const roles = `ward=viewer@${ORGANIZATION},it=integrator@${ORGANIZATION},root=installation-admin`;
    gateway = await startGateway({
      roles: 'api',
      databaseUrl: database.url,
      env: { TRUST_PROXY: 'loopback', ...provider.settings, SUTURA_OIDC_ROLES: roles },
    });
    await queryDatabase(
      database.url,
      `insert into organizations (id, name, plan, result_policy, created_at) values ($1, 'Clinic', 'enterprise', 'review', now())`,
      [ORGANIZATION],
    );
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
    await database?.drop();
  });

  interface Person {
    readonly browser: AdminBrowser;
    readonly name: string;
    readonly claims: Record<string, unknown>;
  }
  const come = async (offers: ProviderWish['offers'], roles: string[] = ['it']): Promise<Person> => {
    people += 1;
    const name = `person-${people}`;
    const claims = { sub: name, preferred_username: name, roles };
    provider.next({ claims, ...(offers === undefined ? {} : { offers }) });
    const visit = (url: string, cookie = ''): Promise<Answer> => send('GET', url, { headers: { cookie } });
    const pairs = (answer: Answer): string[] => answer.headers.getSetCookie().map((line) => line.split(';')[0]!);
    const begun = expectStatus(302, await visit(`${gateway.baseUrl}/admin/v1/session/oidc`));
    const back = expectStatus(302, await visit(begun.headers.get('location')!));
    const done = expectStatus(303, await visit(back.headers.get('location')!, pairs(begun).join('; ')));
    const browser = new AdminBrowser(gateway);
    browser.cookie = pairs(done).find((pair) => pair.startsWith('sutura-session='))!;
    browser.csrfToken = expectStatus(200, await browser.ask('GET', '/session')).body.csrfToken as string;
    return { browser, name, claims };
  };
  /** As if the session were that much older. */
  const passed = (minutes: number, { name }: Person): Promise<unknown[]> =>
    queryDatabase(
      database.url,
      `update user_sessions set looked_at = looked_at - make_interval(mins => $2), stated_at = stated_at - make_interval(mins => $2)
         where user_id = (select id from users where name = $1)`,
      [name, minutes],
    );
  const keysOf = ({ browser }: Person): Promise<Answer> => browser.ask('GET', `/organizations/${ORGANIZATION}/keys`);
  const rolesOf = async ({ name }: Person): Promise<unknown[]> =>
    queryDatabase(
      database.url,
      `select r.role from users u left join user_roles r on r.user_id = u.id where u.name = $1 and (r.role is not null or u.is_installation_admin)`,
      [name],
    );

  it.each(['refresh', 'userinfo'] as const)(
    'sessions and rights end when the provider withdraws them: %s',
    async (offers) => {
      const person = await come(offers, ['it', 'root']);
      expectStatus(200, await keysOf(person));
      provider.later.set(person.name, null);
      await passed(3, person);
      expect(said(await keysOf(person))).toEqual([401, 'auth.session']);
      expect(await rolesOf(person)).toEqual([]);
    },
  );

  it.each(['refresh', 'userinfo'] as const)(
    'sessions and rights end when no role is stated any more: %s',
    async (offers) => {
      const person = await come(offers);
      provider.later.set(person.name, { ...person.claims, roles: [] });
      await passed(3, person);
      expect(said(await keysOf(person))).toEqual([401, 'auth.session']);
      expect(await rolesOf(person)).toEqual([]);
    },
  );

  it.each(['refresh', 'userinfo'] as const)(
    'rights are those that are stated now, look after look: %s',
    async (offers) => {
      const person = await come(offers);
      for (const [stated, held] of [
        ['ward', 'viewer'],
        ['it', 'integrator'],
        ['ward', 'viewer'],
      ] as const) {
        provider.later.set(person.name, { ...person.claims, roles: [stated] });
        await passed(40, person);
        expectStatus(200, await keysOf(person));
        expect(await rolesOf(person)).toEqual([{ role: held }]);
      }
    },
  );

  it('one of many requests at once asks, as a refresh token works once, and none asks before its time', async () => {
    const person = await come('refresh');
    const before = provider.asked;
    expectStatus(200, await keysOf(person));
    expect(provider.asked).toBe(before);
    await passed(3, person);
    const answers = await Promise.all(Array.from({ length: 12 }, () => keysOf(person)));
    expect([new Set(answers.map(({ status }) => status)), provider.asked]).toEqual([new Set([200]), before + 1]);
  });

  it('a session lasts 60 minutes where the provider cannot be asked', async () => {
    const person = await come('nothing');
    await passed(58, person);
    expectStatus(200, await keysOf(person));
    await passed(2, person);
    expect(said(await keysOf(person))).toEqual([401, 'auth.session']);
  });

  it('a session lasts 60 minutes beyond what was said last where userinfo does not speak of roles', async () => {
    const person = await come('userinfo');
    provider.later.set(person.name, { sub: person.name });
    await passed(40, person);
    expectStatus(200, await keysOf(person));
    await passed(21, person);
    expect(said(await keysOf(person))).toEqual([401, 'auth.session']);
  });

  it('tokens are in no answer and in no log', async () => {
    const { browser } = await come('refresh');
    const [row] = await queryDatabase<{ tokens: string }>(
      database.url,
      'select provider_tokens as tokens from user_sessions order by created_at desc limit 1',
    );
    const { refresh } = JSON.parse(row!.tokens) as { refresh: string };
    const answer = expectStatus(200, await browser.ask('GET', '/session'));
    expect(refresh).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.bytes.toString('utf8')).not.toContain(refresh);
    expect(gateway.logs).not.toContain(refresh);
  });
});
