import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../../../../test/support/browser.js';
import { PageServer } from './page-server.js';

const CONTRACT = resolve(__dirname, '../../../contract');

interface Case {
  readonly file: string;
  readonly name: string;
  readonly call: { readonly arguments: Readonly<Record<string, unknown>> };
}

interface Verdict {
  readonly name: string;
  readonly faults: readonly string[];
}

/** What a page cannot do, or need not. */
const NOT_IN_A_PAGE: Readonly<Record<string, string>> = {
  'api: asks for an upload address with what is known of the photo': 'a browser says itself what it is (User-Agent)',
  'errors: does not follow a redirect with the key': 'a page is not told the status of a redirect',
  'setup: follows no redirect of any route': 'a page is not told the status of a redirect',
  'errors: says by a code why a connection was not made': 'a page is not told why',
  'setup: asks any route with the key and gives its headers, those of several lines too':
    'Vary is none that a page may read',
  'transport: refuses a redirected upload and does not send the photo elsewhere':
    'XMLHttpRequest follows the redirect; the answer is refused',
};

function readCases(): Case[] {
  return readdirSync(join(CONTRACT, 'cases'))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(CONTRACT, 'cases', file), 'utf8')) as Omit<Case, 'file'>[]).map((one) => ({
        ...one,
        file: file.replace('.json', ''),
      })),
    );
}

const nameOf = ({ file, name }: Case): string => `${file}: ${name}`;
/** A page has no files to save to. */
const savesToPath = ({ call }: Case): boolean => 'path' in call.arguments && typeof call.arguments['path'] === 'object';

describeInBrowser('the JavaScript library in a browser', () => {
  const cases = readCases();
  const fitting = cases.filter((one) => !savesToPath(one) && !(nameOf(one) in NOT_IN_A_PAGE));
  let verdicts: Map<string, readonly string[]>;
  let server: ChildProcess;
  let pages: PageServer;
  let browser: Browser;
  let page: Page;
  /** The line of the scripted server. */
  let service: string;

  // As text: what the compiler of the tests makes of an import is no module of a page.
  const judge = (all: readonly Case[]): Promise<Verdict[]> =>
    page.evaluate(
      `import('/test/browser/page-runner.mjs').then(({ runCases }) => runCases(${service}, ${JSON.stringify(all)}))`,
    );

  beforeAll(async () => {
    server = spawn(process.execPath, [join(CONTRACT, 'server.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
    [pages, browser] = await Promise.all([PageServer.start(), openBrowser()]);
    page = await browser.newPage();
    await page.goto(pages.origin);
    ({ value: service } = await createInterface({ input: server.stdout! })[Symbol.asyncIterator]().next());
    const found = await judge(fitting);
    verdicts = new Map(found.map(({ name, faults }) => [name, faults]));
  }, 120_000);
  afterAll(async () => {
    server?.stdin?.end();
    pages?.stop();
    await browser?.close();
  });

  it.each(fitting.map(nameOf))('%s', (name) => expect(verdicts.get(name)).toEqual([]));

  it.each([['errors: does not follow a redirect with the key'], ['setup: follows no redirect of any route']])(
    'follows no redirect (%s)',
    async (name) => {
      const one = cases.find((other) => nameOf(other) === name);
      const [verdict] = await judge([one!]);
      // What is wrong is the status alone: no request went to where the redirect leads.
      expect(verdict?.faults.filter((fault) => /request|throw no|returned undefined/.test(fault))).toEqual([]);
    },
  );

  it('refuses the answer of an upload that was redirected', async () => {
    const name = 'transport: refuses a redirected upload and does not send the photo elsewhere';
    const [verdict] = await judge(cases.filter((other) => nameOf(other) === name));
    expect(verdict?.faults).toEqual([expect.stringMatching(/PUT .* was not expected/)]);
  });

  it('is asked nearly all that other languages are', () => {
    expect(fitting.length / cases.length).toBeGreaterThan(0.9);
    const names = cases.map(nameOf);
    expect(Object.keys(NOT_IN_A_PAGE).filter((name) => !names.includes(name))).toEqual([]);
  });
});
