import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from './eventually.js';
import { expectStatus, type ApiClient } from './api-client.js';
import { WatchedPage } from './browser.js';

export const TABLET = { width: 820, height: 1180 };

/** Opens the desk of a report as a person's browser does, and waits for its figures. */
export async function openReviewDesk(
  browser: Browser,
  client: ApiClient,
  baseUrl: string,
  reportId: string,
  wish: object = {},
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const json = { mode: 'review', of: 'report', language: 'en', ...wish };
  const made = await client.request('POST', `/api/v1/reports/${reportId}/review-links`, { json });
  const { url } = expectStatus(201, made).body as { readonly url: string };
  const context = await browser.newContext({ viewport: TABLET, ...options });
  const watched = await WatchedPage.open(context, baseUrl);
  await watched.page.goto(url);
  await watched.page.locator('.desk-figures dd').first().waitFor();
  return watched;
}

/** Closes the desks of a test, which would go on asking the gateway who else is there. */
export async function closeDesks(browser: Browser | undefined, kept: readonly BrowserContext[] = []): Promise<void> {
  const closing = browser?.contexts().filter((context) => !kept.includes(context)) ?? [];
  await Promise.all(closing.map((context) => context.close()));
}

/** A stroke of one finger over the photo; places are shares of its width and height. */
async function strokeByTouch(page: Page, path: readonly (readonly [number, number])[]): Promise<void> {
  const box = (await page.locator('.desk-photo').boundingBox())!;
  const touch = await page.context().newCDPSession(page);
  const points = path.map(([x, y]) => ({ x: box.x + x * box.width, y: box.y + y * box.height }));
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [points[0]!] });
  for (const point of points.slice(1))
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** The same, until something came of it: on a machine that is too busy Chromium cancels a touch, which draws nothing, and a person does it again. */
export async function strokeUntil(
  page: Page,
  path: readonly (readonly [number, number])[],
  what: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await strokeByTouch(page, path);
    try {
      await eventually(what, isSo, 20_000);
      return;
    } catch (fault) {
      if (attempt === 3) throw fault;
    }
  }
}

/** Two fingers that move apart around the middle of the photo. */
export async function pinch(page: Page, fromPx: number, toPx: number): Promise<void> {
  const box = (await page.locator('.desk-view').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = await page.context().newCDPSession(page);
  const fingers = (apart: number) => [
    { x: x - apart / 2, y, id: 0 },
    { x: x + apart / 2, y, id: 1 },
  ];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [fingers(fromPx)[0]!] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(fromPx) });
  for (let step = 1; step <= 8; step += 1)
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: fingers(fromPx + ((toPx - fromPx) * step) / 8),
    });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
