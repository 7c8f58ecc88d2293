import type { Browser, Page } from 'playwright-core';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PETRA = { id: 'N-1', name: 'Petra Pflege' };

/** The steps of a correction, in the order in which a nurse may take them. */
const STEPS: readonly (readonly [step: string, take: (page: Page) => Promise<void>])[] = [
  ['a point is moved', (page) => page.locator('.desk-handle').first().press('Shift+ArrowLeft')],
  ['a stroke is painted', paint],
  ['a scale is set', setScale],
  ['a row of the form is filled in', fillForm],
  ['a reason is begun', (page) => page.getByLabel('Reason or note').fill('Edge was in the shade, and ')],
  ['another patient’s number is begun', beginReassigning],
];

async function paint(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Brush +' }).click();
  const box = (await page.locator('.desk-photo').boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.52, { steps: 5 });
  await page.mouse.up();
}

async function setScale(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ruler', exact: true }).click();
  await page.getByLabel('Distance between the points').fill('5,0');
  await page.getByLabel('Unit').selectOption('cm');
  await page.getByRole('button', { name: 'Use this scale' }).click();
}

async function fillForm(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Form' }).click();
  await page.getByLabel('Depth, cm', { exact: true }).fill('1,5');
}

async function beginReassigning(page: Page): Promise<void> {
  await page.getByText('Other patient or wound').click();
  await page.getByLabel('Patient number').fill('47');
}

/** Everything of a correction that is on the screen. */
async function workOn(page: Page) {
  await page.locator('.desk-outline').first().waitFor({ state: 'attached' });
  return page.evaluate(() => {
    const valueOf = (label: string): string | null =>
      [...document.querySelectorAll('label')]
        .filter((one) => one.textContent.includes(label))
        .map((one) => (one.control as HTMLInputElement | null)?.value ?? null)[0] ?? null;
    return {
      outline: document.querySelector('.desk-outline')?.getAttribute('d'),
      area: document.querySelector('.desk-figures dd')?.textContent,
      note: valueOf('Reason or note'),
      depth: valueOf('Depth, cm'),
      patient: valueOf('Patient number'),
      distance: valueOf('Distance between the points'),
      tool: document.querySelector('.desk-tools [aria-pressed="true"]')?.textContent,
    };
  });
}

