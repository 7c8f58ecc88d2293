import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PASSWORD } from './admin-browser.js';
import { barriersOf, isTooWide } from './barriers.js';
import { WatchedPage } from './browser.js';
import type { SharedGateway } from './gateway.js';

/** Longer than any page needs, shorter than a test may take. */
const PATIENCE_MS = 30_000;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface PageWish {
  /** Who logs in; null: nobody. */
  readonly name?: string | null;
  readonly dark?: boolean;
  readonly width?: number;
  /** Of whoever looks; default: the machine's. */
  readonly timeZone?: string;
}

/** Pages of the console in a browser, each in a context of its own; what a page complains of fails its test. */
export class ConsolePages {
  private contexts = 0;
  /** Who is logged in already: a login is a second of the processor's time, and has tests of its own. */
  private readonly sessions = new Map<string, StorageState>();

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
    { name = 'ada', dark = false, width = 1280, timeZone }: PageWish = {},
  ): Promise<void> {
    const session = name === null ? undefined : this.sessions.get(name);
    const context = await this.browser.newContext({
      ...(session === undefined ? {} : { storageState: session }),
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 900 },
      ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
      extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${this.nextAddress()}` },
    });
    try {
      const watched = await WatchedPage.open(context, this.gateway.baseUrl);
      watched.page.setDefaultTimeout(PATIENCE_MS);
      await watched.page.goto(`${this.gateway.baseUrl}/console`);
      if (name !== null) await this.enter(watched.page, name);
      await tests(watched.page, context);
      expect(watched.complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  private async enter(page: Page, name: string): Promise<void> {
    // A page that is left before the answer has no session.
    const inside = page.getByRole('searchbox');
    await inside.or(page.getByLabel('Password')).first().waitFor();
    if (await inside.isVisible()) return;
    await this.logIn(page, name);
    await inside.waitFor();
    this.sessions.set(name, await page.context().storageState());
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
