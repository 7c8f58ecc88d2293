/// <reference lib="dom" />
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { AdminBrowser, PASSWORD } from '../../support/admin-browser.js';
import { expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { CheckoutCopy } from '../../support/checkout-copy.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

/** The first request for a page has its packages made ready. */
const FIRST_PAGE_MS = 60_000;

describeInBrowser('npm run web:dev', () => {
  let gateway: Gateway;
  let browser: Browser;
  let copy: CheckoutCopy;
  let server: ChildProcess;
  let url: string;
  let page: Page;

  beforeAll(async () => {
    [gateway, browser, copy] = await Promise.all([
      startGateway({ roles: 'api' }),
      openBrowser(),
      CheckoutCopy.make({ built: false }),
    ]);
    const ada = { name: 'ada', installationAdmin: true };
    const invited = expectStatus(201, await gateway.admin('POST', '/users', ada)).body;
    await new AdminBrowser(gateway).enter(invited as { name: string; setupCode: string });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const { PATH, HOME } = process.env;
    server = spawn('npm', ['run', 'web:dev', '--', '--port', String(port), '--strictPort'], {
      cwd: copy.folder,
      env: { PATH, HOME, SUTURA_BASE_URL: gateway.baseUrl },
      stdio: 'ignore',
    });
    await eventually('an answer of the development server', async () => (await fetch(`${url}/console`)).ok);
    page = await browser.newPage();
    await page.goto(`${url}/console`);
  });
  afterAll(async () => {
    await browser?.close();
    if (server?.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await gateway?.stop();
    await copy?.remove();
  });

  it('gives away nothing outside the sources of the pages', async () => {
    for (const path of ['/etc/hostname', copy.path('package.json'), copy.path('scripts/build.mjs')])
      expect([path, (await fetch(`${url}/web/@fs${path}`)).status]).toEqual([path, 403]);
  });

  it('serves the pages at their addresses, and everything else from the gateway', async () => {
    expect(await (await fetch(`${url}/console/messages`)).text()).toContain('/web/src/console/main.tsx');
    expect(await (await fetch(`${url}/review/01a1`)).text()).toContain('/web/src/review/main.tsx');
    expect(await (await fetch(`${url}/api/v1/wounds`)).json()).toMatchObject({ status: 401 });
  });

  it('logs people in at the gateway, which takes their changes as those of its own page', async () => {
    await page.getByLabel('Name').fill('ada', { timeout: FIRST_PAGE_MS });
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('searchbox').waitFor();
  });

  it('shows a page as it was saved, without losing what was typed into it', async () => {
    await page.getByRole('searchbox').fill('MRN-4711');
    copy.replace('web/src/console/frame.tsx', 'Log out', 'Leave');
    await page.getByRole('button', { name: 'Leave' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('MRN-4711');
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('Password').waitFor();
  });
});
