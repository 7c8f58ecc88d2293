import { expectStatus, type Answer } from '../../support/api-client.js';
import { AdminBrowser, PASSWORD } from '../../support/admin-browser.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const said = ({ status, body }: Answer): unknown[] => [status, body?.code];
const RETIRED = [401, 'auth.invalid'];

describe('the admin token and the first user', () => {
  let gateway: Gateway;
  let anna: { readonly id: string; readonly name: string; readonly setupCode: string };
  let browser: AdminBrowser;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api', env: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => gateway?.stop());

  const command = (words: string, input?: string) =>
    runCommand(words.split(' '), { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir }, input);
  const withToken = (path = '/organizations') => gateway.admin('GET', path);

  it('works while nobody can log in as an installation admin', async () => {
    expectStatus(200, await withToken());
    const made = await gateway.admin('POST', '/users', { name: 'anna', installationAdmin: true });
    anna = expectStatus(201, made).body;
    expect(made.body).toMatchObject({ state: 'invited', installationAdmin: true, roles: [] });
    expectStatus(200, await withToken());
  });

  it('ends with the first who can, who may do all that it could', async () => {
    browser = await new AdminBrowser(gateway).enter(anna);
    expect([said(await withToken()), said(await withToken('/users'))]).toEqual([RETIRED, RETIRED]);
    const made = await browser.ask('POST', '/organizations', { name: 'Clinic', plan: 'pro' });
    const { organizationId } = expectStatus(201, made).body;
    expectStatus(200, await browser.ask('GET', '/organizations'));
    expectStatus(200, await browser.ask('GET', `/organizations/${organizationId}/audit-events`));
    const roles = [{ organizationId, role: 'viewer' }];
    const ben = expectStatus(201, await browser.ask('POST', '/users', { name: 'ben', roles })).body;
    const path = `/organizations/${organizationId}/audit-events`;
    expect(said(await (await new AdminBrowser(gateway).enter(ben)).ask('GET', path))).toEqual([403, 'auth.role']);
    const refused = await eventually('the refusal under the user’s name', async () => {
      const rows = await queryDatabase<{ query: string }>(
        gateway.databaseUrl,
        `select query from audit_events where key_id = 'user:ben' and refusal = 'auth.role'`,
      );
      return rows[0];
    });
    expect(refused.query).toBe('GET /admin/v1/organizations/:organizationId/audit-events');
  });

  it('leaves somebody who can let others in, even where two take it from each other at once', async () => {
    for (const change of [{ disabled: true }, { installationAdmin: false }])
      expect(said(await browser.ask('PATCH', `/users/${anna.id}`, change))).toEqual([409, 'user.last_admin']);
    const cleo = (await browser.ask('POST', '/users', { name: 'cleo', installationAdmin: true })).body;
    const other = await new AdminBrowser(gateway).enter(cleo);
    const answers = await Promise.all([
      browser.ask('PATCH', `/users/${cleo.id}`, { disabled: true }),
      other.ask('PATCH', `/users/${anna.id}`, { disabled: true }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const admins = await queryDatabase(
      gateway.databaseUrl,
      'select from users where is_installation_admin and disabled_at is null',
    );
    expect(admins).toHaveLength(1);
  });

  it('comes back where nobody is left: whoever has the machine is never locked out', async () => {
    await queryDatabase(gateway.databaseUrl, 'update users set disabled_at = now() where disabled_at is null');
    expectStatus(200, await withToken());
    expectStatus(200, await gateway.admin('PATCH', `/users/${anna.id}`, { disabled: false }));
    expect(said(await withToken())).toEqual(RETIRED);
  });

  describe('at the command line', () => {
    it('makes a user whose password comes from the standard input, and never from an argument', async () => {
      expect((await command(`user create --name dora --password ${PASSWORD.replaceAll(' ', '-')}`)).code).toBe(2);
      const weak = await command('user create --name dora --password-stdin --json', 'short\n');
      expect([weak.code, JSON.parse(weak.err).error.code]).toEqual([1, 'user.password']);
      const made = await command(
        'user create --name dora --installation-admin on --password-stdin --json',
        `${PASSWORD}\n`,
      );
      expect([made.code, JSON.parse(made.out)]).toEqual([
        0,
        expect.objectContaining({ name: 'dora', state: 'active', installationAdmin: true }),
      ]);
      expect(made.out + made.err).not.toContain(PASSWORD);
      expect(JSON.parse(made.out)).not.toHaveProperty('setupCode');
      await new AdminBrowser(gateway).logIn('dora');
    });

    it('shows a set-up code once, lists, changes, disables and resets', async () => {
      const made = JSON.parse((await command('user create --name emil --json')).out);
      const session = await new AdminBrowser(gateway).enter(made);
      const listed = JSON.parse((await command('user list --json')).out) as { name: string }[];
      expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['anna', 'dora', 'emil']));
      expect(JSON.stringify(listed)).not.toMatch(/argon2|setup/i);
      expect((await command(`user disable --user ${made.id}`)).code).toBe(0);
      expect((await session.ask('GET', '/session')).status).toBe(401);
      expect((await command(`user enable --user ${made.id}`)).code).toBe(0);
      const reset = JSON.parse((await command(`user reset --user ${made.id} --json`)).out);
      expect((await new AdminBrowser(gateway).tryLogIn('emil')).status).toBe(401);
      await new AdminBrowser(gateway).enter(reset);
      const unknown = await command('user disable --user 01890000-0000-7000-8000-000000000000 --json');
      expect(JSON.parse(unknown.err).error.code).toBe('user.not_found');
    });
  });
});

it('without a token the admin API is for users alone, and does not exist before the first', async () => {
  const gateway = await startGateway({ roles: 'api', env: { SUTURA_ADMIN_TOKEN: '', TRUST_PROXY: 'loopback' } });
  const browser = new AdminBrowser(gateway);
  expect(said(await browser.tryLogIn('anna'))).toEqual([404, 'route.not_found']);
  expect(said(await browser.ask('GET', '/users'))).toEqual([404, 'route.not_found']);
  const variables = { DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
  const made = await runCommand(
    ['user', 'create', '--name', 'anna', '--installation-admin', 'on', '--json'],
    variables,
  );
  await browser.enter(JSON.parse(made.out));
  expectStatus(200, await browser.ask('GET', '/users'));
  expect(said(await new AdminBrowser(gateway).ask('GET', '/users'))).toEqual([401, 'auth.missing']);
  await gateway.stop();
});
