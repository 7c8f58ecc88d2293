import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Debian's Chromium and Google's Chrome, as their packages install them; SUTURA_CHROMIUM names another. */
const PROGRAMS = [process.env['SUTURA_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'];
/** undefined: there is no browser on this machine, and none is downloaded. */
export const BROWSER_PROGRAM = PROGRAMS.find((path) => path !== undefined && existsSync(path));

/** `describe` where there is a browser; elsewhere the tests are counted as skipped, and the name says why. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (BROWSER_PROGRAM === undefined) describe.skip(`${name} (no Chromium found: apt-get install chromium)`, tests);
  else describe(name, tests);
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER_PROGRAM!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** What a page must never do: refuse its own policy, fail, or ask another host. */
export class WatchedPage {
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly baseUrl: string,
  ) {
    page.on('pageerror', (error) => this.complaints.push(`failed: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) this.complaints.push(message.text());
    });
    page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(this.baseUrl))
        this.complaints.push(`asked ${request.url()}`);
    });
  }

  static async open(context: BrowserContext, baseUrl: string): Promise<WatchedPage> {
    return new WatchedPage(await context.newPage(), baseUrl);
  }
}