describeInBrowser('a correction that is interrupted after each of its steps', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;
  /** Gateways that went on in the place of the first. */
  const later: Gateway[] = [];

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([startGateway(), openBrowser(), drawWoundPhoto()]);
    const organizationId = await gateway.createOrganization();
    const scopes = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];
    const json = { environment: 'test', scopes, namesPersons: true };
    const made = await gateway.admin('POST', `/organizations/${organizationId}/keys`, json);
    client = new ApiClient(gateway.baseUrl, expectStatus(201, made).body.key as string);
  });
  afterEach(() => closeDesks(browser));
  afterAll(async () => {
    await browser?.close();
    await Promise.all(later.map((one) => one.kill()));
    await gateway?.stop();
  });

  async function assess(patientId: string): Promise<string> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      calibration: { mmPerPixel: 0.2 },
    });
    return (expectStatus(200, await client.request('GET', job.links.report)).body as { id: string }).id;
  }
  const open = async (reportId: string): Promise<Page> => {
    const watched = await openReviewDesk(browser, client, gateway.baseUrl, reportId, { person: PETRA });
    watched.page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
    return watched.page;
  };
  const saved = (page: Page) => page.getByText('Draft saved at').waitFor();
  const broughtBack = (page: Page) => page.getByText('Your draft of').waitFor();
  const notSaved = (page: Page) => page.getByText('Your draft is not saved').first().waitFor();
  const lookUp = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('online')));

  async function decided(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('The report is now version 2').waitFor();
  }

  /** Returns the desk on which the work goes on. */
  type Interruption = (page: Page, reportId: string) => Promise<Page>;

  async function go(patientId: string, interrupted: Interruption): Promise<void> {
    const reportId = await assess(patientId);
    let page = await open(reportId);
    for (const [step, take] of STEPS) {
      await take(page);
      await saved(page);
      const work = await workOn(page);
      page = await interrupted(page, reportId);
      expect([step, await workOn(page)]).toEqual([step, work]);
    }
    await decided(page);
  }

  it('goes on after a reload', () =>
    go('reload', async (page) => {
      await page.reload();
      await broughtBack(page);
      return page;
    }));

  it('goes on in a new tab', () =>
    go('tab', async (page) => {
      const next = await page.context().newPage();
      next.on('dialog', (dialog) => void dialog.accept());
      await next.goto(page.url());
      await broughtBack(next);
      await page.close();
      return next;
    }));

  it('goes on on another device', () =>
    go('device', async (page, reportId) => {
      const next = await open(reportId);
      await broughtBack(next);
      await page.context().close();
      return next;
    }));

  it('goes on with a new link once the session has ended', () =>
    go('ended', async (page, reportId) => {
      await queryDatabase(gateway.databaseUrl, `update review_links set expires_at = now() - interval '1 second'`, []);
      await lookUp(page);
      await page.getByText('This desk has ended').waitFor();
      const next = await open(reportId);
      await broughtBack(next);
      return next;
    }));

  it('is in the tab alone while the network is gone, over a reload, and is saved once it is back', async () => {
    const reportId = await assess('network');
    const page = await open(reportId);
    for (const [step, take] of STEPS) {
      await page.context().setOffline(true);
      await take(page);
      await notSaved(page);
      const work = await workOn(page);
      await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
      await page.context().setOffline(false);
      await page.reload();
      await page
        .getByText('What this tab had not saved yet was brought back')
        .or(page.getByText('Your draft is not saved'))
        .first()
        .waitFor();
      expect([step, 'in the tab', await workOn(page)]).toEqual([step, 'in the tab', work]);
      await page.unroute('**/draft');
      await lookUp(page);
      await saved(page);
      expect([step, 'saved', await workOn(page)]).toEqual([step, 'saved', work]);
    }
    await decided(page);
  });

  it('is there where the decision did not arrive, and where its answer did not', async () => {
    const reportId = await assess('decision');
    const page = await open(reportId);
    for (const [, take] of STEPS.slice(0, 5)) await take(page);
    await saved(page);
    const work = await workOn(page);
    const reviews = '**/reviews*';
    await page.route(reviews, (route) => route.abort());
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page
      .getByText(/was not reached/)
      .first()
      .waitFor();
    await page.reload();
    await broughtBack(page);
    expect(await workOn(page)).toEqual(work);
    await page.unroute(reviews);
    await page.route(reviews, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page
      .getByText(/was not reached/)
      .first()
      .waitFor();
    await page.unroute(reviews);
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('You decided “corrected”').waitFor();
    expect(await workOn(page)).toEqual(work);
    await page.getByRole('button', { name: 'Show what was saved' }).click();
    const { body } = await client.request('GET', `/api/v1/reports/${reportId}`);
    expect(body).toMatchObject({
      clinicianObservations: { depthCm: 1.5 },
      review: { decision: 'correct', reviewer: PETRA },
    });
  });

  it('goes on after a restart of the gateway, and what was done meanwhile is saved by itself', async () => {
    const reportId = await assess('restart');
    const page = await open(reportId);
    const port = Number(new URL(gateway.baseUrl).port);
    const { databaseUrl, dataDir } = gateway;
    let running: Gateway = gateway;
    for (const [step, take] of STEPS) {
      await page.getByLabel('Depth, cm', { exact: true }).waitFor();
      await running.kill();
      await take(page);
      await notSaved(page);
      const work = await workOn(page);
      running = await startGateway({ roles: 'api', databaseUrl, dataDir, port });
      later.push(running);
      await lookUp(page);
      await saved(page);
      await page.reload();
      await broughtBack(page);
      expect([step, await workOn(page)]).toEqual([step, work]);
    }
    await decided(page);
  });
});
