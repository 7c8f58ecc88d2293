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
const ALL_IS_WELL = 'Nothing. Messages were taken, results are delivered, and everything that was set up is served.';

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
        await page.getByText('Nothing in what was looked at.').waitFor();
        await page.getByText('Refused messages were not looked for').waitFor();
        expect(await page.getByText(ALL_IS_WELL).count()).toBe(0);
      },
      { name: 'vera' },
    );
    await pages.open(async (page) => page.getByText(ALL_IS_WELL).waitFor());
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
          const need = page.getByRole('listitem').filter({ hasText: 'Destination dead EHR fails' });
          await need.waitFor();
          expect(await need.innerText()).toMatch(/ECONNREFUSED[^]* since /);
          expect(await page.getByText(ALL_IS_WELL).count()).toBe(0);
          const folder = process.env['SUTURA_PICTURES'];
          if (folder !== undefined) await page.screenshot({ path: `${folder}/now-${name}.png` });
          await need.getByRole('link').click();
          const card = page.getByRole('region', { name: 'Destination dead EHR' });
          await card.getByText('failing').waitFor();
          await card.getByText(/Since .*: Its receiver has not taken/).waitFor();
          await page.getByRole('region', { name: 'Destination ward' }).getByText('no failure known').waitFor();
        },
        { name },
      );
  });
});
