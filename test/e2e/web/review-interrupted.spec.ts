import type { Browser, Page } from 'playwright-core';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { type CreatedKey, type SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const TRUSTED = {
  environment: 'test',
  scopes: ['analysis:read', 'analysis:review'],
  namesPersons: true,
};

describeInBrowser('the review desk when something comes between', () => {
  let gateway: SharedGateway;
  let organizationId: string;
  let key: CreatedKey;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([sharedGateway(), openBrowser(), drawWoundPhoto()]);
    organizationId = await gateway.createOrganization();
    key = await gateway.createKey(organizationId);
    client = new ApiClient(gateway.baseUrl, key.key);
  });
  afterEach(() => closeDesks(browser));
  afterAll(() => browser?.close());

  async function assess(patientId: string) {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      calibration: { mmPerPixel: 0.2 },
    });
    return expectStatus(200, await client.request('GET', job.links.report)).body;
  }
  const open = (reportId: string, by = client) => openReviewDesk(browser, by, gateway.baseUrl, reportId);
  const linkOf = async (reportId: string): Promise<string> =>
    (
      await client.request('POST', `/api/v1/reports/${reportId}/review-links`, {
        json: { mode: 'review', of: 'report' },
      })
    ).body.url as string;
  const outlineOn = (page: Page) => page.locator('.desk-outline').first().getAttribute('d');
  async function save(page: Page): Promise<void> {
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByRole('button', { name: 'Save the correction' }).click();
  }

  it('says that it has ended when its key is revoked, shows nothing of the patient any more, and its draft comes back with a new link', async () => {
    const report = await assess('revoked');
    const person = { id: 'N-7', name: 'Petra Pflege' };
    const trusted = () => gateway.admin('POST', `/organizations/${organizationId}/keys`, TRUSTED);
    const [first, second] = (await Promise.all([trusted(), trusted()])).map(({ body }) => body as CreatedKey);
    const open = async ({ key }: CreatedKey) => {
      const by = new ApiClient(gateway.baseUrl, key);
      return openReviewDesk(browser, by, gateway.baseUrl, report.id, { person });
    };
    const { page } = await open(first!);
    await page.locator('.desk-handle').first().press('Shift+ArrowLeft');
    const drawn = await outlineOn(page);
    await page.getByText('Draft saved at').waitFor();
    expectStatus(204, await gateway.admin('DELETE', `/keys/${first!.keyId}`));
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('This desk has ended').waitFor();
    await page.getByText('Your draft comes back there').waitFor();
    expect(await page.locator('.desk-photo, .desk-banner, .desk-figures').count()).toBe(0);
    const { page: next } = await open(second!);
    await next.getByText('Your draft of').waitFor();
    expect(await outlineOn(next)).toBe(drawn);
    await next.getByRole('button', { name: 'Save the correction' }).click();
    await next.getByText('The report is now version 2').waitFor();
  });

  it('takes the documents that were opened from it along when it ends', async () => {
    const report = await assess('documents-ended');
    const { body } = await gateway.admin('POST', `/organizations/${organizationId}/keys`, TRUSTED);
    const { key: secret, keyId } = body as CreatedKey;
    const { page } = await open(report.id, new ApiClient(gateway.baseUrl, secret));
    await page.getByRole('tab', { name: 'Report' }).click();
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'As a page' }).click();
    const document = await opening;
    await document.getByRole('heading').first().waitFor();
    const closed = document.waitForEvent('close');
    expectStatus(204, await gateway.admin('DELETE', `/keys/${keyId}`));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByText('This desk has ended').waitFor();
    await closed;
  });

  it('opens once, and says so to whoever opens its link again', async () => {
    const url = await linkOf((await assess('twice')).id);
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    await first.goto(url);
    await first.locator('.desk-figures dd').first().waitFor();
    await second.goto(url);
    await second.getByText('This link was opened before, or has ended.').waitFor();
  });

  it('of two tabs lets the first save, and tells the second one', async () => {
    const report = await assess('tabs');
    const { page } = await open(report.id);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.locator('.desk-figures dd').first().waitFor();
    for (const tab of [page, second]) await tab.locator('.desk-handle').first().press('ArrowUp');
    await save(page);
    await page.getByText('The report is now version 2').waitFor();
    await save(second);
    await second.getByText('Somebody was faster: Petra Pflege decided “corrected”').waitFor();
  });

  it('confirms no outline without its photo, and takes a rejection where the photo was erased meanwhile', async () => {
    const report = await assess('erased');
    const { page } = await open(report.id);
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${report.imageId}`));
    await page.reload();
    await page.getByText('There is no photo any more.').waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByLabel('Reason or note').fill('Erased at the wish of the patient.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText(/The report is now version \d/).waitFor();
  });

  it('decides nothing about a photo that could not be read, says so, and reads it again when asked', async () => {
    const report = await assess('unread');
    const { page } = await open(report.id);
    let isBroken = true;
    await page.route('**/photo', (route) => (isBroken ? route.fulfill({ status: 503, body: '' }) : route.continue()));
    await page.reload();
    await page.getByText('The photo could not be read.').waitFor();
    for (const name of ['Accept', 'Reject']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.desk-photo image').waitFor();
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The report is now version 2').waitFor();
  });

  it('brings unsaved work back beside what was saved meanwhile, and decides nothing before its person says which goes on', async () => {
    const report = await assess('outrun');
    const { page } = await open(report.id);
    await page.locator('.desk-handle').first().press('Shift+ArrowLeft');
    const drawn = await outlineOn(page);
    const { headers } = await client.request('GET', `/api/v1/reports/${report.id}`);
    const json = { decision: 'accept', reviewer: { id: 'HCP-0007', name: 'Another Reviewer' } };
    const ifMatch = { 'if-match': headers.get('etag')! };
    expectStatus(201, await client.request('POST', `/api/v1/reports/${report.id}/reviews`, { json, headers: ifMatch }));
    page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Somebody was faster: Another Reviewer').waitFor();
    expect(await outlineOn(page)).toBe(drawn);
    expect(await page.locator('.desk-theirs').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Save the correction' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Put mine over it' }).click();
    await save(page);
    await page.getByText('The report is now version 3').waitFor();
  });

  it('draws nothing for a brush beside the photo, and keeps a stroke when the screen is turned', async () => {
    const { page } = await open((await assess('turned')).id);
    const before = await outlineOn(page);
    await page.getByRole('button', { name: 'Brush +' }).click();
    const box = (await page.locator('.desk-photo').boundingBox())!;
    await page.mouse.move(box.x - 10, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x - 10, box.y + 80);
    await page.mouse.up();
    expect(await outlineOn(page)).toBe(before);
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.5, { steps: 5 });
    await page.mouse.move(box.x + box.width + 60, box.y + box.height * 0.5, { steps: 5 });
    await page.mouse.up();
    const drawn = await outlineOn(page);
    expect(drawn).not.toBe(before);
    await page.setViewportSize({ width: 1180, height: 820 });
    expect(await outlineOn(page)).toBe(drawn);
    await save(page);
    await page.getByText('The report is now version 2').waitFor();
  });
});
