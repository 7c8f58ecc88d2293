/// <reference lib="dom" />
import { expectStatus } from '../../support/api-client.js';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import type { ConsolePages } from '../../support/console-pages.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { failedJob } from '../../support/failed-job.js';
import type { Gateway } from '../../support/gateway.js';
import { fieldOf, orderMessage, type Hl7Hospital } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

let ground: ConsoleGround;
let gateway: Gateway;
let pages: ConsolePages;
let hospital: Hl7Hospital;

beforeAll(async () => {
  ground = await ConsoleGround.open();
  ({ gateway, pages, hospital } = ground);
});
afterAll(() => ground?.close());

describeInBrowser('what waits for a person, on the console', () => {
  beforeAll(async () => {
    const photos = await Promise.all([drawWoundPhoto({ seed: 1 }), drawWoundPhoto({ seed: 2, width: 320 })]);
    const order = (number: string, pid: string, photo: Buffer): string =>
      orderMessage({ order: number, photo, wound: '1' }).replace(/\rPID\|[^\r]*/, `\rPID|1||4711||${pid}|F`);
    await hospital.send(order('N-1', 'Meier^Anna||19500101', photos[0]));
    await hospital.result('N-1');
    await hospital.send(order('S-1', 'Schulz^Bernd||19801231', photos[1]));
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

describeInBrowser('the console, while something comes between', () => {
  let imageId: string;

  beforeAll(async () => {
    const ticket = expectStatus(201, await hospital.client.request('POST', '/api/v1/images/upload-url')).body;
    imageId = ticket.imageId as string;
  });

  it('shows the login in every tab once somebody logs out in one of them, and who logs in afterwards', async () => {
    await pages.open(async (page, context) => {
      const other = await context.newPage();
      await other.goto(`${gateway.baseUrl}/console/search?q=${imageId}`);
      await other.getByRole('heading', { level: 2 }).first().waitFor();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel('Password').waitFor();
      await other.getByLabel('Password').waitFor();
      expect(await other.getByText(imageId).count()).toBe(0);
      await pages.logIn(page, 'ada');
      await other.getByRole('searchbox').waitFor();
    });
  });

  it('says that the service was not reached, and shows what was asked for by itself once it is', async () => {
    await pages.open(async (page, context) => {
      await context.setOffline(true);
      await pages.search(page, imageId);
      const notices = page.getByRole('alert').filter({ hasText: 'was not reached' });
      await notices.first().waitFor();
      await context.setOffline(false);
      await notices.first().waitFor({ state: 'detached' });
      expect(await notices.count()).toBe(0);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
    });
  });

  it('shows what was searched for last, though the answer of an earlier search comes later', async () => {
    await pages.open(async (page) => {
      let answer: () => void = () => undefined;
      const held = new Promise<void>((go) => (answer = go));
      await page.route(/\/admin\/v1\/[^?]*\?.*SLOW-1/, async (route) => {
        await held;
        await route.continue().catch(() => undefined);
      });
      const asked = page.waitForRequest(/SLOW-1/);
      await pages.search(page, 'SLOW-1');
      await asked;
      await pages.search(page, imageId);
      await page.getByText(imageId).first().waitFor();
      answer();
      await page.waitForLoadState('networkidle');
      expect(await page.getByText('Nothing here has the number').count()).toBe(0);
      expect(await page.getByText(imageId).count()).toBeGreaterThan(0);
    });
  });
});

describeInBrowser('a failed analysis in the console', () => {
  it('is done again by a button, which goes with its advice once it was pressed', async () => {
    const id = await failedJob(hospital.client, gateway.databaseUrl);
    await pages.open(async (page) => {
      await pages.search(page, id);
      const advice = page.getByRole('note').getByText('“Analyse again” makes a new job');
      await advice.waitFor();
      const button = page.getByRole('button', { name: 'Analyse again' });
      await button.click();
      await button.waitFor({ state: 'detached' });
      await advice.waitFor({ state: 'detached' });
    });
    const made = 'select status from analysis_jobs where retry_of = $1';
    await eventually('the new job is done', async () => {
      const [job] = await queryDatabase<{ status: string }>(gateway.databaseUrl, made, [id]);
      return job?.status === 'completed';
    });
  });
});
