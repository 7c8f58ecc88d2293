/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { AdminBrowser, codeAt } from '../../support/admin-browser.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { ConsolePages } from '../../support/console-pages.js';
import { queryDatabase } from '../../support/database-query.js';
import { subscriptionTo } from '../../support/fhir-subscriptions.js';
import { ALL_SCOPES, startGateway, type Gateway } from '../../support/gateway.js';
import { TestIdentityProvider } from '../../support/identity-provider.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PAYLOAD = '<img src=x onerror=alert(1)>';
const NUMBER = 'MRN-0815';
const RECEIVER = 'https://ehr.invalid/notifications';

describeInBrowser('the console for whoever runs the service', () => {
  let gateway: Gateway;
  let browser: Browser;
  let pages: ConsolePages;
  let organizationId: string;
  let foreignId: string;
  let client: ApiClient;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway({ env: { TRUST_PROXY: 'loopback' } }), openBrowser()]);
    pages = new ConsolePages(gateway, browser);
    organizationId = await gateway.createOrganization('enterprise');
    foreignId = await gateway.createOrganization('enterprise');
    const { key } = await gateway.createKey(organizationId, 'test', ALL_SCOPES);
    client = new ApiClient(gateway.baseUrl, key);
    await client.analyse(await drawWoundPhoto(), { subject: { patientId: NUMBER, woundId: 'W-1' } });
    expectStatus(
      201,
      await client.request('POST', '/fhir/Subscription', {
        json: subscriptionTo(RECEIVER),
        headers: { 'content-type': 'application/fhir+json' },
      }),
    );
    const invited: { name: string; setupCode: string }[] = [];
    for (const user of [
      { name: 'vera', roles: [{ organizationId, role: 'viewer' }] },
      { name: 'olga', displayName: PAYLOAD, roles: [{ organizationId, role: 'admin' }] },
      { name: 'ada', installationAdmin: true },
    ])
      invited.push(expectStatus(201, await gateway.admin('POST', '/users', user)).body as (typeof invited)[number]);
    for (const one of invited) await new AdminBrowser(gateway).enter(one);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const looks = async (interaction: string) =>
    queryDatabase<{ key_id: string }>(
      gateway.databaseUrl,
      `select key_id from audit_events where interaction = '${interaction}' and organization_id = '${organizationId}'`,
    );
  const card = (page: Page, name: RegExp | string) => page.getByRole('region', { name });

  it('lets a person in by a set-up code, once, and lets them choose password and codes of an app', async () => {
    const ada = await new AdminBrowser(gateway).logIn('ada');
    const { setupCode } = expectStatus(
      201,
      await ada.ask('POST', '/users', { name: 'nora', roles: [{ organizationId, role: 'reviewer' }] }),
    ).body as { readonly setupCode: string };
    const [first, second] = ['nine clouds over two fields', 'eight rivers under one bridge'];
    await pages.open(
      async (page) => {
        const setUp = async (code: string, password: string) => {
          await page.getByRole('button', { name: 'I have a set-up code' }).click();
          await page.getByLabel('Set-up code').fill(code);
          await page.getByLabel('New password').fill(password);
          await page.getByRole('button', { name: 'Set it and log in' }).click();
        };
        await setUp(setupCode, 'short');
        await page.getByRole('alert').waitFor();
        await page.getByLabel('New password').fill(first);
        await page.getByRole('button', { name: 'Set it and log in' }).click();
        await page.getByRole('link', { name: 'My account' }).click();
        expect(await pages.barriersOf(page)).toEqual([]);

        await page.getByLabel('Present password').fill('not the right one');
        await page.getByLabel('New password').fill(second);
        await page.getByRole('button', { name: 'Change the password' }).click();
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Present password').fill(first);
        await page.getByRole('button', { name: 'Change the password' }).click();
        await page.getByRole('button', { name: 'I have a set-up code' }).waitFor();
        await setUp(setupCode, first);
        await page.getByText('Set-up code not valid').waitFor();
        expect(await pages.barriersOf(page)).toEqual([]);
        await page.getByRole('button', { name: 'Log in with a password' }).click();
        await pages.logIn(page, 'nora', second);

        await page.getByRole('link', { name: 'My account' }).click();
        await page.getByLabel('Your password').fill(second);
        await page.getByRole('button', { name: 'Set up an app' }).click();
        const secret = await page.getByRole('status').locator('code').innerText();
        await page.getByLabel('A code of the app').fill(codeAt(secret));
        await page.getByRole('button', { name: 'Put it in force' }).click();
        await page.getByText('From now on each login asks for a code of the app.').waitFor();
        await page.getByRole('button', { name: 'Log out' }).click();
        await pages.logIn(page, 'nora', second);
        await page.getByLabel('One-time code').fill(codeAt(secret, 1));
        await page.getByRole('button', { name: 'Log in', exact: true }).click();
        await page.getByRole('searchbox').waitFor();
      },
      { name: null },
    );
  });

  it('offers the identity provider where there is one, and not elsewhere', async () => {
    const bodyOf = async ({ baseUrl }: Gateway) =>
      /<body[^>]*>/.exec(await (await fetch(`${baseUrl}/console`)).text())![0];
    expect(await bodyOf(gateway)).toBe('<body>');
    const provider = await TestIdentityProvider.start();
    const other = await startGateway({
      roles: 'api',
      env: { ...provider.settings, SUTURA_OIDC_ROLES: 'root=installation-admin' },
    });
    const context = await browser.newContext();
    try {
      expect(await bodyOf(other)).toBe('<body data-login="provider">');
      const page = await context.newPage();
      await page.goto(`${other.baseUrl}/console`);
      provider.next({ claims: { sub: 's-1', preferred_username: 'paula', name: 'Paula Example', roles: ['root'] } });
      await page.getByRole('link', { name: 'Log in where your organization does' }).click();
      await page.getByRole('searchbox').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console');
      await page.getByText('paula').waitFor();
    } finally {
      await Promise.all([context.close(), other.stop(), provider.stop()]);
    }
  });

  it('tells a viewer which pages are for others', async () => {
    await pages.open(
      async (page) => {
        await pages.goTo(page, '/audit');
        await page.getByText('This is for people with the role admin.').waitFor();
        await pages.goTo(page, '/fhir-dry-run');
        await page.getByText('This is for people with the role integrator.').waitFor();
        expect(await page.getByRole('button', { name: 'Try it' }).isDisabled()).toBe(true);
        await pages.goTo(page, `/audit?organizationId=${organizationId}`);
        await page.getByRole('alert').getByText('You lack the role').waitFor();
      },
      { name: 'vera' },
    );
  });

  it('finds a patient by the number of REST for a viewer, who gets one timeline, and nothing of others by a link of a colleague', async () => {
    await pages.open(
      async (page) => {
        await pages.search(page, `"${NUMBER}"`);
        await page.getByText('Found as a number of a patient').waitFor();
        await page.getByText('The analysis is complete').waitFor();
        await page.getByRole('note').getByText('preliminary until a person reviews it').waitFor();
        await pages.goTo(page, `/figures?organizationId=${foreignId}`);
        await page.getByRole('alert').getByText('You lack the role').first().waitFor();
      },
      { name: 'vera' },
    );
    expect((await looks('$trace')).map(({ key_id: by }) => by)).toContain('user:vera');
  });

  it('marks the place where pasted FHIR is wrong, and keeps nothing of what is right', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, `/fhir-dry-run?organizationId=${organizationId}`);
      const box = page.getByRole('textbox', { name: 'FHIR resource or Bundle' });
      await box.fill('{\n  "resourceType": "Patient",\n  "birthDate": \n}');
      await page.getByText('no JSON from line 4').waitFor();
      await box.fill(
        `{\n  "resourceType": "Patient",\n  "birthDate": "12.3.1950",\n  "name": [{ "family": "${PAYLOAD}" }]\n}`,
      );
      await page.getByRole('button', { name: 'Try it' }).click();
      const outcome = page.getByRole('status', { name: 'What it would do' });
      await outcome.getByText('line 3, column 16').waitFor();
      expect(await outcome.locator('mark').first().innerText()).toBe('"12.3.1950"');
      await outcome.getByRole('button', { name: 'Show the place' }).first().click();
      const selected = () =>
        page.evaluate(() => {
          const { value, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement;
          return value.slice(selectionStart, selectionEnd);
        });
      expect(await selected()).toBe('"12.3.1950"');
      await box.fill(
        `{ "resourceType": "Patient", "identifier": [{ "system": "urn:oid:2.999.1", "value": "TRIED-1" }],
           "text": { "status": "generated", "div": "<div xmlns=\\"http://www.w3.org/1999/xhtml\\">x</div>" } }`,
      );
      await page.getByRole('button', { name: 'Try it' }).click();
      await outcome.getByText('it would be taken').waitFor();
      await pages.search(page, 'TRIED-1');
      await page.getByText('Nothing here has the number').waitFor();
    });
    expect((await looks('$dry-run')).length).toBeGreaterThan(1);
  });

  it('draws figures that can be read as a table', async () => {
    await pages.open(async (page) => {
      await queryDatabase(
        gateway.databaseUrl,
        `insert into service_samples select '00000000-0000-0000-0000-000000000000', 'live', moment, jsonb_build_object('analysed', 7, 'queued', 3, 'latencies', '[0, 0, 7]'::jsonb, 'models', '{"outline/2": 7}'::jsonb)
           from generate_series(to_timestamp(floor(extract(epoch from now()) / 300) * 300) - interval '5 hours', now(), interval '5 minutes') as moment
           on conflict (organization_id, environment, sampled_at) do update set figures = excluded.figures`,
      );
      await pages.goTo(page, '/figures');
      await page.getByRole('img', { name: /^Photos analysed\. With a report: \d+ at the end/ }).waitFor();
      await page.getByRole('img', { name: /^From photo and order to report\. .*p95/ }).waitFor();
      await page.getByRole('button', { name: 'Photos analysed as a table' }).click();
      await card(page, 'Photos analysed: figures').getByRole('cell', { name: '7', exact: true }).first().waitFor();
      await page.getByLabel('Time').selectOption('week');
      await page.getByText('Each point stands for an hour').waitFor();
      expect(await pages.barriersOf(page)).toEqual([]);
    });
  });

  it('asks the audit trail for the same time in each zone', async () => {
    await pages.open(
      async (page) => {
        const from = '2020-03-15T23:30:00.000Z';
        await pages.goTo(page, `/audit?organizationId=${organizationId}&from=${from}`);
        const field = (name: string) => page.getByLabel(name, { exact: true });
        await field('From').waitFor();
        expect(await field('From').inputValue()).toBe('2020-03-16T08:30');
        await field('Before').fill('2099-03-16T08:30');
        await page.getByRole('button', { name: 'UTC', exact: true }).click();
        await field('From (UTC)').waitFor();
        expect(await field('From (UTC)').inputValue()).toBe('2020-03-15T23:30');
        expect(await field('Before (UTC)').inputValue()).toBe('2099-03-15T23:30');
        await page.getByRole('button', { name: 'Show', exact: true }).click();
        await page.waitForURL(/to=/);
        const asked = new URL(page.url()).searchParams;
        expect([asked.get('from'), asked.get('to')]).toEqual([from, '2099-03-15T23:30:00.000Z']);
        await page.locator('.timeline li').first().waitFor();
      },
      { name: 'olga', timeZone: 'Asia/Tokyo' },
    );
  });

  it('tells the audit trail in words, filters it by who and by refusals, and writes down that it was read', async () => {
    await pages.open(
      async (page) => {
        await pages.goTo(page, '/audit');
        await page.getByText('looked at the timeline of').first().waitFor();
        await page.getByLabel('By whom').fill('nobody-has-this-name');
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByText('The trail has nothing like that.').waitFor();
        await page.getByLabel('By whom').fill('vera');
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByText('vera', { exact: true }).first().waitFor();
        await page.getByLabel('By whom').fill('');
        await page.getByRole('button', { name: 'Show' }).click();
        // What is checked follows the address of the page, a moment later.
        await page.getByLabel('Refusals only').click();
        await page.getByText('refused:').or(page.getByText('The trail has nothing like that.')).first().waitFor();
        expect(new URL(page.url()).searchParams.get('refused')).toBe('true');
        expect(await page.getByLabel('Refusals only').isChecked()).toBe(true);
      },
      { name: 'olga' },
    );
    const read = await queryDatabase(
      gateway.databaseUrl,
      `select from audit_events where query = 'AuditEvent' and key_id = 'user:olga' and organization_id = '${organizationId}'`,
    );
    expect(read.length).toBeGreaterThan(2);
  });

  it('makes and changes an organization, and shows what is wrong with a setting', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, '/organizations');
      await page.getByLabel('Name of the organization').fill(`North ${PAYLOAD}`);
      await page.getByRole('button', { name: 'Make the organization' }).click();
      const made = card(page, `Organization North ${PAYLOAD}`);
      await made.getByRole('button', { name: 'Change settings' }).click();
      await made.getByLabel('Analyses a day').fill('many');
      await made.getByRole('button', { name: 'Save dailyLimit' }).click();
      await made.getByRole('alert').waitFor();
      await made.getByLabel('Analyses a day').fill('3');
      await made.getByText('take effect at once').waitFor();
      await made.getByLabel('Plan').selectOption('pro');
      await made.getByRole('button', { name: 'Save plan, dailyLimit' }).click();
      await made.getByText('plan pro, 3 analyses a day').waitFor();
    });
  });

  it('saves nothing over what another admin changed meanwhile, and keeps what was typed', async () => {
    const ada = await new AdminBrowser(gateway).logIn('ada');
    const made = await ada.ask('POST', '/organizations', { name: 'Two Admins', plan: 'pro' });
    const { id } = expectStatus(201, made).body as { id: string };
    await pages.open(async (page) => {
      await pages.goTo(page, '/organizations');
      const shown = card(page, 'Organization Two Admins');
      await shown.getByRole('button', { name: 'Change settings' }).click();
      await shown.getByLabel('Analyses a day').fill('7');
      await ada.ask('PATCH', `/organizations/${id}`, { timeZone: 'Europe/Berlin', dailyLimit: 9 });
      await shown.getByRole('button', { name: 'Save dailyLimit' }).click();
      await shown.getByText('Somebody else changed timeZone, dailyLimit meanwhile').waitFor();
      expect(await shown.getByRole('button', { name: 'Save dailyLimit' }).isDisabled()).toBe(true);
      await shown.getByRole('button', { name: 'Take that over' }).click();
      expect(await shown.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
      await shown.getByRole('button', { name: 'Save dailyLimit' }).click();
      await shown.getByText('7 analyses a day').waitFor();
    });
    const { items } = expectStatus(200, await ada.ask('GET', '/organizations')).body as {
      items: { id: string }[];
    };
    expect(items.find((organization) => organization.id === id)).toMatchObject({
      dailyLimit: 7,
      timeZone: 'Europe/Berlin',
    });
  });

  it('makes a user with a role, changes it, and asks before a login is taken away', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, '/users');
      await page.getByText(PAYLOAD).first().waitFor();
      await page.getByLabel('Login name').fill('nina');
      const form = page.getByRole('group', { name: 'A new user' });
      await form.getByRole('combobox').first().selectOption('viewer');
      await page.getByRole('button', { name: 'Make the user' }).click();
      await page.getByText('The set-up code of nina').waitFor();
      const row = page.getByRole('row').filter({ hasText: 'nina' });
      await row.getByRole('button', { name: 'Change roles' }).click();
      await row.getByRole('combobox').first().selectOption('integrator');
      await row.getByRole('button', { name: 'Save roles' }).click();
      await page.getByText('What nina may do is changed').waitFor();
      await row.getByText(/^integrator in /).waitFor();
      await row.getByRole('button', { name: 'Reset login' }).click();
      await row.getByText('This cannot be taken back').waitFor();
      await row.getByRole('button', { name: 'Reset login' }).click();
      await page.getByText('The new set-up code of nina').waitFor();
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'nina' }).waitFor();
      expect(await page.getByText('shown this once').count()).toBe(0);
    });
  });

  it('gives nobody a role back that another admin took away meanwhile, and keeps what was chosen', async () => {
    const ada = await new AdminBrowser(gateway).logIn('ada');
    const other = expectStatus(201, await ada.ask('POST', '/organizations', { name: 'Second Ward', plan: 'pro' }));
    const roles = [{ organizationId, role: 'admin' }];
    const made = expectStatus(201, await ada.ask('POST', '/users', { name: 'mirja', roles })).body as { id: string };
    await pages.open(async (page) => {
      await pages.goTo(page, '/users');
      const row = page.getByRole('row').filter({ hasText: 'mirja' });
      await row.getByRole('button', { name: 'Change roles' }).click();
      await row.getByLabel('Second Ward').selectOption('viewer');
      await ada.ask('PATCH', `/users/${made.id}`, { roles: [] });
      await row.getByRole('button', { name: 'Save roles' }).click();
      await row.getByText('Somebody else changed what mirja may do meanwhile').waitFor();
      expect(await row.getByRole('button', { name: 'Save roles' }).isDisabled()).toBe(true);
      await row.getByRole('button', { name: 'Take that over' }).click();
      expect(await row.getByLabel('Second Ward').inputValue()).toBe('viewer');
      await row.getByRole('button', { name: 'Save roles' }).click();
      await row.getByText('viewer in Second Ward', { exact: true }).waitFor();
    });
    const { items } = expectStatus(200, await ada.ask('GET', '/users')).body as { items: { id: string }[] };
    const second = (other.body as { id: string }).id;
    expect(items.find((user) => user.id === made.id)).toMatchObject({
      roles: [{ organizationId: second, role: 'viewer' }],
    });
  });

  it('shows who may log in on a phone without scrolling sideways, also while roles are changed', async () => {
    await pages.open(async (page) => {
      await page.setViewportSize({ width: 375, height: 812 });
      await pages.goTo(page, '/users');
      const row = page.getByRole('row').filter({ hasText: 'olga' });
      await row.getByRole('button', { name: 'Change roles' }).click();
      await row.getByLabel('Installation admin').waitFor();
      const sideways = await page
        .locator('.wide')
        .evaluateAll((found) => found.map((one) => one.scrollWidth - one.clientWidth));
      expect(sideways).toEqual([0]);
      expect(await row.getByRole('cell').count()).toBe(5);
    });
  });

  it('pauses a Subscription, which then stands among what needs a person, and resumes it', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, `/peers?organizationId=${organizationId}&environment=test`);
      const subscription = card(page, `Subscription ${RECEIVER}`);
      await subscription.getByRole('button', { name: 'Pause' }).click();
      await subscription.getByRole('button', { name: 'Pause' }).click();
      await subscription.getByText('The operator of this service holds back').waitFor();
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      await page.getByText(`Subscription ${RECEIVER} is paused`).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'is paused' }).getByRole('button', { name: 'Resume' }).click();
      await page.getByText('It is resumed').waitFor();
    });
  });

  it('says that the session ended while somebody was writing, and keeps what they wrote', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, `/fhir-dry-run?organizationId=${organizationId}`);
      const box = page.getByRole('textbox', { name: 'FHIR resource or Bundle' });
      await box.fill('{ "resourceType": "Patient" }');
      await queryDatabase(
        gateway.databaseUrl,
        `delete from user_sessions where user_id = (select id from users where name = 'ada')`,
      );
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('alert').waitFor();
      expect(await box.inputValue()).toContain('Patient');
    });
  });

  it.each(['%00', 'x'.repeat(10_000), "'; drop table images --", PAYLOAD])(
    'searches for %.40s without complaint',
    async (text) => {
      await pages.open(async (page) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        await pages.search(page, text);
        await page.getByText('Nothing here has the number').waitFor();
      });
    },
  );
});
