import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { BROWSER_PROGRAM, describeInBrowser } from '../../support/browser.js';
import { freePort } from '../../support/free-port.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { barriersOf } from '../../support/barriers.js';
import { makeTlsIdentity } from '../../support/tls-identity.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const EXAMPLE = resolve(__dirname, '../../../sdk/javascript/example/wound-page/serve.mjs');

describeInBrowser('the example page with <sutura-wound>, from another origin than the gateway’s', () => {
  let folder: string;
  let plain: Gateway;
  let gateway: Gateway;
  let browser: Browser;
  let page: Page;
  let server: ChildProcess;
  let report: Answer['body'];
  let origin: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-element-'));
    const identity = makeTlsIdentity(['127.0.0.1', 'localhost']);
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    await Promise.all([writeFile(files.cert, identity.cert), writeFile(files.key, identity.key)]);
    // Photos go in by http, as the test's own client asks; the browser sees https alone.
    plain = await startGateway();
    const tls = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key };
    const { databaseUrl, dataDir } = plain;
    gateway = await startGateway({ roles: 'api', until: 'listening', databaseUrl, dataDir, env: tls });
    const port = await freePort();
    origin = `https://localhost:${port}`;
    const organizationId = await plain.createOrganization();
    expectStatus(200, await plain.admin('PATCH', `/organizations/${organizationId}`, { reviewFrameOrigins: [origin] }));
    const { key } = await plain.createKey(organizationId);
    const client = new ApiClient(plain.baseUrl, key);
    const job = await client.analyse(await drawWoundPhoto(), {
      subject: { patientId: 'P1', woundId: 'W1' },
      calibration: { mmPerPixel: 0.2 },
    });
    report = expectStatus(200, await client.request('GET', job.links.report)).body;
    server = spawn(process.execPath, [EXAMPLE], {
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: files.cert,
        SUTURA_API_KEY: key,
        SUTURA_URL: gateway.baseUrl.replace('http://', 'https://'),
        SUTURA_REPORT: report.id,
        ORIGIN: origin,
        PORT: String(port),
        CERT: files.cert,
        KEY: files.key,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((listening, refuse) => {
      server.stdout!.once('data', listening);
      server.once('exit', () => refuse(new Error('The example page ended; it needs npm run build:sdk.')));
    });
    browser = await chromium.launch({
      executablePath: BROWSER_PROGRAM!,
      // As browsers do that keep no cookies of frames for all sites together.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--test-third-party-cookie-phaseout'],
    });
    page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
  });
  afterAll(async () => {
    server?.kill();
    await Promise.all([browser?.close(), gateway?.stop()]);
    await plain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows course and latest report by a cookie of its own, and takes no decision', async () => {
    const cookies: string[] = [];
    const blocked: string[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'POST' && response.url().endsWith('/session'))
        void response.headerValue('set-cookie').then((value) => cookies.push(value ?? ''));
    });
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) blocked.push(message.text());
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().startsWith(origin)) asked.push(request.url());
    });
    await page.goto(origin);
    const desk = page.locator('sutura-wound').locator('iframe').contentFrame();
    await desk.locator('.desk-figures dd').first().waitFor();
    await desk.getByText('This link is for reading.').waitFor();
    expect(Number.parseFloat((await desk.locator('.desk-figures dd').first().textContent())!)).toBe(
      report.findings.figures.area.cm2.value,
    );
    expect(cookies.join()).toMatch(/__Secure-sutura-review=.*HttpOnly; SameSite=None; Secure; Partitioned/);
    expect(blocked).toEqual([]);
    // A link that is made and not opened would stay open for minutes.
    expect(asked).toHaveLength(1);
    expect(await barriersOf(page)).toEqual([]);
  });

  it('asks for a new link each time it is shown, as each opens once', async () => {
    const told = page.evaluate(
      () =>
        new Promise((opened) => {
          const element = document.querySelector('sutura-wound')!;
          element.addEventListener('sutura-opened', (event) => opened((event as CustomEvent).detail), { once: true });
          void (element as HTMLElement & { show(): Promise<void> }).show();
        }),
    );
    expect(await told).toEqual({ reportId: report.id });
  });

  it('says so where the page’s server gives no link, and shows nothing that is no desk', async () => {
    for (const body of ['{}', JSON.stringify({ url: 'https://evil.example.org/' })]) {
      await page.route('**/link', (route) => route.fulfill({ contentType: 'application/json', body }));
      await page.evaluate(() =>
        document.querySelector<HTMLElement & { show(): Promise<void> }>('sutura-wound')!.show(),
      );
      await page.locator('sutura-wound').getByText('The wound could not be shown.').waitFor();
      expect(await page.locator('sutura-wound iframe').count()).toBe(0);
      await page.unroute('**/link');
    }
    await page.locator('sutura-wound').getByRole('button', { name: 'Show again' }).press('Enter');
    await page.locator('sutura-wound').locator('iframe').contentFrame().locator('.desk-figures dd').first().waitFor();
  });

  it('says so where the page’s server does not answer at all', async () => {
    await page.clock.install();
    await page.route('**/link', () => undefined);
    const asked = page.waitForRequest('**/link');
    await page.evaluate(
      () => void document.querySelector<HTMLElement & { show(): Promise<void> }>('sutura-wound')!.show(),
    );
    await asked;
    await page.clock.fastForward(19_000);
    expect(await page.locator('sutura-wound').getByText('Opening').count()).toBe(1);
    await page.clock.fastForward(2000);
    await page.locator('sutura-wound').getByText('The wound could not be shown.').waitFor();
  });
});
