/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { barriersOf, turnOf } from '../../support/barriers.js';
import { describeInBrowser, openBrowser, WatchedPage } from '../../support/browser.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const PATIENCE_MS = 30_000;
const NAMES = ['', 'errors.html', 'conformance/hl7v2.html', 'follow-up.html'];
/** Two pages in turn: each is read light and dark, wide and narrow. */
const LOOKS = [
  [1280, false, 0],
  [1280, true, 1],
  [390, false, 1],
  [390, true, 0],
] as const;

describeInBrowser('the docs at /docs', () => {
  let gateway: Gateway;
  let browser: Browser;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([
      startGateway({ roles: 'api', env: { SUTURA_CONSOLE: 'off' } }),
      openBrowser(),
    ]);
  });
  afterAll(() => Promise.all([gateway?.stop(), browser?.close()]));

  const get = (path: string, init: RequestInit = {}) => fetch(`${gateway.baseUrl}${path}`, init);

  /** Whatever a page asks of another host, and whatever its policy refuses, fails the test. */
  async function withPage(
    tests: (page: Page) => Promise<void>,
    { width = 1280, dark = false }: { readonly width?: number; readonly dark?: boolean } = {},
  ): Promise<void> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
    });
    try {
      const { page, complaints } = await WatchedPage.open(context, gateway.baseUrl);
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(`${gateway.baseUrl}/docs`);
      await tests(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const search = async (page: Page, words: string) => {
    await page.getByRole('searchbox').fill(words);
    await page.locator('#site-found').waitFor();
  };
  const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();

  it.each([
    '/docs/none.html',
    '/docs/none',
    '/docs/built-from',
    '/docs/..%2fweb%2fconsole.html',
    '/docs/assets/..%2f..%2fsources.json',
    '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
    '/docs/.hidden.html',
    '/docs/errors.html/more',
    `/docs/${'a/'.repeat(9)}b.html`,
  ])('has nothing at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('lets a page load its own files alone, send no form and be in no frame, and asks each time whether it is current', async () => {
    const { status, headers } = await get('/docs/');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    const policy = headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
    const known = await get('/docs/', { headers: { 'if-none-match': headers.get('etag')! } });
    expect(known.status).toBe(304);
  });

  it('leads from /docs to its folder by a relative address, as a proxy may have put a path before it', async () => {
    const answer = await get('/docs', { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs/']);
  });

  it('gives a page by its name, with and without its ending', async () => {
    const [one, other] = await Promise.all([get('/docs/errors'), get('/docs/errors.html')]);
    expect(await one.text()).toBe(await other.text());
  });

  it('leads from the index to a page, by the list of pages to another, by its text to a third, and back', async () => {
    await withPage(async (page) => {
      expect(await headingOf(page)).toBe('Sutura docs');
      await page.getByRole('main').getByRole('link', { name: 'Errors' }).click();
      expect(await headingOf(page)).toBe('Errors');
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Webhooks', exact: true })
        .click();
      expect(await headingOf(page)).toBe('Webhooks');
      const inText = page.locator('main a[href$=".html"]').first();
      const address = await inText.evaluate((link) => (link as HTMLAnchorElement).href);
      await inText.click();
      await page.waitForURL(address);
      expect(await headingOf(page)).not.toBe('Webhooks');
      await page.getByRole('link', { name: 'Sutura docs' }).click();
      expect(await headingOf(page)).toBe('Sutura docs');
    });
  });

  it('finds an error code, a setting and a page by the search, and leads to the very place', async () => {
    await withPage(async (page) => {
      await search(page, 'image.not_uploaded');
      await page.locator('#site-found a', { hasText: 'image.not_uploaded' }).first().click();
      await page.waitForURL(/\/docs\/errors\.html#image\.not_uploaded$/);
      expect(await page.locator(':target').innerText()).toContain('Image not uploaded yet');
      await search(page, 'TRUST_PROXY');
      await page.locator('#site-found a', { hasText: 'Settings › TRUST_PROXY' }).waitFor();
      await search(page, 'upgrading');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/docs\/upgrade\.html/);
    });
  });

  it('says that nothing was found, and shows what somebody typed as text', async () => {
    await withPage(async (page) => {
      await search(page, '<img src=x onerror=alert(1)> qqqq');
      expect(await page.getByRole('status').innerText()).toBe('Nothing was found.');
      await page.keyboard.press('Escape');
      expect(await page.locator('#site-found').isVisible()).toBe(false);
    });
  });

  it('is searched by keys alone', async () => {
    await withPage(async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('legal hold');
      await page.locator('#site-found a').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      const second = page.locator('#site-found a').nth(1);
      const address = await second.getAttribute('href');
      expect(await second.evaluate((link) => link === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await page.waitForURL(address!);
    });
  });

  it.each(LOOKS)('has no barrier and does not scroll sideways at %i pixels, dark: %s', async (width, dark, turn) => {
    await withPage(
      async (page) => {
        const read = turnOf(NAMES, turn, 2);
        for (const name of NAMES) {
          if (name !== '') await page.goto(`${gateway.baseUrl}/docs/${name}`);
          if (read.has(name)) expect([name, await barriersOf(page)]).toEqual([name, []]);
          expect([name, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([
            name,
            0,
          ]);
        }
      },
      { width, dark },
    );
  });

  it('shows the list of pages on a phone when it is asked for', async () => {
    await withPage(
      async (page) => {
        const pages = page.getByRole('navigation', { name: 'Pages' });
        expect(await pages.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'Pages' }).click();
        await pages.getByText('Operating', { exact: true }).click();
        await pages.getByRole('link', { name: 'Runbooks' }).click();
        expect(await headingOf(page)).toBe('Runbooks');
        expect(await pages.isVisible()).toBe(false);
      },
      { width: 390 },
    );
  });
});
