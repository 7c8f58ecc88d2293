import { v7 } from 'uuid';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MAKE = `insert into hl7_destinations (id, organization_id, environment, name, settings, created_at)
  values ($1, $2, 'test', 'dead EHR', $3, now())`;
const ALL_IS_WELL = 'Nothing. Every part was asked and answered';

describeInBrowser('what needs a person now', () => {
  let ground: ConsoleGround;
  beforeAll(async () => {
    ground = await ConsoleGround.open();
  });
  afterAll(() => ground?.close());

  it('is not called nothing to somebody for whom not everything was looked for', async () => {
    const { pages } = ground;
    await pages.open(
      async (page) => {
        await page.getByText(/Not shown to you: disks, back-ups/).waitFor();
        await page.getByText(/you lack the role, not shown either: refused messages and failed analyses/).waitFor();
        expect(await page.getByText(ALL_IS_WELL).count()).toBe(0);
      },
      { name: 'vera' },
    );
    await pages.open(async (page) => {
      const well = page.getByRole('region', { name: 'Looked at' });
      await well.getByText('The database answers and takes writes').waitFor();
      await well.getByText('1 worker process has loaded a model').waitFor();
      expect(await page.getByText('Not shown to you').count()).toBe(0);
    });
  });

  it('names a receiver that takes nothing, and since when, to every role; and so does its card', async () => {
    const { gateway, hospital, organizationId, pages } = ground;
    const id = v7();
    await queryDatabase(gateway.databaseUrl, MAKE, [id, organizationId, { host: '127.0.0.1', port: await freePort() }]);
    await queryDatabase(gateway.databaseUrl, 'select pg_notify($1, $2)', ['sutura_hl7_changed', 'hl7_destinations']);
    await hospital.send(orderMessage({ order: 'N-1', photo: await drawWoundPhoto(), mrn: 'N-1' }));
    await hospital.result('N-1');
    await eventually('the receiver was asked once', async () => {
      const tried = 'select from hl7_outbox where destination_id = $1 and attempts > 0 and fault is not null';
      return (await queryDatabase(gateway.databaseUrl, tried, [id])).length > 0;
    });
    for (const name of ['ada', 'vera'])
      await pages.open(
        async (page) => {
          const broken = page.getByRole('region', { name: 'Broken' });
          const need = broken.getByRole('listitem').filter({ hasText: 'Destination dead EHR cannot be reached' });
          // The facts are up to 2 s old, and the page reads them again every 5 s.
          await need.waitFor({ timeout: 20_000 });
          expect(await need.innerText()).toMatch(/ECONNREFUSED[^]*since [^]*1 waits, the oldest for/);
          expect(await page.getByText(ALL_IS_WELL).count()).toBe(0);
          expect(await need.getByRole('button', { name: 'Test' }).count()).toBe(name === 'ada' ? 1 : 0);
          const folder = process.env['SUTURA_PICTURES'];
          if (folder !== undefined) await page.screenshot({ path: `${folder}/now-${name}.png`, fullPage: true });
          await need.getByRole('link', { name: 'Open the connection' }).click();
          const row = page.getByRole('row').filter({ hasText: 'dead EHR' });
          await row.getByText('not reached').waitFor();
          if (folder !== undefined)
            await page.screenshot({ path: `${folder}/connections-${name}.png`, fullPage: true });
          await page.getByRole('row').filter({ hasText: 'ward' }).getByText('taking').waitFor();
          await row.getByRole('link', { name: 'What waits' }).waitFor();
          await row.getByRole('link', { name: 'Settings' }).click();
          const card = page.getByRole('region', { name: 'Destination dead EHR' });
          await card.getByText('failing').waitFor();
          await card.getByText(/Since .*: Its receiver has not taken/).waitFor();
          await page.getByRole('region', { name: 'Destination ward' }).getByText('no failure known').waitFor();
        },
        { name },
      );
  });

  it('tells its times in UTC once that was asked for, on every page, and keeps what is typed', async () => {
    const { pages } = ground;
    await pages.open(
      async (page) => {
        await page.route('**/admin/v1/standing', async (route) => {
          const response = await route.fetch();
          const json = { ...((await response.json()) as object), at: '2026-03-15T23:30:00.000Z' };
          await route.fulfill({ response, json });
        });
        await page.reload();
        await page.getByText('Looked at Mar 16, 2026, 08:30:00.').waitFor();
        await page.getByRole('searchbox').fill('ORD-7');
        await page.getByRole('button', { name: 'UTC', exact: true }).click();
        await page.getByText('Looked at Mar 15, 2026, 23:30:00 UTC.').waitFor();
        expect(await page.getByRole('searchbox').inputValue()).toBe('ORD-7');
        const folder = process.env['SUTURA_PICTURES'];
        if (folder !== undefined) await page.screenshot({ path: `${folder}/now-utc.png` });
        await pages.goTo(page, '/account');
        await page.getByText(/^Logged in as .* UTC\.$/).waitFor();
        await page.getByRole('button', { name: 'Local time', exact: true }).click();
        await page.getByText(/^Logged in as .*\d\.$/).waitFor();
      },
      { timeZone: 'Asia/Tokyo' },
    );
  });

  it('says that the database takes no writes, and takes nobody for dead who cannot report', async () => {
    const { gateway, pages } = ground;
    const name = new URL(gateway.databaseUrl).pathname.slice(1);
    const set = (value: string) =>
      queryDatabase(gateway.databaseUrl, `alter database "${name}" set default_transaction_read_only = ${value}`);
    const hangUp = () =>
      queryDatabase(
        gateway.databaseUrl,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [name],
      );
    await pages.open(async (page) => {
      await set('on');
      await hangUp();
      const broken = page.getByRole('region', { name: 'Broken' });
      await broken.getByText('The database takes no writes').waitFor({ timeout: 25_000 });
      expect(await broken.getByText('worker process').count()).toBe(0);
      expect(await page.getByText(ALL_IS_WELL).count()).toBe(0);
    });
  });
});
