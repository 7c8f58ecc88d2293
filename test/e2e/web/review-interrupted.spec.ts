import type { Browser, Page } from 'playwright-core';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { startGateway, type CreatedKey, type Gateway } from '../../support/gateway.js';
import { openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describeInBrowser('the review desk when something comes between', () => {
  let gateway: Gateway;
  let organizationId: string;
  let key: CreatedKey;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([startGateway(), openBrowser(), drawWoundPhoto()]);
    organizationId = await gateway.createOrganization();
    key = await gateway.createKey(organizationId);
    client = new ApiClient(gateway.baseUrl, key.key);
  });
  afterAll(() => Promise.all([gateway?.stop(), browser?.close()]));

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

  it('says that it has ended when its key is revoked, and unsaved work comes back with a new link in the tab', async () => {
    const report = await assess('revoked');
    const other = await gateway.createKey(organizationId);
    const { page } = await open(report.id, new ApiClient(gateway.baseUrl, other.key));
    await page.locator('.desk-handle').first().press('Shift+ArrowLeft');
    const drawn = await outlineOn(page);
    expectStatus(204, await gateway.admin('DELETE', `/keys/${other.keyId}`));
    await save(page);
    await page.getByText('This desk has ended').waitFor();
    expect(await outlineOn(page)).toBe(drawn);
    page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
    await page.goto(await linkOf(report.id));
    await page.getByText('Your unsaved changes were brought back').waitFor();
    expect(await outlineOn(page)).toBe(drawn);
    await save(page);
    await page.getByText('The report is now version 2').waitFor();
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

  it('takes a decision on a photo that was erased while it was open, and says that there is none', async () => {
    const report = await assess('erased');
    const { page } = await open(report.id);
    expectStatus(204, await client.request('DELETE', `/api/v1/images/${report.imageId}`));
    await page.reload();
    await page.getByText('There is no photo any more.').waitFor();
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(/The report is now version \d/).waitFor();
  });

  it('draws nothing for a brush beside the photo, and keeps a stroke when the screen is turned', async () => {
    const { page } = await open((await assess('turned')).id);
    const before = await outlineOn(page);
    await page.getByRole('button', { name: 'Brush: add' }).click();
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
