/// <reference lib="dom" />
import type { Browser } from 'playwright-core';
import { AdminBrowser } from '../../support/admin-browser.js';
import { expectStatus, type ApiClient } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { ConsolePages } from '../../support/console-pages.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

describeInBrowser('the console, while something comes between', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let browser: Browser;
  let pages: ConsolePages;
  let imageId: string;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway({ env: { TRUST_PROXY: 'loopback' } }), openBrowser()]);
    client = await gateway.createClient();
    pages = new ConsolePages(gateway, browser);
    const ticket = expectStatus(201, await client.request('POST', '/api/v1/images/upload-url')).body;
    imageId = ticket.imageId as string;
    const invited = expectStatus(201, await gateway.admin('POST', '/users', { name: 'ada', installationAdmin: true }));
    await new AdminBrowser(gateway).enter(invited.body as { name: string; setupCode: string });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it('shows the login in every tab once somebody logs out in one of them, and who logs in afterwards', async () => {
    await pages.open(async (page, context) => {
      const other = await context.newPage();
      await other.goto(`${gateway.baseUrl}/console/search?q=${imageId}`);
      await other.getByRole('heading', { level: 2 }).first().waitFor();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel('Password').waitFor();
      await other.getByLabel('Password').waitFor();
      expect(await other.getByText(imageId).count()).toBe(0);
      await pages.logIn(page, 'ada');
      await other.getByRole('searchbox').waitFor();
    });
  });

  it('says that the service was not reached, and shows what was asked for by itself once it is', async () => {
    await pages.open(async (page, context) => {
      await context.setOffline(true);
      await pages.search(page, imageId);
      const notices = page.getByRole('alert').filter({ hasText: 'was not reached' });
      await notices.first().waitFor();
      await context.setOffline(false);
      await notices.first().waitFor({ state: 'detached' });
      expect(await notices.count()).toBe(0);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
    });
  });

  it('shows what was searched for last, though the answer of an earlier search comes later', async () => {
    await pages.open(async (page) => {
      let answer: () => void = () => undefined;
      const held = new Promise<void>((go) => (answer = go));
      await page.route(/\/admin\/v1\/[^?]*\?.*SLOW-1/, async (route) => {
        await held;
        await route.continue().catch(() => undefined);
      });
      const asked = page.waitForRequest(/SLOW-1/);
      await pages.search(page, 'SLOW-1');
      await asked;
      await pages.search(page, imageId);
      await page.getByText(imageId).first().waitFor();
      answer();
      await page.waitForLoadState('networkidle');
      expect(await page.getByText('Nothing here has the number').count()).toBe(0);
      expect(await page.getByText(imageId).count()).toBeGreaterThan(0);
    });
  });
});
