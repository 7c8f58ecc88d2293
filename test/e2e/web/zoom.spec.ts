/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { expectStatus } from '../../support/api-client.js';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { orderChange } from '../../support/hl7-hospital.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** A tablet of 1024 × 768 whose reader has set the browser to 200 %. */
const HALVED = { viewport: { width: 512, height: 384 }, deviceScaleFactor: 2 };
const PAGES = [
  ['now', '/'],
  ['connections', '/connections'],
  ['failures', '/failures'],
  ['worklist', '/worklist'],
  ['messages', '/messages'],
  ['held', '/held'],
  ['peers', '/peers'],
  ['organizations', '/organizations'],
] as const;

describeInBrowser('a page at 200 %', () => {
  let ground: ConsoleGround;
  beforeAll(async () => {
    ground = await ConsoleGround.open();
    await ground.hospital.send(orderChange('NEVER-CAME', 'CA', 'Z-1'));
  });
  afterAll(async () => {
    await closeDesks(ground?.browser);
    await ground?.close();
  });

  async function keepPicture(page: Page, name: string): Promise<void> {
    const folder = process.env['SUTURA_PICTURES'];
    if (folder === undefined) return;
    await page.screenshot({ path: `${folder}/zoom-${name}.png` });
    await page.screenshot({ path: `${folder}/zoom-${name}-whole.png`, fullPage: true });
  }
  /** What a reader would have to push sideways, what scrolls within what scrolls, and what is cut off. */
  const faultsOf = (page: Page): Promise<readonly string[]> =>
    page.evaluate(() => {
      const root = document.documentElement;
      const said = (one: Element) =>
        `${one.tagName}.${one.className.toString()} ${one.textContent.trim().slice(0, 40)}`;
      const sideways = root.scrollWidth > innerWidth + 1 ? ['the page scrolls sideways'] : [];
      const faults = [...document.querySelectorAll<HTMLElement>('body *')].flatMap((one) => {
        const { overflowX, overflowY, position, clipPath } = getComputedStyle(one);
        // What is for screen readers alone is cut off on purpose.
        const isShown = one.clientHeight > 1 && one.clientWidth > 1 && clipPath !== 'inset(50%)';
        const isScroller = /auto|scroll/.test(overflowY) && one.scrollHeight > one.clientHeight + 1;
        const isCut =
          (overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1) ||
          (overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 1);
        const { right, left } = one.getBoundingClientRect();
        const isOutside = position === 'fixed' && (right > innerWidth + 1 || left < -1);
        if (!isShown) return [];
        return [
          ...(isScroller ? [`scrolls within the page: ${said(one)}`] : []),
          ...(isCut && one.tagName !== 'svg' ? [`is cut off: ${said(one)}`] : []),
          ...(isOutside ? [`is outside: ${said(one)}`] : []),
        ];
      });
      return [...sideways, ...faults];
    });

  it.each(PAGES)('has all of the console within its width, and one scroll bar: %s', async (name, path) => {
    await ground.pages.open(
      async (page) => {
        await page.setViewportSize(HALVED.viewport);
        await ground.pages.goTo(page, path);
        await page.waitForLoadState('networkidle');
        await keepPicture(page, name);
        expect(await faultsOf(page)).toEqual([]);
      },
      { width: HALVED.viewport.width },
    );
  });

  it('has all of the desk within its width, one scroll bar on each panel, and the decision within reach', async () => {
    const { hospital, browser, gateway } = ground;
    const job = await hospital.client.analyse(await drawWoundPhoto(), {
      subject: { patientId: 'ZOOM', woundId: 'W1' },
      clinicalContext: 'Sacrum, fourth week, dressing changed every second day.',
      calibration: { mmPerPixel: 0.2 },
    });
    const { id } = expectStatus(200, await hospital.client.request('GET', job.links.report)).body as { id: string };
    const { page } = await openReviewDesk(browser, hospital.client, gateway.baseUrl, id, { language: 'de' }, HALVED);
    for (const [at, tab] of [...(await page.getByRole('tab').all()).entries()]) {
      await tab.click();
      await page.waitForLoadState('networkidle');
      await keepPicture(page, `desk-${at}`);
      expect([await tab.textContent(), await faultsOf(page)]).toEqual([await tab.textContent(), []]);
    }
    const accept = page.getByRole('button', { name: 'Annehmen', exact: true });
    await accept.scrollIntoViewIfNeeded();
    await accept.click({ trial: true });
    await keepPicture(page, 'desk-decision');
  });
});
