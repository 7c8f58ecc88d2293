import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { AdminBrowser, codeAt, PASSWORD } from '../../support/admin-browser.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

interface Invited {
  readonly id: string;
  readonly name: string;
  readonly setupCode: string;
}

let number = 0;
const newName = (): string => `user-${(number += 1)}`;
const said = ({ status, body }: Answer): unknown[] => [status, body?.code];

describe('users of the admin API', () => {
  let gateway: Gateway;
  let organization: string;
  let other: string;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api', env: { TRUST_PROXY: 'loopback' } });
    [organization, other] = [await gateway.createOrganization(), await gateway.createOrganization()];
  });
  afterAll(() => gateway?.stop());

  const invite = async (wish: object = {}): Promise<Invited> =>
    expectStatus(201, await gateway.admin('POST', '/users', { name: newName(), ...wish })).body as Invited;
  const inviteWith = (role: string, organizationId = organization): Promise<Invited> =>
    invite({ roles: [{ organizationId, role }] });
  const enter = async (role: string): Promise<AdminBrowser> => new AdminBrowser(gateway).enter(await inviteWith(role));
  const rowsOf = (name: string) =>
    queryDatabase<{ interaction: string; refusal: string | null; query: string | null; address: string }>(
      gateway.databaseUrl,
      'select interaction, refusal, query, address from audit_events where key_id = $1 order by id',
      [`user:${name}`],
    );

  it.each([
    ['letters of two scripts that look alike', 'аnna'],
    ['a space', 'anna b'],
    ['nothing', ''],
    ['65 characters', 'a'.repeat(65)],
    ['a control', 'anna\u0000'],
  ])('refuses a name with %s', async (_, name) => {
    expect(said(await gateway.admin('POST', '/users', { name }))).toEqual([400, 'request.invalid']);
  });

  it('takes names of any one script, and two ways to write one for one', async () => {
    for (const name of ['Анна.Иванова', '田中', 'Zoe\u0308', 'o’brien'.replace('’', '.')])
      expectStatus(201, await gateway.admin('POST', '/users', { name }));
    for (const name of ['zo\u00eb', 'ＺＯ\u00cb']) {
      expect(said(await gateway.admin('POST', '/users', { name }))).toEqual([409, 'user.name_taken']);
    }
  });

  it('refuses roles in organizations that do not exist, unknown ones, and two in one', async () => {
    const roles = [{ organizationId: '01890000-0000-7000-8000-000000000000', role: 'admin' }];
    expect(said(await gateway.admin('POST', '/users', { name: newName(), roles }))).toEqual([
      404,
      'organization.not_found',
    ]);
    for (const wrong of [
      [{ organizationId: organization, role: 'root' }],
      [
        { organizationId: organization, role: 'viewer' },
        { organizationId: organization, role: 'admin' },
      ],
    ])
      expect(said(await gateway.admin('POST', '/users', { name: newName(), roles: wrong }))).toEqual([
        400,
        'request.invalid',
      ]);
  });

  describe('a set-up code', () => {
    const setUp = (setupCode: string, password = PASSWORD) =>
      new AdminBrowser(gateway).ask('POST', '/session/setup', { setupCode, password });

    it.each([
      ['eleven characters', 'eleven char'],
      ['one character, repeated', 'a'.repeat(40)],
      ['257 characters', 'ab cd'.repeat(52)],
    ])('takes no password of %s', async (_, password) => {
      const { setupCode } = await invite();
      expect(said(await setUp(setupCode, password))).toEqual([422, 'user.password']);
    });

    it('takes no password that says the name, and none of 10 kB', async () => {
      const { setupCode, name } = await invite();
      expect(said(await setUp(setupCode, `my name is ${name.toUpperCase()}`))).toEqual([422, 'user.password']);
      expect(said(await setUp(setupCode, 'x'.repeat(10_240)))).toEqual([400, 'request.invalid']);
    });

    it('works once, of two at the same time for one', async () => {
      const { setupCode, name } = await invite();
      const answers = await Promise.all([setUp(setupCode), setUp(setupCode, 'another one, just as long')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      expect(said(await setUp(setupCode))).toEqual([403, 'user.setup']);
      expect((await rowsOf(name)).filter(({ interaction }) => interaction === '$set-password')).toHaveLength(1);
    });

    it('does not work after a day, after another one was made, or for a disabled user', async () => {
      const [late, replaced, disabled] = [await invite(), await invite(), await invite()];
      await queryDatabase(gateway.databaseUrl, `update users set setup_expires_at = now() where id = $1`, [late.id]);
      expectStatus(200, await gateway.admin('POST', `/users/${replaced.id}/reset`));
      expectStatus(200, await gateway.admin('PATCH', `/users/${disabled.id}`, { disabled: true }));
      for (const { setupCode } of [late, replaced, disabled])
        expect(said(await setUp(setupCode))).toEqual([403, 'user.setup']);
    });
  });

  describe('a login', () => {
    it('is refused alike for a wrong password, an unknown name, a disabled account and one without password', async () => {
      const [wrong, disabled, invited] = [await invite(), await invite(), await invite()];
      for (const user of [wrong, disabled]) await new AdminBrowser(gateway).enter(user);
      expectStatus(200, await gateway.admin('PATCH', `/users/${disabled.id}`, { disabled: true }));
      const answers = await Promise.all([
        new AdminBrowser(gateway).tryLogIn(wrong.name, 'not the password'),
        new AdminBrowser(gateway).tryLogIn('nobody'),
        new AdminBrowser(gateway).tryLogIn('nobody has\u0000 this'),
        new AdminBrowser(gateway).tryLogIn(disabled.name),
        new AdminBrowser(gateway).tryLogIn(invited.name),
      ]);
      const bodies = answers.map(({ status, body }) => ({ ...body, status, requestId: '' }));
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(bodies[0]).toMatchObject({ status: 401, code: 'login.refused' });
    });

    it('is written down with the address; refused ones under the account’s name, never what was typed', async () => {
      const { name } = await invite();
      await new AdminBrowser(gateway, '192.0.2.77').tryLogIn(name, 'my secret of another place');
      await new AdminBrowser(gateway, '192.0.2.78').tryLogIn('a-password-typed-as-name');
      const refused = await eventually('the refusal', async () =>
        (await rowsOf(name)).find(({ refusal }) => refusal === 'login.refused'),
      );
      expect(refused).toMatchObject({ address: '192.0.2.77', query: 'POST /admin/v1/session' });
      const all = await queryDatabase(gateway.databaseUrl, 'select * from audit_events');
      expect(JSON.stringify(all)).not.toMatch(/my secret|a-password-typed/);
    });

    it('takes a password whatever form its characters have, and no more than 1,024 characters of one', async () => {
      const { name, setupCode } = await invite();
      const browser = new AdminBrowser(gateway);
      expectStatus(
        200,
        await browser.ask('POST', '/session/setup', { setupCode, password: 'Zoe\u0308 läuft über Wiesen' }),
      );
      await browser.logIn(name.toUpperCase(), 'Zo\u00eb la\u0308uft über Wiesen');
      expect(said(await browser.tryLogIn(name, 'x'.repeat(10_240)))).toEqual([400, 'request.invalid']);
    });

    it('waits after five wrong tries, from however many addresses and however many at once', async () => {
      const { name } = await invite();
      const tries = Array.from({ length: 30 }, () => new AdminBrowser(gateway).tryLogIn(name, 'not the password'));
      const codes = (await Promise.all(tries)).map(({ body }) => body.code as string);
      expect(codes.filter((code) => code === 'login.refused').length).toBeLessThanOrEqual(5);
      const waiting = await new AdminBrowser(gateway).tryLogIn(name);
      expect(said(waiting)).toEqual([429, 'login.locked']);
      expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(20);
    });

    it('waits longer each time, is let in by the right password afterwards, and at once after a reset', async () => {
      const user = await invite();
      await new AdminBrowser(gateway).enter(user);
      const lockOut = async (): Promise<number> => {
        for (;;) {
          const answer = await new AdminBrowser(gateway).tryLogIn(user.name, 'not the password');
          if (answer.status === 429) return Number(answer.headers.get('retry-after'));
        }
      };
      const waitOver = () => queryDatabase(gateway.databaseUrl, 'update login_failures set locked_until = now()');
      const first = await lockOut();
      await waitOver();
      const second = await lockOut();
      expect([first <= 30, second > 30 && second <= 60]).toEqual([true, true]);
      expect(said(await new AdminBrowser(gateway).tryLogIn(user.name))).toEqual([429, 'login.locked']);
      await waitOver();
      await new AdminBrowser(gateway).logIn(user.name);
      await lockOut();
      const { setupCode } = expectStatus(200, await gateway.admin('POST', `/users/${user.id}/reset`)).body;
      await new AdminBrowser(gateway).enter({ name: user.name, setupCode });
    });

    it('counts unknown names in the same way, so that waiting tells nobody who has an account', async () => {
      const name = `nobody-${newName()}`;
      const codes: string[] = [];
      for (let attempt = 0; attempt < 6; attempt += 1)
        codes.push((await new AdminBrowser(gateway).tryLogIn(name)).body.code as string);
      expect(codes.at(-1)).toBe('login.locked');
    });

    it('is slowed down by address, too', async () => {
      const browser = new AdminBrowser(gateway, '192.0.2.200');
      const codes: string[] = [];
      for (let attempt = 0; attempt < 40; attempt += 1)
        codes.push((await browser.tryLogIn(`somebody-${attempt}`)).body.code as string);
      expect(codes.at(-1)).toBe('rate.limited');
    });
  });

  describe('one-time codes', () => {
    const withCodes = async (): Promise<{ user: Invited; secret: string; browser: AdminBrowser }> => {
      const user = await invite();
      const browser = await new AdminBrowser(gateway).enter(user);
      const offered = expectStatus(200, await browser.ask('POST', '/session/codes', { password: PASSWORD })).body;
      expect(offered.address).toMatch(/^otpauth:\/\/totp\/Sutura:/);
      return { user, secret: offered.secret, browser };
    };

    it('are offered for the password alone, and not asked for before one was seen', async () => {
      const { user, browser } = await withCodes();
      expect(said(await browser.ask('POST', '/session/codes', { password: 'not the password' }))).toEqual([
        401,
        'login.refused',
      ]);
      expect(said(await browser.ask('PUT', '/session/codes', { code: '000000' }))).toEqual([401, 'login.refused']);
      await new AdminBrowser(gateway).logIn(user.name);
    });

    it('are asked for, work once, and neither an older one nor one of another hour works', async () => {
      const { user, secret, browser } = await withCodes();
      expectStatus(204, await browser.ask('PUT', '/session/codes', { code: codeAt(secret) }));
      expect(said(await new AdminBrowser(gateway).tryLogIn(user.name))).toEqual([401, 'login.code_required']);
      for (const steps of [120, -120, 3])
        expect(said(await new AdminBrowser(gateway).tryLogIn(user.name, PASSWORD, codeAt(secret, steps)))).toEqual([
          401,
          'login.refused',
        ]);
      const [before, code] = [codeAt(secret), codeAt(secret, 1)];
      await new AdminBrowser(gateway).logIn(user.name, PASSWORD, `${code.slice(0, 3)} ${code.slice(3)}`);
      for (const used of [code, before])
        expect(said(await new AdminBrowser(gateway).tryLogIn(user.name, PASSWORD, used))).toEqual([
          401,
          'login.refused',
        ]);
    });

    it('work once of four at the same time', async () => {
      const { user, secret, browser } = await withCodes();
      expectStatus(204, await browser.ask('PUT', '/session/codes', { code: codeAt(secret) }));
      const code = codeAt(secret, 1);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => new AdminBrowser(gateway).tryLogIn(user.name, PASSWORD, code)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('are guessed no faster than passwords', async () => {
      const { user, secret, browser } = await withCodes();
      expectStatus(204, await browser.ask('PUT', '/session/codes', { code: codeAt(secret) }));
      const codes: string[] = [];
      for (let guess = 0; guess < 7; guess += 1) {
        const wrong = String((Number(codeAt(secret)) + 1 + guess) % 1_000_000).padStart(6, '0');
        codes.push((await new AdminBrowser(gateway).tryLogIn(user.name, PASSWORD, wrong)).body.code as string);
      }
      expect(codes.at(-1)).toBe('login.locked');
    });

    it('are gone after a reset, and with them what a clock that was ahead has used', async () => {
      const { user, secret, browser } = await withCodes();
      expectStatus(204, await browser.ask('PUT', '/session/codes', { code: codeAt(secret) }));
      // The server's clock was a year ahead when the last code was taken: until then every code is an old one.
      await queryDatabase(
        gateway.databaseUrl,
        'update users set last_code_step = last_code_step + 1051200 where id = $1',
        [user.id],
      );
      expect((await new AdminBrowser(gateway).tryLogIn(user.name, PASSWORD, codeAt(secret, 1))).status).toBe(401);
      const { setupCode } = expectStatus(200, await gateway.admin('POST', `/users/${user.id}/reset`)).body;
      await new AdminBrowser(gateway).enter({ name: user.name, setupCode });
    });
  });

  describe('a session', () => {
    const who = (browser: AdminBrowser, headers: Record<string, string> = {}): Promise<Answer> =>
      browser.ask('GET', '/session', undefined, headers);

    it('is held by a cookie that no script reads and no other site sends', async () => {
      const user = await invite();
      await new AdminBrowser(gateway).enter(user);
      const answer = await new AdminBrowser(gateway).tryLogIn(user.name);
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^sutura-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
      );
      const behindTls = await new AdminBrowser(gateway).ask(
        'POST',
        '/session',
        { name: user.name, password: PASSWORD },
        {
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'sutura.example.org',
          origin: 'https://sutura.example.org',
        },
      );
      expect(behindTls.headers.getSetCookie()[0]).toMatch(
        /^__Host-sutura-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
    });

    it('is refused to a page of another site, whether it logs in, reads or changes', async () => {
      const user = await inviteWith('integrator');
      const browser = await new AdminBrowser(gateway).enter(user);
      const keys = { environment: 'test', scopes: ['analysis:read'] };
      const path = `/organizations/${organization}/keys`;
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        expect(said(await who(browser, headers))).toEqual([403, 'auth.csrf']);
        expect(said(await browser.ask('POST', path, keys, headers))).toEqual([403, 'auth.csrf']);
        const login = { name: user.name, password: PASSWORD };
        expect(said(await browser.ask('POST', '/session', login, headers))).toEqual([403, 'auth.csrf']);
      }
      const { csrfToken } = await new AdminBrowser(gateway).logIn(user.name);
      for (const token of ['', csrfToken, `${browser.csrfToken}x`])
        expect(said(await browser.ask('POST', path, keys, { 'x-csrf-token': token }))).toEqual([403, 'auth.csrf']);
      expectStatus(
        201,
        await browser.ask('POST', path, keys, { origin: gateway.baseUrl, 'sec-fetch-site': 'same-origin' }),
      );
    });

    it('is not found by another text, by two cookies, or by that of another installation', async () => {
      const browser = await enter('viewer');
      for (const cookie of [
        `sutura-session=${'A'.repeat(43)}`,
        'sutura-session=',
        `${browser.cookie}; sutura-session=${'A'.repeat(43)}`,
        browser.cookie.replace('sutura-session', '__Host-sutura-session'),
      ]) {
        const { status, body } = await browser.ask('GET', '/session', undefined, { cookie });
        expect([cookie.length, status, ['auth.session', 'auth.missing'].includes(body.code as string)]).toEqual([
          cookie.length,
          401,
          true,
        ]);
      }
      expectStatus(200, await who(browser));
    });

    it('ends with a logout, when it is unused, and at its end however much it is used', async () => {
      const [left, idle, old] = [await enter('viewer'), await enter('viewer'), await enter('viewer')];
      const loggedOut = expectStatus(204, await left.ask('DELETE', '/session'));
      expect(loggedOut.headers.get('set-cookie')).toMatch(/^sutura-session=; .*Max-Age=0$/);
      const idOf = async (browser: AdminBrowser) => (await who(browser)).body.user.id as string;
      const set = (change: string, id: string) =>
        queryDatabase(gateway.databaseUrl, `update user_sessions set ${change} where user_id = $1`, [id]);
      await set(`seen_at = now() - interval '31 minutes'`, await idOf(idle));
      await set(`expires_at = now()`, await idOf(old));
      for (const browser of [left, idle, old]) expect(said(await who(browser))).toEqual([401, 'auth.session']);
    });

    it('ends in every browser with a new password, a reset, and when the user is disabled', async () => {
      const user = await invite();
      const first = await new AdminBrowser(gateway).enter(user);
      const second = await new AdminBrowser(gateway).logIn(user.name);
      const next = 'four moons under a bridge';
      const change = (password: string, newPassword: string) =>
        first.ask('POST', '/session/password', { password, newPassword });
      expect(said(await change('not the password', next))).toEqual([401, 'login.refused']);
      expect(said(await change(PASSWORD, 'short'))).toEqual([422, 'user.password']);
      expectStatus(204, await change(PASSWORD, next));
      for (const browser of [first, second]) expect(said(await who(browser))).toEqual([401, 'auth.session']);
      expect((await new AdminBrowser(gateway).tryLogIn(user.name)).status).toBe(401);
      const third = await new AdminBrowser(gateway).logIn(user.name, next);
      expectStatus(200, await gateway.admin('PATCH', `/users/${user.id}`, { disabled: true }));
      expect(said(await who(third))).toEqual([401, 'auth.session']);
      expectStatus(200, await gateway.admin('PATCH', `/users/${user.id}`, { disabled: false }));
      expect(said(await who(third))).toEqual([401, 'auth.session']);
      const fourth = await new AdminBrowser(gateway).logIn(user.name, next);
      expectStatus(200, await gateway.admin('POST', `/users/${user.id}/reset`));
      expect(said(await who(fourth))).toEqual([401, 'auth.session']);
    });

    it('opens nothing but the admin API, and no key or admin token opens it', async () => {
      const browser = await enter('admin');
      for (const path of ['/api/v1/wounds', '/fhir/Patient']) {
        const answer = await send('GET', `${gateway.baseUrl}${path}`, { headers: { cookie: browser.cookie } });
        expect([path, answer.status]).toEqual([path, 401]);
      }
      expect(said(await gateway.admin('GET', '/session'))).toEqual([401, 'auth.session']);
    });
  });

  describe('a role', () => {
    const keysOf = (browser: AdminBrowser, id: string) => browser.ask('GET', `/organizations/${id}/keys`);
    const newKey = (browser: AdminBrowser, id: string) =>
      browser.ask('POST', `/organizations/${id}/keys`, { environment: 'test', scopes: ['analysis:read'] });

    it('counts in its organization alone, in addresses, bodies, queries and for whatever has an id', async () => {
      const browser = await enter('admin');
      const { keyId } = await gateway.createKey(other);
      const listener = { organizationId: other, environment: 'test', name: 'x', settings: { port: 2600 } };
      const refused = [
        await keysOf(browser, other),
        await newKey(browser, other),
        await browser.ask('DELETE', `/keys/${keyId}`),
        await browser.ask('POST', `/keys/${keyId}/rotate`, {}),
        await browser.ask('POST', '/hl7/listeners', listener),
        await browser.ask('GET', `/hl7/messages?organizationId=${other}`),
        await browser.ask('GET', '/hl7/messages'),
        await browser.ask('GET', `/hl7/messages?organizationId=${organization}&organizationId=${other}`),
        await browser.ask('GET', `/organizations/${other}/audit-events`),
        await browser.ask('PATCH', `/organizations/${organization}`, { plan: 'enterprise' }),
        await browser.ask('GET', '/users'),
        await browser.ask('GET', '/organizations'),
      ];
      expect(refused.map(said)).toEqual(refused.map(() => [403, 'auth.role']));
      const [unknown, foreign] = [
        await browser.ask('DELETE', '/keys/01890000-0000-7000-8000-000000000000'),
        await browser.ask('DELETE', `/keys/${keyId}`),
      ];
      expect({ ...unknown.body, requestId: '', instance: '' }).toEqual({
        ...foreign.body,
        requestId: '',
        instance: '',
      });
      expectStatus(200, await keysOf(browser, organization));
      expectStatus(200, await browser.ask('GET', `/organizations/${organization}/audit-events`));
      expectStatus(200, await browser.ask('GET', `/hl7/messages?organizationId=${organization}`));
    });

    it('may be another in each of two organizations', async () => {
      const browser = await new AdminBrowser(gateway).enter(
        await invite({
          roles: [
            { organizationId: organization, role: 'viewer' },
            { organizationId: other, role: 'integrator' },
          ],
        }),
      );
      expectStatus(200, await keysOf(browser, organization));
      expect(said(await newKey(browser, organization))).toEqual([403, 'auth.role']);
      const { keyId } = expectStatus(201, await newKey(browser, other)).body;
      expectStatus(204, await browser.ask('DELETE', `/keys/${keyId}`));
    });

    it('that is taken away is gone with the next request of a session', async () => {
      const user = await inviteWith('integrator');
      const browser = await new AdminBrowser(gateway).enter(user);
      expectStatus(201, await newKey(browser, organization));
      const roles = [{ organizationId: organization, role: 'viewer' }];
      expectStatus(200, await gateway.admin('PATCH', `/users/${user.id}`, { roles }));
      expect(said(await newKey(browser, organization))).toEqual([403, 'auth.role']);
      expectStatus(200, await gateway.admin('PATCH', `/users/${user.id}`, { roles: [] }));
      expect(said(await keysOf(browser, organization))).toEqual([403, 'auth.role']);
    });

    it('stands behind what is done with it: the trail has the user’s name', async () => {
      const user = await inviteWith('integrator');
      const browser = await new AdminBrowser(gateway).enter(user);
      expectStatus(201, await newKey(browser, organization));
      expect((await rowsOf(user.name)).map(({ interaction }) => interaction)).toEqual([
        '$set-password',
        '$login',
        '$create-key',
      ]);
    });
  });
});
