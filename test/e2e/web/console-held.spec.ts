/// <reference lib="dom" />
import type { Browser } from 'playwright-core';
import { AdminBrowser } from '../../support/admin-browser.js';
import { expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { ConsolePages } from '../../support/console-pages.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describeInBrowser('what waits for a person, on the console', () => {
  let gateway: Gateway;
  let browser: Browser;
  let pages: ConsolePages;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway({ env: { TRUST_PROXY: 'loopback' } }), openBrowser()]);
    pages = new ConsolePages(gateway, browser);
    hospital = await Hl7Hospital.open(gateway);
    const organizationId = hospital.organizationId;
    const invited: { name: string; setupCode: string }[] = [];
    for (const user of [
      { name: 'vera', roles: [{ organizationId, role: 'viewer' }] },
      { name: 'ada', installationAdmin: true },
    ])
      invited.push(expectStatus(201, await gateway.admin('POST', '/users', user)).body as (typeof invited)[number]);
    for (const one of invited) await new AdminBrowser(gateway).enter(one);
    const photos = await Promise.all([drawWoundPhoto({ seed: 1 }), drawWoundPhoto({ seed: 2, width: 320 })]);
    const order = (number: string, pid: string, photo: Buffer): string =>
      orderMessage({ order: number, photo, wound: '1' }).replace(/\rPID\|[^\r]*/, `\rPID|1||4711||${pid}|F`);
    await hospital.send(order('N-1', 'Meier^Anna||19500101', photos[0]));
    await hospital.result('N-1');
    await hospital.send(order('S-1', 'Schulz^Bernd||19801231', photos[1]));
  });
  afterAll(async () => {
    await hospital?.close();
    await browser?.close();
    await gateway?.stop();
  });

  it('is shown to whoever may only look, without a way to decide', () =>
    pages.open(
      async (page) => {
        await pages.goTo(page, '/held');
        await page.getByRole('row', { name: /^Perhaps another person/ }).click();
        await page.getByText('A person with the role reviewer').waitFor();
        expect(await page.getByRole('button', { name: 'It is another person' }).count()).toBe(0);
        expect(await page.getByRole('main').innerText()).not.toMatch(/Meier|Schulz|4711|1980/);
        expect(await pages.barriersOf(page)).toEqual([]);
      },
      { name: 'vera' },
    ));

  it('is among what needs a person now, is decided there, and leaves as the right person’s result', () =>
    pages.open(async (page) => {
      const need = page.locator('.needs li').filter({ hasText: '1 thing waits for a person' });
      await need.getByRole('link', { name: 'Decide about them' }).click();
      await page.getByRole('row', { name: /^Perhaps another person/ }).click();
      await page.getByText('say first whose number it is').waitFor();
      expect(await pages.barriersOf(page)).toEqual([]);
      await page.getByLabel('Why').fill('A patient of the southern house.');
      await page.getByLabel('Whose number it is').fill('urn:oid:2.999.2');
      await page.getByRole('button', { name: 'It is another person' }).click();
      await page.getByRole('group', { name: 'It is another person' }).getByText('filed under a record').waitFor();
      await page.getByRole('group').getByRole('button', { name: 'It is another person' }).click();
      await page.getByText('Nothing waits.').waitFor();
      const result = await hospital.result('S-1');
      expect(fieldOf(result, 'PID', 5).split('^').slice(0, 2)).toEqual(['Schulz', 'Bernd']);
      await pages.goTo(page, '/');
      await eventually('the need to be gone', async () => (await need.count()) === 0);
    }));
});
