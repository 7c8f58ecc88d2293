import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { barriersOf, isTooWide, languagesRead, turnOf } from '../../support/barriers.js';
import { describeInBrowser, openBrowser, type WatchedPage } from '../../support/browser.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PETRA = { id: 'N-1', name: 'Petra Pflege' };
const QUENTIN = { id: 'N-2', name: 'Quentin Quer' };
const LOOKS = [
  ['light', 390, 844],
  ['dark', 390, 844],
  ['light', 1024, 768],
  ['dark', 1024, 768],
] as const;

describeInBrowser('a correction under way at the review desk', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;
  /** Of desks that several tests see beside their own. */
  const kept: BrowserContext[] = [];

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([startGateway(), openBrowser(), drawWoundPhoto()]);
    const organizationId = await gateway.createOrganization();
    const scopes = ['images:write', 'analysis:write', 'analysis:read', 'analysis:review'];
    const json = { environment: 'test', scopes, namesPersons: true };
    const made = await gateway.admin('POST', `/organizations/${organizationId}/keys`, json);
    client = new ApiClient(gateway.baseUrl, expectStatus(201, made).body.key as string);
  });
  afterEach(() => closeDesks(browser, kept));
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  async function assess(patientId: string): Promise<{ readonly id: string }> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      calibration: { mmPerPixel: 0.2 },
    });
    return expectStatus(200, await client.request('GET', job.links.report)).body;
  }
  const open = (reportId: string, wish: object = { person: PETRA }, options: object = {}): Promise<WatchedPage> =>
    openReviewDesk(browser, client, gateway.baseUrl, reportId, wish, options);
  const outlineOn = (page: Page) => page.locator('.desk-outline').first().getAttribute('d');
  const draw = (page: Page) => page.locator('.desk-handle').first().press('Shift+ArrowLeft');
  const saved = (page: Page) => page.getByText('Draft saved at').waitFor();
  const noteOf = (page: Page) => page.getByLabel('Reason or note').inputValue();
  const leaveFreely = (page: Page) => page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
  const decide = async (reportId: string, reviewer: object = QUENTIN) => {
    const { headers } = await client.request('GET', `/api/v1/reports/${reportId}`);
    const ifMatch = { 'if-match': headers.get('etag')! };
    const json = { decision: 'accept', reviewer };
    const path = `/api/v1/reports/${reportId}/reviews`;
    expectStatus(201, await client.request('POST', path, { json, headers: ifMatch }));
  };
  const draftsOf = (reportId: string) =>
    queryDatabase<{ note: string }>(
      gateway.databaseUrl,
      `select work ->> 'note' as note from review_drafts where report_id = $1`,
      [reportId],
    );
  /** What the page asks next is told of the surroundings at once. */
  const lookUp = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('online')));

  it('is there after a reload: outline, scale, note, numbers, ruler and tool', async () => {
    const { page, complaints } = await open((await assess('reload')).id);
    await draw(page);
    await page.getByRole('button', { name: 'Ruler' }).click();
    await page.getByRole('button', { name: 'Point 1 of the ruler' }).press('Shift+ArrowLeft');
    await page.getByLabel('Distance between the points').fill('5,0');
    await page.getByLabel('Unit').selectOption('cm');
    await page.getByRole('button', { name: 'Use this scale' }).click();
    await page.getByLabel('Reason or note').fill('Edge was in the shade ');
    await page.getByText('Other patient or wound').click();
    await page.getByLabel('Patient number').fill('47');
    await saved(page);
    const [drawn, area] = [await outlineOn(page), await page.locator('.desk-figures dd').first().textContent()];
    await page.reload();
    await page.getByText('Your draft of').waitFor();
    expect([await outlineOn(page), await page.locator('.desk-figures dd').first().textContent()]).toEqual([
      drawn,
      area,
    ]);
    expect(await noteOf(page)).toBe('Edge was in the shade ');
    expect(await page.getByLabel('Patient number').inputValue()).toBe('47');
    expect(await page.getByLabel('Distance between the points').inputValue()).toBe('5,0');
    expect(await page.getByLabel('Unit').inputValue()).toBe('cm');
    expect(await page.getByRole('button', { name: 'Ruler', exact: true }).getAttribute('aria-pressed')).toBe('true');
    expect(complaints).toEqual([]);
  });

  it('is of its person alone: a colleague has none, nor has the next nurse in the same tab', async () => {
    const report = await assess('alone');
    const { page } = await open(report.id);
    const untouched = await outlineOn(page);
    await draw(page);
    await saved(page);
    const { page: colleague } = await open(report.id, { person: QUENTIN });
    expect(await outlineOn(colleague)).toBe(untouched);
    const json = { mode: 'review', of: 'report', language: 'en', person: QUENTIN };
    const { body } = await client.request('POST', `/api/v1/reports/${report.id}/review-links`, { json });
    await page.goto(body.url as string);
    await page.locator('.desk-outline').first().waitFor();
    expect(await outlineOn(page)).toBe(untouched);
  });

  it('goes on on a second device, which the first one is told of, and nothing is written over before its person chooses', async () => {
    const report = await assess('devices');
    const { page: desk } = await open(report.id);
    await desk.getByLabel('Reason or note').fill('from the desk');
    await saved(desk);
    const { page: tablet } = await open(report.id, { person: PETRA }, { viewport: { width: 390, height: 844 } });
    await tablet.getByText('Your draft of').waitFor();
    await tablet.getByText('You, in another tab or on another device').waitFor();
    await tablet.getByLabel('Reason or note').fill('from the tablet');
    await saved(tablet);
    await desk.getByLabel('Reason or note').fill('from the desk, longer');
    await desk.getByText('You went on with this draft in another tab').waitFor();
    expect(await draftsOf(report.id)).toEqual([{ note: 'from the tablet' }]);
    await desk.getByRole('button', { name: 'Go on with this one' }).click();
    await saved(desk);
    expect(await draftsOf(report.id)).toEqual([{ note: 'from the desk, longer' }]);
    await lookUp(tablet);
    await tablet.getByRole('button', { name: 'Show the other one' }).click();
    expect(await noteOf(tablet)).toBe('from the desk, longer');
    expect(await draftsOf(report.id)).toEqual([{ note: 'from the desk, longer' }]);
  });

  it('of two tabs asks the one that comes late, and a decision in one ends the draft in both', async () => {
    const report = await assess('tabs');
    const { page: first } = await open(report.id);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator('.desk-handle').first().waitFor();
    await draw(first);
    await saved(first);
    await second.locator('.desk-handle').first().press('ArrowUp');
    await second.getByText('You went on with this draft in another tab').waitFor();
    await second.getByRole('button', { name: 'Show the other one' }).click();
    expect(await outlineOn(second)).toBe(await outlineOn(first));
    await first.getByRole('button', { name: 'Save the correction' }).click();
    await first.getByText('The report is now version 2').waitFor();
    expect(await draftsOf(report.id)).toEqual([]);
    await lookUp(second);
    await second.getByText('You decided “corrected”').waitFor();
    expect(await second.getByRole('button', { name: 'Save the correction' }).isDisabled()).toBe(true);
    await second.getByRole('button', { name: 'Show what was saved' }).click();
    await second.getByRole('button', { name: 'Accept' }).waitFor();
    await eventually('nothing of it is kept', async () => (await draftsOf(report.id)).length === 0);
  });

  it('says while the network is gone that it is not saved and who is there not known, keeps it over a reload, and saves it by itself', async () => {
    const report = await assess('network');
    const { page } = await open(report.id);
    const drafts = '**/draft';
    await page.context().setOffline(true);
    await draw(page);
    await page.getByText('Your draft is not saved. The service was not reached.').waitFor();
    await page.getByText('Until then only this tab has it.').waitFor();
    await lookUp(page);
    await page.getByText('Who else has this report open is not known').waitFor();
    const drawn = await outlineOn(page);
    await page.route(drafts, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await page.context().setOffline(false);
    leaveFreely(page);
    await page.reload();
    await page
      .getByText('What this tab had not saved yet was brought back')
      .or(page.getByText('Your draft is not saved'))
      .first()
      .waitFor();
    expect(await outlineOn(page)).toBe(drawn);
    await page.unroute(drafts);
    await lookUp(page);
    await saved(page);
    expect(await draftsOf(report.id)).toHaveLength(1);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('coordinates');
  });

  it('outlives the end of the session, which leaves nothing on the screen, and says where a link named nobody', async () => {
    const report = await assess('ended');
    const { page } = await open(report.id);
    await draw(page);
    await saved(page);
    const drawn = await outlineOn(page);
    const { page: unnamed } = await open(report.id, {});
    await unnamed.getByLabel('Reason or note').fill('of nobody');
    await saved(unnamed);
    await queryDatabase(gateway.databaseUrl, `update review_links set expires_at = now() - interval '1 second'`, []);
    for (const one of [page, unnamed]) {
      await lookUp(one);
      await one.getByText('This desk has ended').waitFor();
      expect(await one.locator('.desk-photo, .desk-banner, input').count()).toBe(0);
    }
    await page.getByText('Your draft comes back there, on any device.').waitFor();
    await unnamed.getByText('The link of this desk named nobody').waitFor();
    const { page: next } = await open(report.id);
    await next.getByText('Your draft of').waitFor();
    expect(await outlineOn(next)).toBe(drawn);
    expect(await noteOf((await open(report.id, {})).page)).toBe('');
  });

  it('shows a draft of an older version beside what stands, and lets its person put it over that or leave it', async () => {
    const report = await assess('older');
    const { page } = await open(report.id);
    await draw(page);
    await page.getByLabel('Reason or note').fill('kept');
    await saved(page);
    const drawn = await outlineOn(page);
    await decide(report.id);
    const { page: later } = await open(report.id);
    await later.getByText('Somebody was faster: Quentin Quer decided “accepted”').waitFor();
    expect([await outlineOn(later), await noteOf(later)]).toEqual([drawn, 'kept']);
    for (const name of ['Save the correction', 'Reject'])
      expect(await later.getByRole('button', { name }).isDisabled()).toBe(true);
    await later.getByRole('button', { name: 'Put mine over it' }).click();
    await later.getByRole('button', { name: 'Save the correction' }).click();
    await later.getByText('The report is now version 3').waitFor();
    expect(await draftsOf(report.id)).toEqual([]);
  });

  it('tells two reviewers of each other, and lets neither accept what the other has changed unseen', async () => {
    const report = await assess('two');
    const { page: petra } = await open(report.id);
    const { page: quentin } = await open(report.id, { person: QUENTIN });
    await quentin.getByText('Petra Pflege, since').waitFor();
    await lookUp(petra);
    await petra.getByText('Quentin Quer, since').waitFor();
    await draw(quentin);
    await quentin.getByRole('button', { name: 'Save the correction' }).click();
    await quentin.getByText('The report is now version 2').waitFor();
    await lookUp(petra);
    await petra.getByText('Quentin Quer decided “corrected”').waitFor();
    expect(await petra.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
    expect(await petra.locator('.desk-theirs').count()).toBe(1);
    await petra.getByRole('button', { name: 'Show what was saved' }).click();
    expect(await outlineOn(petra)).toBe(await outlineOn(quentin));
    await quentin.close();
    await eventually('he is not named any more', async () => {
      await lookUp(petra);
      return (await petra.getByText('Quentin Quer, since').count()) === 0;
    });
  });

  const HOSTILE_NAME = '<img src=x onerror=alert(1)> O’Übermäßig-Langername';
  let crowded: Promise<{ readonly reportId: string; readonly other: Page }> | undefined;
  /** A report that somebody with a hostile name has open, too, as its own person has in another tab. */
  const crowdedReport = () =>
    (crowded ??= (async () => {
      const { id: reportId } = await assess('axe');
      const [hostile, other] = [
        await open(reportId, { person: { id: 'N-9', name: HOSTILE_NAME } }),
        await open(reportId),
      ];
      kept.push(hostile.page.context(), other.page.context());
      await draw(other.page);
      return { reportId, other: other.page };
    })());

  it.each(languagesRead())(
    'has no barrier in %s, on a phone and a tablet, light and dark, with all of its notices',
    async (language) => {
      const { reportId, other } = await crowdedReport();
      const { page, complaints } = await open(reportId, { person: PETRA, language });
      await other.getByLabel('Reason or note').fill(`written beside ${language}`);
      await eventually('it is saved', async () => (await draftsOf(reportId))[0]?.note === `written beside ${language}`);
      await draw(page);
      await page.locator('section .notice.bad').waitFor();
      await page.getByText(HOSTILE_NAME, { exact: false }).waitFor();
      const read = turnOf(LOOKS, languagesRead().indexOf(language), 2);
      for (const look of LOOKS) {
        const [colorScheme, width, height] = look;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        if (read.has(look)) expect([language, width, await barriersOf(page)]).toEqual([language, width, []]);
        expect([language, width, await isTooWide(page)]).toEqual([language, width, false]);
        const folder = process.env['SUTURA_PICTURES'];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/draft-${language}-${colorScheme}-${width}.png`, fullPage: true });
      }
      expect(complaints).toEqual([]);
    },
  );

  it('outlives a restart of the gateway in the middle of a stroke, and is saved by itself once it is back', async () => {
    const report = await assess('restart');
    const { page } = await open(report.id);
    await draw(page);
    await saved(page);
    const port = Number(new URL(gateway.baseUrl).port);
    const { databaseUrl, dataDir } = gateway;
    await gateway.kill();
    await draw(page);
    await page.getByLabel('Reason or note').fill('while it was away');
    await page.getByText('Your draft is not saved. The service was not reached.').waitFor();
    const drawn = await outlineOn(page);
    const again = await startGateway({ roles: 'api', databaseUrl, dataDir, port });
    try {
      await lookUp(page);
      await saved(page);
      await page.reload();
      await page.getByText('Your draft of').waitFor();
      expect([await outlineOn(page), await noteOf(page)]).toEqual([drawn, 'while it was away']);
      await page.getByRole('button', { name: 'Save the correction' }).click();
      await page.getByText('The report is now version 2').waitFor();
    } finally {
      await again.kill();
    }
  });
});
