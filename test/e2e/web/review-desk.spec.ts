import type { Browser } from 'playwright-core';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { barriersOf, isTooWide, turnOf } from '../../support/barriers.js';
import { describeInBrowser, openBrowser, WatchedPage } from '../../support/browser.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { closeDesks } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 390],
  ['light', 390],
] as const;
const REVIEWER = { id: 'HCP-0007', name: 'Another Reviewer' };

describeInBrowser('the review desk in a browser', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([sharedGateway(), openBrowser(), drawWoundPhoto()]);
    client = await gateway.createClient();
  });
  afterEach(() => closeDesks(browser));
  afterAll(() => browser?.close());

  async function assess(patientId: string): Promise<Answer> {
    const calibration = { mmPerPixel: 0.2 };
    const job = await client.analyse(photo, { subject: { patientId, woundId: 'W1' }, calibration });
    return expectStatus(200, await client.request('GET', job.links.report));
  }
  async function openDesk(reportId: string, mode = 'review', wish: object = {}): Promise<WatchedPage> {
    const json = { mode, of: 'report', language: 'en', ...wish };
    const { url } = expectStatus(
      201,
      await client.request('POST', `/api/v1/reports/${reportId}/review-links`, { json }),
    ).body as { readonly url: string };
    const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
    const watched = await WatchedPage.open(context, gateway.baseUrl);
    await watched.page.goto(url);
    await watched.page.locator('.desk-figures dd').first().waitFor();
    return watched;
  }

  it('tells a person that somebody was faster, and keeps their outline', async () => {
    const report = await assess('stale');
    const { page, complaints } = await openDesk(report.body.id);
    await page.locator('.desk-handle').first().press('ArrowLeft');
    const json = { decision: 'accept', reviewer: REVIEWER };
    const headers = { 'if-match': report.headers.get('etag')! };
    expectStatus(201, await client.request('POST', `/api/v1/reports/${report.body.id}/reviews`, { json, headers }));
    const before = await page.locator('.desk-outline').first().getAttribute('d');
    await page.getByLabel('Your name').fill('Example Reviewer');
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('Somebody was faster: Another Reviewer').waitFor();
    expect(await page.locator('.desk-outline').first().getAttribute('d')).toBe(before);
    expect(complaints).toEqual([]);
  });

  it('lets nobody accept an outline that is not on the screen', async () => {
    const report = await assess('unseen');
    const [first, second] = [await openDesk(report.body.id), await openDesk(report.body.id)];
    for (const { page } of [first, second]) {
      await page.locator('.desk-handle').first().press('Shift+ArrowLeft');
      await page.getByLabel('Your name').fill('Example Reviewer');
    }
    const outlineOf = ({ page }: WatchedPage) => page.locator('.desk-outline').first().getAttribute('d');
    await second.page.locator('.desk-handle').nth(3).press('Shift+ArrowUp');
    await second.page.getByRole('button', { name: 'Save the correction' }).click();
    await second.page.getByText('The report is now version 2').waitFor();
    await first.page.getByRole('button', { name: 'Save the correction' }).click();
    await first.page.getByText('Somebody was faster').waitFor();
    await first.page.getByRole('button', { name: 'Undo' }).click();
    // All of the own work is undone: the outline of version 1 is on the screen, and version 2 stands.
    expect(await first.page.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
    expect(await first.page.locator('.desk-theirs').getAttribute('d')).toBe(await outlineOf(second));
    await first.page.getByRole('button', { name: 'Show what was saved' }).click();
    expect(await outlineOf(first)).toBe(await outlineOf(second));
    await first.page.getByRole('button', { name: 'Accept' }).click();
    await first.page.getByText('The report is now version 3').waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('says whose wound it is', async () => {
    const subject = { patientId: 'banner-1', woundId: 'W7', laterality: 'left' };
    const job = await client.analyse(photo, { subject, clinicalContext: 'Dressing changed today.' });
    const { page, complaints } = await openDesk(job.links.report.split('/').at(-1)!);
    const banner = page.getByRole('region', { name: 'Patient and wound' });
    await banner.waitFor();
    const text = await banner.innerText();
    for (const said of ['banner-1', 'W7', 'left', 'Dressing changed today.']) expect(text).toContain(said);
    expect(complaints).toEqual([]);
  });

  it('lets the person whom a link names sign, and nobody else', async () => {
    const report = await assess('signed');
    const refused = await client.request('POST', `/api/v1/reports/${report.body.id}/review-links`, {
      json: { mode: 'review', of: 'report', person: { id: 'HCP-0042', name: 'Known Reviewer' } },
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.person']);
    const organizationId = await gateway.createOrganization();
    const key = await gateway.createKey(organizationId);
    expectStatus(200, await gateway.admin('PATCH', `/keys/${key.keyId}`, { namesPersons: true }));
    client = new ApiClient(gateway.baseUrl, key.key);
    const own = await assess('signed');
    const { page, complaints } = await openDesk(own.body.id, 'review', {
      person: { id: 'HCP-0042', name: 'Known Reviewer', system: 'urn:example:staff' },
    });
    await page.getByText('You decide as Known Reviewer (HCP-0042).').waitFor();
    expect(await page.getByLabel('Your name').count()).toBe(0);
    // Whatever the page were made to send.
    await page.route('**/reviews', (route) =>
      route.continue({
        postData: JSON.stringify({
          decision: 'accept',
          reviewer: { id: 'HCP-0001', name: 'Somebody Else', system: 'urn:x' },
        }),
      }),
    );
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The report is now version 2').waitFor();
    const { review } = (await client.request('GET', `/api/v1/reports/${own.body.id}`)).body;
    expect(review.reviewer).toEqual({ id: 'HCP-0042', name: 'Known Reviewer', system: 'urn:example:staff' });
    expect(complaints).toEqual([]);
  });

  it('shows the figure of the server, moves a point by keyboard, and saves what it showed', async () => {
    const report = await assess('corrected');
    const { page, complaints } = await openDesk(report.body.id);
    const shown = () => page.locator('.desk-figures dd').first().textContent();
    expect(Number.parseFloat((await shown())!)).toBe(report.body.findings.figures.area.cm2.value);
    expect(page.url()).not.toContain('#');
    const handle = page.locator('.desk-handle').first();
    for (let step = 0; step < 3; step += 1) await handle.press('Shift+ArrowLeft');
    const area = Number.parseFloat((await shown())!);
    await page.getByLabel('Your name').fill('Example Reviewer');
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('The report is now version 2').waitFor();
    const saved = (await client.request('GET', `/api/v1/reports/${report.body.id}`)).body;
    expect([saved.version, saved.review.decision]).toEqual([2, 'correct']);
    expect(saved.findings.figures.area.cm2.value).toBe(area);
    expect(complaints).toEqual([]);
  });

  it('offers no decision where the link is for reading', async () => {
    const report = await assess('reading');
    const { page, complaints } = await openDesk(report.body.id, 'read');
    await page.getByText('This link is for reading.').waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    expect(await page.locator('.desk-handle').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what the wound does before anything else, in the words of the report, as it stands after a decision', async () => {
    const visit = async (day: number, mmPerPixel: number, depthCm: number) => {
      const job = await client.analyse(photo, {
        subject: { patientId: 'cavity', woundId: 'W1' },
        capturedAt: new Date(Date.UTC(2025, 0, day, 9)).toISOString(),
        calibration: { mmPerPixel },
        clinicianObservations: { depthCm },
      });
      return expectStatus(200, await client.request('GET', job.links.report)).body;
    };
    await visit(6, 0.2, 1);
    const report = await visit(13, 0.16, 4.5);
    for (const [language, headline, point, since] of [
      [
        'en',
        'Some findings are worse, others are better. Worse: depth. Better: area.',
        'Depth: from 1 cm to 4.5 cm',
        'Since',
      ],
      [
        'de',
        'Einige Befunde sind schlechter, andere besser. Schlechter: Tiefe. Besser: Fläche.',
        'Tiefe: von 1 cm auf 4,5 cm',
        'Seit',
      ],
    ] as const) {
      const { page, complaints } = await openDesk(report.id, 'review', { language, of: 'wound' });
      const verdict = page.locator('.desk-verdict');
      await verdict.getByRole('heading', { name: headline }).waitFor();
      const words = (await verdict.innerText()).replaceAll('\u00a0', ' ');
      expect(words).toContain(point);
      expect(words).toContain(since);
      const [above, below] = [await verdict.boundingBox(), await page.locator('.desk-figures').first().boundingBox()];
      expect(above!.y).toBeLessThan(below!.y);
      const folder = process.env['SUTURA_PICTURES'];
      const read = turnOf(LOOKS, language === 'en' ? 0 : 1, 2);
      for (const look of LOOKS) {
        const [colorScheme, width] = look;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        if (read.has(look)) expect(await barriersOf(page)).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/verdict-${language}-${colorScheme}-${width}.png`, fullPage: true });
      }
      expect(complaints).toEqual([]);
    }
    const { page } = await openDesk(report.id);
    await page.getByLabel('Your name').fill('Example Reviewer');
    await page.getByLabel('Reason or note').fill('Another wound.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('The report is now version 2').waitFor();
    await page.locator('.desk-verdict').waitFor();
  });

  it('has no barrier that axe finds, and fits from 375 pixels on, light and dark', async () => {
    const report = await assess('barriers');
    const { page, complaints } = await openDesk(report.body.id);
    // As a report is where there is a tissue model.
    await page.route(`**/reports/${report.body.id}`, async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { findings: { tissue: unknown } };
      const method = { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' };
      json.findings.tissue = { granulation: 0.61, slough: 0.3, necrosis: 0.09, other: 0, method };
      await route.fulfill({ response: answer, json });
    });
    await page.reload();
    await page.getByRole('tab', { name: 'Tissue' }).click();
    await page.getByText('Granulation tissue').waitFor();
    expect(await page.locator('.desk-figures').last().innerText()).toMatch(/61%[^]*30%[^]*by colour[^]*9%/);
    for (const [colorScheme, width] of [
      ['light', 820],
      ['dark', 375],
      ['dark', 820],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 1180 });
      expect([colorScheme, width, await barriersOf(page)]).toEqual([colorScheme, width, []]);
      expect([colorScheme, width, await isTooWide(page)]).toEqual([colorScheme, width, false]);
      const folder = process.env['SUTURA_PICTURES'];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/review-${colorScheme}-${width}.png` });
    }
    expect(complaints).toEqual([]);
  });
});
