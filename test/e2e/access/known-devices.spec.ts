import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { AdminBrowser, codeAt, PASSWORD } from '../../support/admin-browser.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

interface Invited {
  readonly id: string;
  readonly name: string;
  readonly setupCode: string;
}

const WRONG = 'not the password';
const NEXT = 'four moons under a bridge';
const said = ({ status, body }: Answer): unknown[] => [status, body?.code];

let number = 0;

describe('somebody who knows a name and tries passwords without end', () => {
  let gateway: SharedGateway;

  beforeAll(async () => {
    gateway = await sharedGateway();
  });

  const invite = async (): Promise<Invited> =>
    expectStatus(201, await gateway.admin('POST', '/users', { name: `owner-of-browsers-${(number += 1)}` }))
      .body as Invited;
  const reset = async ({ id }: Invited): Promise<string> =>
    expectStatus(200, await gateway.admin('POST', `/users/${id}/reset`)).body.setupCode as string;
  const newBrowser = (): AdminBrowser => new AdminBrowser(gateway);

  /** Until strangers wait, as after a night of it. */
  const attack = async (name: string): Promise<void> => {
    for (;;) if ((await newBrowser().tryLogIn(name, WRONG)).status === 429) return;
  };

  it('keeps strangers out, the right password included', async () => {
    const owner = await invite();
    await newBrowser().enter(owner);
    await attack(owner.name);
    expect(said(await newBrowser().tryLogIn(owner.name))).toEqual([429, 'login.locked']);
  });

  it('does not keep out the browser that its owner logged in from', async () => {
    const owner = await invite();
    const own = await newBrowser().enter(owner);
    await attack(owner.name);
    for (let login = 0; login < 2; login += 1) expectStatus(200, await own.tryLogIn(owner.name));
    expect(said(await newBrowser().tryLogIn(owner.name))).toEqual([429, 'login.locked']);
  });

  it('keeps it out neither from the same address', async () => {
    const owner = await invite();
    const own = await new AdminBrowser(gateway, '192.0.2.91').enter(owner);
    const codes = new Set<unknown>();
    while (!codes.has('rate.limited'))
      codes.add((await new AdminBrowser(gateway, '192.0.2.91').tryLogIn('nobody-with-a-browser', WRONG)).body.code);
    expectStatus(200, await own.tryLogIn(owner.name));
  });

  it('does not keep a session from its own password and one-time codes', async () => {
    const owner = await invite();
    const own = await newBrowser().enter(owner);
    await attack(owner.name);
    const { secret } = expectStatus(200, await own.ask('POST', '/session/codes', { password: PASSWORD })).body;
    expectStatus(204, await own.ask('PUT', '/session/codes', { code: codeAt(secret as string) }));
    expectStatus(204, await own.ask('POST', '/session/password', { password: PASSWORD, newPassword: NEXT }));
    expectStatus(200, await own.tryLogIn(owner.name, NEXT, codeAt(secret as string, 1)));
  });

  it('does not outlast a reset: the browser that used the set-up code is known at once', async () => {
    const owner = await invite();
    await newBrowser().enter(owner);
    const setupCode = await reset(owner);
    await attack(owner.name);
    const own = newBrowser();
    expectStatus(200, await own.ask('POST', '/session/setup', { setupCode, password: PASSWORD }));
    await attack(owner.name);
    await own.logIn(owner.name);
  });

  describe('with the cookie of a known browser', () => {
    it('waits as anybody else, and holds up no other browser', async () => {
      const owner = await invite();
      const [stolen, own] = [await newBrowser().enter(owner), await newBrowser().logIn(owner.name)];
      const answers: unknown[] = [];
      for (let attempt = 0; attempt < 7; attempt += 1)
        answers.push((await stolen.tryLogIn(owner.name, WRONG)).body.code);
      expect([answers[0], answers.at(-1)]).toEqual(['login.refused', 'login.locked']);
      await own.logIn(owner.name);
      await newBrowser().logIn(owner.name);
    });

    it('is a stranger to every other name', async () => {
      const [owner, other] = [await invite(), await invite()];
      await newBrowser().enter(owner);
      const known = await newBrowser().enter(other);
      await attack(owner.name);
      expect(said(await known.tryLogIn(owner.name))).toEqual([429, 'login.locked']);
    });

    it.each([
      ['the password is reset', async (owner: Invited) => void (await reset(owner))],
      [
        'the user is disabled, and let in again',
        async ({ id }: Invited) => {
          for (const disabled of [true, false])
            expectStatus(200, await gateway.admin('PATCH', `/users/${id}`, { disabled }));
        },
      ],
      [
        'its time is over',
        ({ id }: Invited) =>
          queryDatabase(gateway.databaseUrl, 'update login_devices set expires_at = now() where user_id = $1', [id]),
      ],
    ])('is a stranger once %s', async (_, end) => {
      const owner = await invite();
      const known = await newBrowser().enter(owner);
      await end(owner);
      await attack(owner.name);
      expect(said(await known.tryLogIn(owner.name))).toEqual([429, 'login.locked']);
    });

    it('is a stranger once the owner has changed the password in another browser, which stays known', async () => {
      const owner = await invite();
      const known = await newBrowser().enter(owner);
      const own = await newBrowser().logIn(owner.name);
      expectStatus(204, await own.ask('POST', '/session/password', { password: PASSWORD, newPassword: NEXT }));
      await attack(owner.name);
      expect(said(await known.tryLogIn(owner.name, NEXT))).toEqual([429, 'login.locked']);
      await own.logIn(owner.name, NEXT);
    });
  });

  it('finds a new cookie at each login, that no script reads, no other site sends, and that opens nothing', async () => {
    const owner = await invite();
    const own = await newBrowser().enter(owner);
    const former = own.device;
    const login = { name: owner.name, password: PASSWORD };
    const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'sutura.example.org' };
    const [plain, behindTls] = [
      await own.ask('POST', '/session', login),
      await newBrowser().ask('POST', '/session', login, { ...tls, origin: 'https://sutura.example.org' }),
    ].map(({ headers }) => headers.getSetCookie()[1]);
    const attributes = 'Path=/; HttpOnly; SameSite=Strict; Max-Age=7776000';
    expect(plain).toMatch(new RegExp(`^sutura-device=[\\w-]{43}; ${attributes}$`));
    expect(behindTls).toMatch(new RegExp(`^__Host-sutura-device=[\\w-]{43}; ${attributes}; Secure$`));
    const cookie = plain!.split(';')[0]!;
    expect(cookie).not.toBe(former);
    expect((await send('GET', `${gateway.baseUrl}/admin/v1/session`, { headers: { cookie } })).status).toBe(401);
    await attack(owner.name);
    own.device = former;
    expect(said(await own.tryLogIn(owner.name))).toEqual([429, 'login.locked']);
    own.device = cookie;
    expectStatus(200, await own.tryLogIn(owner.name));
  });

  it('lets a user be known by the twenty latest browsers, and the database keep no text of them', async () => {
    const owner = await invite();
    const first = await newBrowser().enter(owner);
    for (let login = 0; login < 20; login += 1) await newBrowser().logIn(owner.name);
    const rows = await queryDatabase(gateway.databaseUrl, 'select * from login_devices where user_id = $1', [owner.id]);
    expect(rows).toHaveLength(20);
    expect(JSON.stringify(rows)).not.toContain(first.device.split('=')[1]);
    await attack(owner.name);
    expect(said(await first.tryLogIn(owner.name))).toEqual([429, 'login.locked']);
  });
});
