import type { Browser } from 'playwright-core';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { CountedActions } from '../../support/counted-actions.js';
import { ALL_SCOPES, type SharedGateway } from '../../support/gateway.js';
import { closeDesks, openReviewDesk, strokeUntil } from '../../support/review-browser.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PETRA = { id: 'N-1', name: 'Petra Pflege' };
/** A tablet held across, by touch alone. */
const TABLET = { hasTouch: true, viewport: { width: 1024, height: 768 } };
/** Set before the page was built. */
const MOST = 12;

describeInBrowser('a list of reports at the review desk', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let browser: Browser;
  let photo: Buffer;
  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([sharedGateway(), openBrowser(), drawWoundPhoto()]);
    const organizationId = await gateway.createOrganization();
    // Whose links name the person who signs.
    const json = { environment: 'test', scopes: ALL_SCOPES, namesPersons: true };
    const made = await gateway.admin('POST', `/organizations/${organizationId}/keys`, json);
    client = new ApiClient(gateway.baseUrl, expectStatus(201, made).body.key as string);
  });
  afterEach(() => closeDesks(browser));
  afterAll(() => browser?.close());

  async function visit(patientId: string, day: number, wish: object = {}): Promise<string> {
    const { links } = await client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      capturedAt: new Date(Date.UTC(2025, 0, day, 9)).toISOString(),
      calibration: { mmPerPixel: 0.2 },
      ...wish,
    });
    return (expectStatus(200, await client.request('GET', links.report)).body as { id: string }).id;
  }
  const reportOf = async (id: string): Promise<Answer['body']> =>
    expectStatus(200, await client.request('GET', `/api/v1/reports/${id}`)).body;

  it(`takes a nurse no more than ${MOST} actions, by touch alone, to correct, fill the form, sign and go to the next`, async () => {
    await visit('list-first', 6, { clinicianObservations: { depthCm: 0.8 } });
    const [first, second] = [await visit('list-first', 13), await visit('list-second', 13)];
    const wish = { of: 'list', reports: [first, second], person: PETRA };
    const { page, complaints } = await openReviewDesk(browser, client, gateway.baseUrl, first, wish, TABLET);
    const actions = new CountedActions(page);
    const area = async () => Number.parseFloat((await page.locator('.desk-figures dd').first().textContent())!);
    const before = await area();
    await actions.tap(page.getByRole('button', { name: 'Brush +' }));
    const along = [
      [0.45, 0.5],
      [0.6, 0.5],
      [0.75, 0.52],
    ] as const;
    await actions.once(() => strokeUntil(page, along, 'the area grew', async () => (await area()) > before * 1.02));
    await actions.tap(page.getByRole('tab', { name: 'Form' }));
    const form = page.getByRole('tabpanel', { name: 'Form' });
    await actions.tap(form.getByRole('button', { name: /^Last time: 0\.8 cm/ }));
    await actions.tap(form.getByRole('group', { name: 'Odour' }).getByRole('button', { name: 'strong' }));
    await actions.tap(page.getByRole('button', { name: 'Save the correction' }));
    await page.getByText('The report is now version 2').waitFor();
    await actions.tap(page.getByRole('button', { name: 'Next that waits' }));
    await page.getByText('Report 2 of 2').waitFor();
    await page.getByText('No other one of this list waits.').waitFor();
    expect(actions.done).toBeLessThanOrEqual(MOST);
    expect(await reportOf(first)).toMatchObject({
      clinicianObservations: { depthCm: 0.8, odour: 'strong' },
      findings: { outlineSource: 'reviewer_contour' },
      review: { decision: 'correct', reviewer: PETRA },
    });
    const folder = process.env['SUTURA_PICTURES'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/list-next.png` });
    expect(complaints).toEqual([]);
  });

  it.each([
    ['while the decision is sent', '**/reviews*', 'POST'],
    ['while what was decided is read', '**/reports/*', 'GET'],
  ] as const)('goes to the next where that is tapped %s', async (_, address, method) => {
    const [first, second] = [await visit(`early-${method}-1`, 13), await visit(`early-${method}-2`, 13)];
    const wish = { of: 'list', reports: [first, second], person: PETRA };
    const { page, complaints } = await openReviewDesk(browser, client, gateway.baseUrl, first, wish, TABLET);
    await page.locator('.desk-handle').first().press('Shift+ArrowLeft');
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(address, async (route) => {
      if (route.request().method() === method) await mayGoOn;
      await route.continue();
    });
    const asked = page.waitForRequest(
      (request) => request.method() === method && /\/(?:reviews|reports\/[^/?]+)(?:\?|$)/.test(request.url()),
    );
    await page.getByRole('button', { name: 'Save the correction' }).tap();
    await asked;
    await page.getByRole('button', { name: 'Next that waits' }).tap();
    goOn();
    await page.getByText('Report 2 of 2').waitFor();
    await page.getByText('No other one of this list waits.').waitFor();
    expect(await page.getByText(/Somebody was faster|You decided/).count()).toBe(0);
    expect(await reportOf(first)).toMatchObject({ version: 2, review: { decision: 'correct', reviewer: PETRA } });
    expect(complaints).toEqual([]);
  });

  it('tells after a decision what became of the others meanwhile', async () => {
    const [first, second, third] = [await visit('mark-1', 13), await visit('mark-2', 13), await visit('mark-3', 13)];
    const wish = { of: 'list', reports: [first, second, third], person: PETRA };
    const { page, complaints } = await openReviewDesk(browser, client, gateway.baseUrl, first, wish, TABLET);
    // A colleague signs the next that the page has.
    const json = { decision: 'accept', reviewer: { id: 'N-2', name: 'Karl Kollege' } };
    const headers = { 'if-match': (await client.request('GET', `/api/v1/reports/${second}`)).headers.get('etag')! };
    expectStatus(201, await client.request('POST', `/api/v1/reports/${second}/reviews`, { json, headers }));
    await page.getByRole('button', { name: 'Accept', exact: true }).tap();
    await page.getByText('The report is now version 2').waitFor();
    const list = page.getByRole('combobox', { name: /Report 1 of 3/ });
    await list.getByText(/^✓ mark-1/).waitFor({ state: 'attached' });
    expect(await list.locator('option').allTextContents()).toEqual([
      expect.stringMatching(/^✓ mark-1/),
      expect.stringMatching(/^✓ mark-2/),
      expect.stringMatching(/^mark-3/),
    ]);
    await page.getByRole('button', { name: 'Next that waits' }).tap();
    await page.getByText('Report 3 of 3').waitFor();
    expect(complaints).toEqual([]);
  });
});
