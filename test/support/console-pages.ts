import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PASSWORD } from './admin-browser.js';
import { barriersOf, isTooWide } from './barriers.js';
import { WatchedPage } from './browser.js';
import type { SharedGateway } from './gateway.js';

/** Longer than any page needs, shorter than a test may take. */
const PATIENCE_MS = 8000;

interface PageWish {
  /** Who logs in; null: nobody. */
  readonly name?: string | null;
  readonly dark?: boolean;
  readonly width?: number;
}

/** Pages of the console in a browser, each with a session of its own; what a page complains of fails its test. */
export class ConsolePages {
  private contexts = 0;

  constructor(
    private readonly gateway: SharedGateway,
    private readonly browser: Browser,
  ) {}

  /** Logins of an address are limited, and each context is somebody else. */
  private nextAddress(): number {
    this.contexts += 1;
    return this.contexts % 250;
  }

  async open(
    tests: (page: Page, context: BrowserContext) => Promise<void>,
    { name = 'ada', dark = false, width = 1280 }: PageWish = {},
  ): Promise<void> {
    const context = await this.browser.newContext({
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 900 },
      extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${this.nextAddress()}` },
    });
    try {
      const watched = await WatchedPage.open(context, this.gateway.baseUrl);
      watched.page.setDefaultTimeout(PATIENCE_MS);
      await watched.page.goto(`${this.gateway.baseUrl}/console`);
      if (name !== null) {
        await this.logIn(watched.page, name);
        // A page that is left before the answer has no session.
        await watched.page.getByRole('searchbox').waitFor();
      }
      await tests(watched.page, context);
      expect(watched.complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  async logIn(page: Page, name: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  async goTo(page: Page, path: string): Promise<void> {
    await page.goto(`${this.gateway.baseUrl}/console${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  }

  async search(page: Page, text: string): Promise<void> {
    await page.getByRole('searchbox').fill(text);
    await page.keyboard.press('Enter');
  }

  /** What axe finds, and whether the page scrolls sideways. */
  async barriersOf(page: Page): Promise<readonly string[]> {
    await page.waitForLoadState('networkidle');
    const found = await barriersOf(page);
    return (await isTooWide(page)) ? [...found, 'it scrolls sideways'] : found;
  }
}
