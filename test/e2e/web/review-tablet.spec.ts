import type { Browser, Page } from 'playwright-core';
import { expectStatus } from '../../support/api-client.js';
import { barriersOf, isTooWide, languagesRead, turnOf } from '../../support/barriers.js';
import { describeInBrowser, openBrowser, type WatchedPage } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { closeDesks, openReviewDesk, pinch, strokeUntil, TABLET } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const LOOKS = [
  ['light', 375],
  ['dark', 820],
  ['light', 1280],
  ['dark', 2560],
] as const;

describeInBrowser('the review desk on a tablet', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let browser: Browser;
  let photo: Buffer;

  beforeAll(async () => {
    [gateway, browser, photo] = await Promise.all([sharedGateway(), openBrowser(), drawWoundPhoto()]);
    hospital = await Hl7Hospital.open(gateway);
  });
  afterEach(() => closeDesks(browser));
  afterAll(async () => {
    await hospital?.close();
    await browser?.close();
  });

  /** The report of a photo that a message brought, for a patient of its own. */
  async function ordered(order: string): Promise<string> {
    await hospital.send(orderMessage({ order, photo, mrn: order }));
    await hospital.result(order);
    const { items } = (await hospital.client.request('GET', `/api/v1/wounds?patientId=${order}`)).body;
    const { assessments } = (await hospital.client.request('GET', `/api/v1/wounds/${items[0].id}/timeline`)).body;
    return assessments[0].reportId as string;
  }
  async function assess(patientId: string, day = 6, calibration: object | null = { mmPerPixel: 0.2 }) {
    const capturedAt = new Date(Date.UTC(2025, 0, day, 9)).toISOString();
    const job = await hospital.client.analyse(photo, {
      subject: { patientId, woundId: 'W1' },
      capturedAt,
      ...(calibration === null ? {} : { calibration }),
    });
    return expectStatus(200, await hospital.client.request('GET', job.links.report)).body;
  }
  const open = (reportId: string, wish: object = {}, options: object = { hasTouch: true }): Promise<WatchedPage> =>
    openReviewDesk(browser, hospital.client, gateway.baseUrl, reportId, wish, options);
  const areaOn = async (page: Page): Promise<number> =>
    Number.parseFloat((await page.locator('.desk-figures dd').first().textContent())!);
  const read = async (id: string) => (await hospital.client.request('GET', `/api/v1/reports/${id}`)).body;

  it('lets a nurse paint a correction with a finger in under a minute; report, FHIR resource and ORU follow', async () => {
    const id = await ordered('TAB-1');
    const begun = performance.now();
    const { page, complaints } = await open(id);
    const before = await areaOn(page);
    await page.getByRole('button', { name: 'Brush +' }).tap();
    const along = [
      [0.45, 0.5],
      [0.6, 0.5],
      [0.75, 0.52],
    ] as const;
    await strokeUntil(page, along, 'the area grew', async () => (await areaOn(page)) > before * 1.02);
    const shown = await areaOn(page);
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByRole('button', { name: 'Save the correction' }).tap();
    await page.getByText('The report is now version 2').waitFor();
    expect(performance.now() - begun).toBeLessThan(60_000);
    const saved = await read(id);
    expect(saved.findings).toMatchObject({ outlineSource: 'reviewer_contour' });
    expect(saved.findings.figures.area.cm2.value).toBe(shown);
    await eventually('the resource to follow', async () => {
      const { meta } = await hospital.read<{ meta: { versionId: string } }>(`DiagnosticReport/${id}`);
      return meta.versionId === '2';
    });
    const amended = await hospital.result('TAB-1', 2);
    expect(amended).toContain(`|${shown.toFixed(2)}|`);
    expect(amended).toContain('Outline corrected by a clinician');
    expect(complaints).toEqual([]);
  });

  it('makes the photo larger by two fingers, draws nothing meanwhile, and paints where the finger then is', async () => {
    const report = await assess('pinch');
    const { page } = await open(report.id);
    await page.getByRole('button', { name: 'Brush −' }).tap();
    const widthOf = async () => (await page.locator('.desk-photo').boundingBox())!.width;
    const [before, width] = [await areaOn(page), await widthOf()];
    await pinch(page, 100, 300);
    expect((await widthOf()) / width).toBeGreaterThan(2);
    expect(await areaOn(page)).toBe(before);
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    const through = [
      [0.48, 0.5],
      [0.52, 0.5],
    ] as const;
    await strokeUntil(page, through, 'something was rubbed out', async () => (await areaOn(page)) < before);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await eventually('it is back', async () => (await areaOn(page)) === before);
    await page.getByRole('button', { name: 'Redo' }).tap();
    await eventually('it is gone again', async () => (await areaOn(page)) < before);
  });

  it('leaves the outline as it was where two fingers begin on a point, and where one only taps it', async () => {
    const report = await assess('pinched-point');
    const { page } = await open(report.id);
    const outlineOf = () => page.locator('.desk-outline').first().getAttribute('d');
    const drawn = await outlineOf();
    const box = (await page.locator('.desk-handle').first().boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = await page.context().newCDPSession(page);
    const send = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number; id: number }[]
    ) => touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', { x, y, id: 0 });
    await send('touchEnd');
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await send('touchStart', { x, y, id: 0 });
    await send('touchMove', { x: x + 12, y, id: 0 });
    await eventually('the point moved', async () => (await outlineOf()) !== drawn);
    await send('touchStart', { x: x + 12, y, id: 0 }, { x: x + 90, y, id: 1 });
    await send('touchMove', { x: x + 8, y, id: 0 }, { x: x + 120, y, id: 1 });
    await send('touchEnd');
    await eventually('the move is taken back', async () => (await outlineOf()) === drawn);
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Accept' }).waitFor();
  });

  it('keeps its points while one is dragged by a mouse, and moves nothing once it is let go', async () => {
    const { page } = await open((await assess('dragged')).id, {}, {});
    const handles = page.locator('.desk-handle');
    await handles.first().waitFor();
    const [count, area] = [await handles.count(), await areaOn(page)];
    const middleOf = async (place: number) => {
      const { x, y, width, height } = (await handles.nth(place).boundingBox())!;
      return [x + width / 2, y + height / 2] as const;
    };
    const from = await middleOf(0);
    await page.mouse.move(...from);
    await page.mouse.down();
    for (let step = 1; step <= 8; step += 1) {
      await page.mouse.move(from[0] + 8 * step, from[1] - 8 * step);
      expect(await handles.count()).toBe(count);
    }
    await page.mouse.up();
    const moved = await areaOn(page);
    expect(moved).not.toBe(area);
    const other = await middleOf(3);
    for (const aside of [0, 6, 12]) await page.mouse.move(other[0] + aside, other[1] + aside);
    expect(await areaOn(page)).toBe(moved);
  });

  it('sets a scale by two points of a ruler, by keyboard alone, and the saved report says who set it', async () => {
    const report = await assess('ruler', 6, null);
    expect(report.findings.figures.area.cm2).toBeNull();
    const { page } = await open(report.id);
    await page.getByRole('button', { name: 'Ruler' }).press('Enter');
    await page.getByRole('button', { name: 'Point 1 of the ruler' }).press('Shift+ArrowLeft');
    const distance = page.getByLabel('Distance between the points');
    await distance.fill('0,01');
    await page.getByText('No photo of a wound has this scale').waitFor();
    expect(await page.getByRole('button', { name: 'Use this scale' }).isDisabled()).toBe(true);
    await distance.fill('5,0');
    await page.getByLabel('Unit').selectOption('cm');
    await page.getByRole('button', { name: 'Use this scale' }).press('Enter');
    const shown = await areaOn(page);
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByRole('button', { name: 'Save the correction' }).press('Enter');
    await page.getByText('The report is now version 2').waitFor();
    const { findings } = await read(report.id);
    expect(findings).toMatchObject({ outlineSource: 'model', scale: { source: 'reviewer', uncertaintyPct: 2 } });
    expect(findings.figures.area.cm2.value).toBe(shown);
    const text = await hospital.client.request('GET', `/api/v1/reports/${report.id}`, {
      headers: { accept: 'text/plain' },
    });
    expect(text.bytes.toString('utf8')).toContain('set by a clinician in the photo');
  });

  it.each(languagesRead())('has everything on one screen of a tablet, held either way, in %s', async (language) => {
    await assess(`screen-${language}`, 6);
    const { id } = await assess(`screen-${language}`, 13);
    const { page } = await open(id, { language, of: 'wound' });
    for (const part of ['.desk-banner', '.desk-verdict', '.desk-photo']) await page.locator(part).waitFor();
    for (const [width, height, leastPx] of [
      [1024, 768, 520],
      [820, 1180, 400],
      [1440, 900, 520],
    ] as const) {
      await page.setViewportSize({ width, height });
      const shown = await page.evaluate(() => ({
        height: document.documentElement.scrollHeight,
        view: document.querySelector('.desk-view')!.getBoundingClientRect().toJSON() as Record<
          'width' | 'height',
          number
        >,
        isSeen: ['.desk-banner', '.desk-verdict', '.desk-figures', '.desk-tabs', '.desk-decision'].map((part) => {
          const { top, bottom } = document.querySelector(part)!.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
      }));
      const leastShownPx = Math.min(leastPx, shown.view.width, shown.view.height);
      expect({ language, width, height: shown.height, leastShownPx, isSeen: shown.isSeen }).toEqual({
        language,
        width,
        height,
        leastShownPx: leastPx,
        isSeen: [true, true, true, true, true],
      });
    }
  });

  it('asks before it leaves a photo, however soon the next key follows the change', async () => {
    await assess('hurried', 6);
    const { page } = await open((await assess('hurried', 13)).id, { of: 'wound' });
    await page.locator('.desk-handle').first().waitFor();
    await page.getByLabel('Photos of this wound').waitFor();
    // Both in one task of the browser, as on a busy tablet: React has taken the change and not yet rendered the page.
    await page.evaluate(async () => {
      const handle = document.querySelector('.desk-handle')!;
      handle.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
      await Promise.resolve();
      const slider = document.querySelector('input.desk-slider')!;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(slider, '0');
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.getByText('You have not decided about your changes to this photo.').waitFor();
  });

  it('leaves a photo with unsaved work only on a word, keeps it over a reload, and shows two photos side by side', async () => {
    const [first, second] = [await assess('series', 6), await assess('series', 13)];
    const { page, complaints } = await open(second.id, { of: 'wound' });
    await page.locator('.desk-handle').first().press('ArrowLeft');
    await page.getByLabel('Photos of this wound').press('ArrowLeft');
    await page.getByText('You have not decided about your changes to this photo.').waitFor();
    await page.getByRole('button', { name: 'Stay here' }).tap();
    page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText(/Your draft of|What this tab had not saved/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.getByRole('tab', { name: 'Side by side' }).tap();
    await page.getByText('Both photos at one scale').waitFor();
    await page.locator('.desk-compared').nth(1).waitFor();
    expect(await page.locator('.desk-pair .desk-outline').count()).toBe(2);
    await page.getByRole('tab', { name: 'Course' }).tap();
    await page.getByRole('button', { name: new Date(first.capturedAt).toLocaleDateString('en') }).tap();
    await page.locator('.desk-figures dd').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes a photo that a colleague gives away out of the comparison, which never covers the way to the others', async () => {
    const [first, second] = [await assess('compared', 6), await assess('compared', 13)];
    const third = await assess('compared', 20);
    await assess('compared-for', 6);
    const { page } = await open(third.id, { of: 'wound' });
    await page.getByRole('tab', { name: 'Side by side' }).tap();
    await page.locator('.desk-compared').nth(1).waitFor();
    await page.getByRole('button', { name: 'Larger, over the photo' }).tap();
    for (const [width, height] of [
      [1024, 768],
      [820, 1180],
    ] as const) {
      await page.setViewportSize({ width, height });
      const [slider, wide] = await Promise.all(
        ['.desk > .desk-series', '.desk-beside.wide'].map((part) => page.locator(part).boundingBox()),
      );
      expect(slider!.y).toBeGreaterThanOrEqual(wide!.y + wide!.height);
    }
    const giveAway = async (reportId: string) => {
      const json = {
        decision: 'reassign',
        reviewer: { id: 'N-1', name: 'Nurse Beispiel' },
        note: 'The photo is of somebody else.',
        subject: { patientId: 'compared-for', woundId: `W-${reportId}` },
      };
      const headers = { 'if-match': '"1.x"' };
      expectStatus(
        201,
        await hospital.client.request('POST', `/api/v1/reports/${reportId}/reviews`, { json, headers }),
      );
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
    };
    await giveAway(second.id);
    await page.getByText('This report is not here any more').waitFor();
    expect(await page.locator('.desk-compared').count()).toBe(1);
    // With nothing to compare it with, the photo is on the screen again.
    await giveAway(first.id);
    await page.locator('.desk-photo').waitFor();
    expect(await page.getByRole('tab', { name: 'Side by side' }).count()).toBe(0);
  });

  it('gives a photo to another patient after both numbers were shown, and nothing of that patient comes back', async () => {
    const [report] = [await assess('mistaken'), await assess('right-one')];
    const { page } = await open(report.id);
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByText('Other patient or wound').tap();
    await page.getByLabel('Patient number').fill('nobody');
    await page.getByLabel('Wound number').fill('W1');
    await page.getByRole('button', { name: 'Look at it once more' }).tap();
    await page.getByText('Say why in the note.').waitFor();
    await page.getByLabel('Reason or note').fill('Photographed at the wrong bed.');
    await page.getByRole('button', { name: 'Look at it once more' }).tap();
    await page.getByRole('button', { name: 'Yes, reassign' }).tap();
    await page.getByText('No patient has this number here.').waitFor();
    await page.getByLabel('Patient number').fill('right-one');
    await page.getByRole('button', { name: 'Look at it once more' }).tap();
    await page.getByText('will be given to patient right-one, wound W1').waitFor();
    await page.getByRole('button', { name: 'Yes, reassign' }).tap();
    await page.getByText('Given to patient right-one, wound W1.').waitFor();
    const now = await read(report.id);
    expect(now.status).toBe('entered-in-error');
    expect((await read(now.replacedBy)).subject.patient.id).toBe('right-one');
  });

  it('says what became of a photo that leaves the desk, by a colleague or by the own decision, and leads back to the others', async () => {
    const first = await assess('leaving', 6);
    const [second, third] = [await assess('leaving', 13), await assess('leaving', 20)];
    await assess('leaving-for', 6);
    const { page } = await open(first.id, { of: 'wound' });
    const slider = page.getByLabel('Photos of this wound');
    const isShown = (day: string) =>
      page.locator('.desk-seen h2').getByText(new Date(day).toLocaleDateString('en')).waitFor();
    await slider.press('End');
    await isShown(third.capturedAt);
    const given = await hospital.client.request('POST', `/api/v1/reports/${third.id}/reviews`, {
      json: {
        decision: 'reassign',
        reviewer: { id: 'N-1', name: 'Nurse Beispiel' },
        note: 'The photo is of somebody else.',
        subject: { patientId: 'leaving-for', woundId: 'W1' },
      },
      headers: { 'if-match': '"1.x"' },
    });
    expectStatus(201, given);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByText('This report is not here any more').waitFor();
    expect(await page.locator('.desk-photo, .desk-handle').count()).toBe(0);
    await page.getByRole('button', { name: new Date(second.capturedAt).toLocaleDateString('en') }).tap();
    await isShown(second.capturedAt);
    await page.getByLabel('Your name').fill('Petra Pflege');
    await page.getByLabel('Reason or note').fill('Out of focus.');
    await page.getByRole('button', { name: 'Reject' }).tap();
    await page.getByText('The report is now version 2 (withdrawn).').waitFor();
    expect(await page.getByText('This report is not here any more').count()).toBe(0);
    await page.getByRole('button', { name: new Date(first.capturedAt).toLocaleDateString('en') }).tap();
    await isShown(first.capturedAt);
  });

  it.each(languagesRead())(
    'has no barrier in %s at any width, light and dark, whatever a name says',
    async (language) => {
      const payload = '<img src=x onerror=alert(1)>';
      const report = await assess(`axe-${language}`);
      const json = { decision: 'accept', reviewer: { id: 'N-1', name: payload }, note: payload };
      const headers = { 'if-match': '"1.x"' };
      const { page, complaints } = await open(report.id, { language, of: 'wound' });
      const path = `/api/v1/reports/${report.id}/reviews`;
      expectStatus(201, await hospital.client.request('POST', path, { json, headers }));
      await page.locator('.desk-toolbar button').nth(1).tap();
      await page.locator('section.desk-panel input').first().fill(payload);
      // The desk hears of the other decision at its own, or before by itself: then it takes none.
      const isTold = page.getByText(payload).first().waitFor();
      const tap = page.locator('section.desk-panel .button.primary').tap();
      await Promise.race([tap.catch(() => isTold), isTold]);
      await isTold;
      const read = turnOf(LOOKS, languagesRead().indexOf(language), 2);
      for (const look of LOOKS) {
        const [colorScheme, width] = look;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: TABLET.height });
        if (read.has(look)) expect([language, width, await barriersOf(page)]).toEqual([language, width, []]);
        expect([language, width, await isTooWide(page)]).toEqual([language, width, false]);
        const folder = process.env['SUTURA_PICTURES'];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/desk-${language}-${colorScheme}-${width}.png` });
      }
      expect(complaints).toEqual([]);
    },
  );
});
