import type { Browser, Page } from 'playwright-core';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser, type WatchedPage } from '../../support/browser.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PETRA = { id: 'N-1', name: 'Petra Pflege' };
const QUENTIN = { id: 'N-2', name: 'Quentin Quer' };
const TRIANGLE = [
  [20, 20],
  [90, 20],
  [90, 80],
  [20, 20],
];

describeInBrowser('what the review desk says of a draft, and what goes with it', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([sharedGateway(), openBrowser(), drawWoundPhoto()]);
    const organizationId = await gateway.createOrganization();
    const scopes = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];
    const json = { environment: 'test', scopes, namesPersons: true };
    const made = await gateway.admin('POST', `/organizations/${organizationId}/keys`, json);
    client = new ApiClient(gateway.baseUrl, expectStatus(201, made).body.key as string);
  });
  afterEach(() => closeDesks(browser));
  afterAll(() => browser?.close());

  async function assess(patientId: string, capturedAt = '2026-01-02T10:00:00Z'): Promise<{ readonly id: string }> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      calibration: { mmPerPixel: 0.2 },
      capturedAt,
    });
    return expectStatus(200, await client.request('GET', job.links.report)).body;
  }
  const open = (reportId: string, wish: object = { person: PETRA }): Promise<WatchedPage> =>
    openReviewDesk(browser, client, gateway.baseUrl, reportId, wish);
  const draw = (page: Page) => page.locator('.desk-handle').first().press('Shift+ArrowLeft');
  const saved = (page: Page) => page.getByText('Draft saved at').waitFor();
  const lookUp = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('online')));
  const decide = async (reportId: string, what: object = { decision: 'accept' }) => {
    const { headers } = await client.request('GET', `/api/v1/reports/${reportId}`);
    const ifMatch = { 'if-match': headers.get('etag')! };
    const json = { reviewer: QUENTIN, ...what };
    expectStatus(201, await client.request('POST', `/api/v1/reports/${reportId}/reviews`, { json, headers: ifMatch }));
  };
  const setScale = async (page: Page) => {
    await page.getByRole('button', { name: 'Ruler', exact: true }).click();
    await page.getByLabel('Distance between the points').fill('5');
    await page.getByLabel('Unit').selectOption('cm');
    await page.getByRole('button', { name: 'Use this scale' }).click();
    await page.getByText('Scale set here').waitFor();
  };

  it('is a scale that it names with each tool, also when it was brought back, and the other draft’s scale and numbers', async () => {
    const report = await assess('scale');
    const { page } = await open(report.id);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.locator('.desk-handle').first().waitFor();
    await setScale(page);
    await page.getByText('Other patient or wound').click();
    await page.getByLabel('Patient number').fill('4711');
    await page.getByRole('button', { name: 'Points', exact: true }).click();
    await saved(page);
    await page.reload();
    await page.getByText('Your draft of').waitFor();
    await page.getByText('Scale set here').waitFor();
    await draw(second);
    await second.getByText('You went on with this draft in another tab').waitFor();
    await second
      .getByText(/Its scale: 0\.\d+ mm per pixel\. It would give the photo to patient 4711, wound –\./)
      .waitFor();
  });

  it('sends a scale alone over a colleague’s outline, and no outline that nobody touched', async () => {
    const report = await assess('scale-alone');
    const { page } = await open(report.id);
    await setScale(page);
    await saved(page);
    await decide(report.id, { decision: 'correct', contour: { type: 'Polygon', coordinates: [TRIANGLE] } });
    await lookUp(page);
    await page.getByText('Somebody was faster: Quentin Quer decided “corrected”').waitFor();
    await page.getByRole('button', { name: 'Put mine over it' }).click();
    const sent = page.waitForRequest((request) => request.url().includes('/reviews'));
    await page.getByRole('button', { name: 'Save the correction' }).click();
    const body = (await sent).postDataJSON() as object;
    expect(Object.keys(body)).not.toContain('contour');
    expect(Object.keys(body)).toContain('calibration');
    await page.getByText('The report is now version 3').waitFor();
  });

  it('takes nothing in while a decision is sent, so that nothing of it is lost', async () => {
    const report = await assess('frozen');
    const { page } = await open(report.id);
    await draw(page);
    await saved(page);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/reviews*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.locator('section.desk-panel[inert]').waitFor();
    expect(await page.locator('.desk-handle').count()).toBe(0);
    goOn();
    await page.getByText('The report is now version 2').waitFor();
    await page.locator('.desk-panel:not([inert]) .desk-handle').first().waitFor();
  });

  it('tells others that a report is open while its photo is compared, too', async () => {
    await assess('compared', '2026-01-01T10:00:00Z');
    const report = await assess('compared');
    const { page: petra } = await open(report.id, { person: PETRA, of: 'wound' });
    const { page: quentin } = await open(report.id, { person: QUENTIN });
    await quentin.getByText('Petra Pflege, since').waitFor();
    await petra.getByRole('tab', { name: 'Side by side' }).click();
    await petra.getByText('Quentin Quer, since').waitFor();
    await lookUp(quentin);
    await eventually('she is named again', async () => {
      await lookUp(quentin);
      return (await quentin.getByText('Petra Pflege, since').count()) === 1;
    });
  });

  it('shows the report where the draft cannot be read, says that it is not known, and asks before it writes over it', async () => {
    const report = await assess('unread');
    const { page } = await open(report.id);
    await page.getByLabel('Reason or note').fill('kept');
    await saved(page);
    await page.route('**/draft', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    );
    await page.reload();
    await page.getByText('Whether the service has a draft of yours about this report is not known').waitFor();
    await page.unroute('**/draft');
    await draw(page);
    await page.getByText('You went on with this draft in another tab').waitFor();
    await page.getByText('Its note: “kept”').waitFor();
  });

  it('says at a desk for reading, too, that the report has changed', async () => {
    const report = await assess('reading');
    const { page } = await open(report.id, { person: PETRA, mode: 'read' });
    await decide(report.id);
    await lookUp(page);
    await page.getByText('Quentin Quer decided “accepted”').waitFor();
    await page.getByText('The dashed line is what stands now').waitFor();
    await page.getByRole('button', { name: 'Show what was saved' }).click();
    await page.getByText('Status: reviewed').waitFor();
  });

  it('says of changes that only the tab has that the service lacks them, and saves them after their report was left', async () => {
    const first = await assess('left', '2026-01-01T10:00:00Z');
    const report = await assess('left');
    const { page } = await open(report.id, { person: PETRA, of: 'wound' });
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await draw(page);
    await page.getByText('Your draft is not saved').waitFor();
    await page.getByLabel('Photos of this wound').press('ArrowLeft');
    await page.getByText('the service does not have all of them yet').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator(`img[src], image`).first().waitFor();
    await page.unroute('**/draft');
    const drafts = () =>
      queryDatabase<{ id: string }>(
        gateway.databaseUrl,
        'select report_id as id from review_drafts where report_id = any ($1)',
        [[first.id, report.id]],
      );
    await eventually('it is saved', async () => (await drafts()).length === 1);
    expect(await drafts()).toEqual([{ id: report.id }]);
  });

  it('ends with its time where the service only says that it has too much to do', async () => {
    const report = await assess('clock');
    const { page } = await open(report.id);
    await page.clock.install();
    await page.reload();
    await page.locator('.desk-handle').first().waitFor();
    await page.route('**/review/api/**', (route) => route.fulfill({ status: 429, body: '' }));
    await page.clock.fastForward('10:05');
    await eventually('it has ended', async () => {
      await page.clock.fastForward(16_000);
      return (await page.getByText('This desk has ended').count()) === 1;
    });
    expect(await page.locator('.desk-photo, .desk-banner').count()).toBe(0);
  });

  it('leaves nothing in the tab once a link that named nobody has ended', async () => {
    const report = await assess('nobody');
    const { page } = await open(report.id, {});
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await page.getByLabel('Reason or note').fill('of nobody');
    await page.getByText('Your draft is not saved').waitFor();
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage));
    expect(await kept()).toContain('of nobody');
    const linkId = new URL(page.url()).pathname.split('/')[2];
    await queryDatabase(
      gateway.databaseUrl,
      `update review_links set expires_at = now() - interval '1 second' where id = $1`,
      [linkId],
    );
    await lookUp(page);
    await page.getByText('The link of this desk named nobody').waitFor();
    expect(await kept()).not.toContain('of nobody');
  });
});
