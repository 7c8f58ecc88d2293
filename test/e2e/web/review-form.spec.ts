import type { Browser, Page } from 'playwright-core';
import { expectStatus, type ApiClient, type Answer } from '../../support/api-client.js';
import { barriersOf, isTooWide, languagesRead, turnOf } from '../../support/barriers.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import type { SharedGateway } from '../../support/gateway.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { EVERYTHING_STATED } from '../../support/stated-sample.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const HOSTILE = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

/** One light, one dark: each of them is read in the one language or in the other. */
const SCREENS = [
  ['light', 390, 844],
  ['dark', 1024, 768],
  ['light', 1440, 900],
  ['dark', 768, 1024],
] as const;

describeInBrowser('the form of the review desk', () => {
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

  async function visit(patientId: string, day: number, wish: object = {}): Promise<Answer['body']> {
    const job = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      capturedAt: new Date(Date.UTC(2025, 0, day, 9)).toISOString(),
      calibration: { mmPerPixel: 0.2 },
      ...wish,
    });
    return expectStatus(200, await client.request('GET', job.links.report)).body;
  }
  const reportOf = async (id: string) => (await client.request('GET', `/api/v1/reports/${id}`)).body;
  const open = (id: string, wish: object = {}, options: object = {}) =>
    openReviewDesk(browser, client, gateway.baseUrl, id, wish, options);
  const tab = async (page: Page, name: string) => {
    await page.getByRole('tab', { name }).click();
    return page.getByRole('tabpanel', { name });
  };
  const saved = (page: Page) => page.getByText('Draft saved at').waitFor();

  it('takes nothing over by itself, and saves nothing that cannot be stated', async () => {
    await visit('form-last', 6, { clinicianObservations: { depthCm: 0.8, odour: 'strong' } });
    const { id } = await visit('form-last', 13);
    const { page, complaints } = await open(id);
    const form = await tab(page, 'Form');
    const depth = form.getByLabel('Depth, cm', { exact: true });
    await form.getByRole('button', { name: /^Last time: 0\.8 cm/ }).waitFor();
    expect(await depth.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await depth.fill('15');
    await form.getByText('15 cm is very deep').waitFor();
    await depth.fill('1.5.');
    await form.getByText('Depth cannot be saved as it is typed').waitFor();
    expect(await page.getByRole('button', { name: 'Accept with the form' }).isDisabled()).toBe(true);
    await depth.fill('');
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes last time over by a tap, keeps what was typed, and saves it with the outline as it was', async () => {
    await visit('form-save', 6, { clinicianObservations: { depthCm: 0.8, tunnelling: [{ clock: 6, depthCm: 2 }] } });
    const before = await visit('form-save', 13, { clinicianObservations: { painNrs: 3, lengthCm: 4 } });
    const { page, complaints } = await open(before.id);
    const form = await tab(page, 'Form');
    await form.getByRole('button', { name: /^Last time: 6 o’clock, 2 cm/ }).click();
    await form.getByLabel('Depth, cm', { exact: true }).fill('1,5');
    await form.getByRole('group', { name: 'Odour' }).getByRole('button', { name: 'strong' }).click();
    await form.getByLabel('fever').selectOption('there');
    await form.getByRole('button', { name: 'Add one: Undermining' }).click();
    await form.getByLabel('Undermining, from').selectOption('11 o’clock');
    await form.getByLabel('Undermining, to').selectOption('1 o’clock');
    await form.getByLabel('Undermining, cm').fill('0.5');
    await form.getByLabel('in the clinician’s words').fill(HOSTILE);
    await saved(page);
    await page.reload();
    await page.getByText('Your draft of').waitFor();
    expect(await page.getByRole('tab', { name: 'Form' }).getAttribute('aria-selected')).toBe('true');
    expect(await form.getByLabel('Depth, cm', { exact: true }).inputValue()).toBe('1,5');
    await page.getByLabel('Your name').fill('Example Nurse');
    await page.getByRole('button', { name: 'Accept with the form' }).click();
    await page.getByText('The report is now version 2').waitFor();
    const { clinicianObservations, findings, review } = await reportOf(before.id);
    expect(clinicianObservations).toEqual({
      painNrs: 3,
      lengthCm: 4,
      depthCm: 1.5,
      tunnelling: [{ clock: 6, depthCm: 2 }],
      odour: 'strong',
      infectionSignCodes: [{ sign: 'fever', status: 'present' }],
      undermining: [{ fromClock: 11, toClock: 1, depthCm: 0.5 }],
      infectionSigns: [HOSTILE],
    });
    expect([findings.outlineSource, findings.figures.area]).toEqual(['model', before.findings.figures.area]);
    expect(review).toMatchObject({ decision: 'correct', reviewer: { name: 'Example Nurse' } });
    expect(await page.title()).not.toBe('owned');
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('leaves to others what they stated meanwhile, in rows that nobody touched here', async () => {
    const { id } = await visit('form-both', 6, { clinicianObservations: { depthCm: 1, painNrs: 2 } });
    const { page } = await open(id);
    const form = await tab(page, 'Form');
    await form.getByLabel('Pain (0 to 10)').selectOption('7');
    const { headers } = await client.request('GET', `/api/v1/reports/${id}`);
    const json = {
      decision: 'correct',
      observations: { depthCm: 4, painNrs: 2 },
      reviewer: { id: 'x', name: 'Other' },
    };
    const sent = { json, headers: { 'if-match': headers.get('etag')! } };
    expectStatus(201, await client.request('POST', `/api/v1/reports/${id}/reviews`, sent));
    await page.getByLabel('Your name').fill('Example Nurse');
    await page.getByRole('button', { name: 'Accept with the form' }).click();
    await page.getByText('What is stated of the wound was changed, too').waitFor();
    await page.getByRole('button', { name: 'Put mine over it' }).click();
    expect(await form.getByLabel('Depth, cm', { exact: true }).inputValue()).toBe('4');
    await page.getByRole('button', { name: 'Accept with the form' }).click();
    await page.getByText('The report is now version 3').waitFor();
    expect((await reportOf(id)).clinicianObservations).toEqual({ depthCm: 4, painNrs: 7 });
  });

  it('records an event, says before what follows, and leaves the outline under way as it is', async () => {
    await visit('form-event', 6);
    const { id } = await visit('form-event', 13);
    const { page, complaints } = await open(id);
    await page.locator('.desk-handle').first().press('Shift+ArrowLeft');
    const drawn = await page.locator('.desk-outline').first().getAttribute('d');
    const panel = await tab(page, 'Events, closing');
    await panel.getByLabel('To be recorded').selectOption('debridement');
    await panel.getByText('is a new baseline of the area').waitFor();
    await panel.getByLabel('When, by the clock of this device').fill('2025-01-10T10:00');
    await panel.getByLabel('Note to it').fill(HOSTILE);
    await saved(page);
    await panel.getByRole('button', { name: 'Record it' }).click();
    await page.getByText('Type your name first.').waitFor();
    await page.getByLabel('Your name').fill('Example Nurse');
    await panel.getByRole('button', { name: 'Record it' }).click();
    await page.getByText('Recorded. Nothing is decided about the report by it.').waitFor();
    await panel.getByText('debridement, Jan 10, 2025').waitFor();
    const report = await reportOf(id);
    expect([report.version, report.status]).toEqual([2, 'preliminary']);
    expect(await page.locator('.desk-outline').first().getAttribute('d')).toBe(drawn);
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('The report is now version 3').waitFor();
    await panel.getByRole('button', { name: /^Take back: debridement/ }).click();
    await panel.getByRole('button', { name: 'Yes, take it back' }).click();
    await panel.getByText('No event is recorded of this wound.').waitFor();
    expect(await page.title()).not.toBe('owned');
    expect(complaints).toEqual([]);
  });

  it('closes a wound for a reason, says before what follows, and opens it again', async () => {
    const { id } = await visit('form-close', 6);
    await visit('form-close', 9);
    const { page, complaints } = await open(id);
    await page.getByLabel('Your name').fill('Example Nurse');
    const panel = await tab(page, 'Events, closing');
    await panel.getByLabel('To be recorded').selectOption('Close the wound');
    const close = panel.getByRole('button', { name: 'Close the wound now' });
    expect(await close.isDisabled()).toBe(true);
    await panel.getByLabel('Why it is closed').selectOption('healed');
    await panel.getByText('The course ends with this, as healed. A later photo still joins this wound.').waitFor();
    await panel.getByText('A newer photo of this wound was taken').waitFor();
    await close.click();
    await panel.getByText('by Example Nurse: healed.').waitFor();
    const woundId = ((await reportOf(id)).links.wound as string).split('/').at(-1)!;
    const woundOf = async () => (await client.request('GET', `/api/v1/wounds/${woundId}`)).body;
    expect(await woundOf()).toMatchObject({ status: 'closed', course: { verdict: 'closed' } });
    await panel.getByLabel('To be recorded').selectOption('Open the wound again');
    await panel.getByRole('button', { name: 'Open the wound again now' }).click();
    await panel.getByText('This wound is open.').waitFor();
    expect((await woundOf()).status).toBe('open');
    expect(complaints).toEqual([]);
  });

  it('is refused before the photo on the screen, and dropped where the wound is closed already', async () => {
    const { id, links } = await visit('form-moot', 6);
    const { page, complaints } = await open(id);
    await page.getByLabel('Your name').fill('Example Nurse');
    const panel = await tab(page, 'Events, closing');
    await panel.getByLabel('To be recorded').selectOption('Close the wound');
    await panel.getByText('by the clock of the service').waitFor();
    await panel.getByLabel('Why it is closed').selectOption('healed');
    await panel.getByLabel('When, by the clock of this device').fill('2025-01-05T10:00');
    const close = panel.getByRole('button', { name: 'Close the wound now' });
    await close.click();
    await page.getByText('This moment lies before the photo on the screen').waitFor();
    await panel.getByLabel('When, by the clock of this device').fill('2025-01-08T10:00');
    await saved(page);
    const json = { decidedAt: '2025-01-07T10:00:00Z', reason: 'amputated', reviewer: { id: 'x', name: 'Other' } };
    expectStatus(200, await client.request('POST', `${links.wound as string}/close`, { json }));
    await close.click();
    await page.getByText('The wound stands already as you were about to record it').waitFor();
    await panel.getByText('by Other: amputated.').waitFor();
    expect(await panel.getByLabel('To be recorded').inputValue()).toBe('');
    expect(await page.getByText('Nothing was recorded').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('counts as no decision: the worklist goes on after one, and not after what was recorded of the wound', async () => {
    const { id } = await visit('form-list', 6);
    const { page } = await open(id);
    await page.evaluate(`sessionStorage.setItem('sutura.worklist', '/console/worklist?environment=live')`);
    await page.reload();
    const next = page.getByRole('link', { name: 'Next in the worklist' });
    await page.getByRole('link', { name: 'Back to the worklist' }).waitFor();
    await page.getByLabel('Your name').fill('Example Nurse');
    const panel = await tab(page, 'Events, closing');
    await panel.getByLabel('To be recorded').selectOption('dressing_change');
    await panel.getByRole('button', { name: 'Record it' }).click();
    await page.getByText('Recorded. Nothing is decided about the report by it.').waitFor();
    expect(await next.count()).toBe(0);
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await next.waitFor();
  });

  it('is recorded, and says so, where the report cannot be read after it', async () => {
    const { id } = await visit('form-unread', 6);
    const { page } = await open(id);
    await page.getByLabel('Your name').fill('Example Nurse');
    const panel = await tab(page, 'Events, closing');
    await panel.getByLabel('To be recorded').selectOption('dressing_change');
    await page.route(`**/reports/${id}`, (route) => route.abort());
    await panel.getByRole('button', { name: 'Record it' }).click();
    await page.getByText('Recorded. The report as it stands now could not be read').waitFor();
    expect(await panel.getByRole('alert').count()).toBe(0);
  });

  it('says of which day a statement is that nobody made anew for this photo', async () => {
    const { id } = await visit('form-day', 9, { clinicianObservations: { depthCm: 1, painNrs: 3 } });
    const { page } = await open(id);
    await page.route(`**/reports/${id}`, async (route) => {
      const response = await route.fetch();
      const report = (await response.json()) as Answer['body'];
      report.clinicianObservations.statedAt = { depthCm: '2025-01-02' };
      await route.fulfill({ response, json: report });
    });
    await page.reload();
    const form = await tab(page, 'Form');
    await form.getByText('In the report since Jan 2, 2025').waitFor();
    expect(await form.getByText('In the report since').count()).toBe(1);
    await form.getByLabel('Depth, cm', { exact: true }).fill('1.2');
    await form.getByRole('button', { name: /^In the report: 1 cm/ }).waitFor();
    expect(await form.getByText('In the report since').count()).toBe(0);
  });

  it.each(languagesRead())('has no barrier that axe finds, and fits each screen, in %s', async (language) => {
    await visit(`form-axe-${language}`, 6, { clinicianObservations: EVERYTHING_STATED });
    const { id } = await visit(`form-axe-${language}`, 13, { clinicianObservations: { depthCm: 0.3 } });
    const { page, complaints } = await open(id, { language });
    for (const [place, name] of ['form', 'wound'].entries()) {
      await page.getByRole('tab').nth(place).press('Enter');
      await page.getByRole('tab').nth(place).click();
      await page.locator(`#desk-panel-${name}`).waitFor();
      // The longest words, and the widths at which they have the least room.
      const screens = SCREENS.slice(0, language === 'en' ? 4 : 2);
      const read = turnOf(screens, place + languagesRead().indexOf(language));
      for (const screen of screens) {
        const [colorScheme, width, height] = screen;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        if (read.has(screen))
          expect([language, name, width, await barriersOf(page)]).toEqual([language, name, width, []]);
        expect([language, name, width, await isTooWide(page)]).toEqual([language, name, width, false]);
        const folder = process.env['SUTURA_PICTURES'];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/form-${language}-${name}-${width}.png`, fullPage: true });
      }
    }
    expect(complaints).toEqual([]);
  });

  it('is read as the report has it where nothing is decided', async () => {
    const { id } = await visit('form-read', 6, { clinicianObservations: { depthCm: 1.2, infectionSigns: ['warm'] } });
    const { page, complaints } = await open(id, { mode: 'read' });
    const panel = page.getByRole('tabpanel', { name: 'Form' });
    await panel.getByText('1.2 cm').waitFor();
    await panel.getByText('warm', { exact: true }).waitFor();
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Form', 'Report']);
    expect(await page.locator('input, select, .desk-decision').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('is not missing where it is not read yet', async () => {
    const { id } = await visit('form-read-late', 6, { clinicianObservations: { depthCm: 1.2 } });
    const { page } = await open(id, { mode: 'read' });
    await page.route('**/course?*', (route) => route.abort());
    await page.reload();
    const panel = page.getByRole('tabpanel', { name: 'Form' });
    await panel.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/course?*');
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByText('1.2 cm').waitFor();
  });

  it('is filled in by keyboard alone', async () => {
    const { id } = await visit('form-keys', 6);
    const { page } = await open(id);
    await page.getByRole('tab', { name: 'Form' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Events, closing' }).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('tab', { name: 'Form' }).getAttribute('aria-selected')).toBe('true');
    await page.getByLabel('Depth, cm', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('0.6');
    await page.getByRole('button', { name: 'Accept with the form' }).waitFor();
    expect(await page.getByLabel('Depth, cm', { exact: true }).inputValue()).toBe('0.6');
  });
});
