import { v7 } from 'uuid';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { queryDatabase } from '../../support/database-query.js';
import { orderChange } from '../../support/hl7-hospital.js';

const HOSTILE = `<img src=x onerror="document.title='owned'">`;
const DESTINATION = `insert into hl7_destinations (id, organization_id, environment, name, enabled, settings, created_at)
  values ($1, $2, 'test', $3, false, '{"host":"127.0.0.1","port":1}', now())`;
const PARKED = `insert into hl7_outbox (id, destination_id, organization_id, environment, number, control_id, kind, subject_id, version, lane, preliminary, message, size_bytes, next_at, created_at, state, parked_for, ack_code)
  values ($1, $2, $3, 'test', 1, 'C1', 'result', $1, 1, 'lane', false, '\\x00', 1, now(), now(), 'parked', 'refused', 'AE')`;

describeInBrowser('failures by cause', () => {
  let ground: ConsoleGround;
  beforeAll(async () => {
    ground = await ConsoleGround.open();
    const { gateway, hospital, organizationId } = ground;
    for (const control of ['F-1', 'F-2'])
      expect(await hospital.send(orderChange('NEVER-CAME', 'CA', control))).toMatch(/\|A[ER]\|/);
    const destinationId = v7();
    await queryDatabase(gateway.databaseUrl, DESTINATION, [destinationId, organizationId, HOSTILE]);
    await queryDatabase(gateway.databaseUrl, PARKED, [v7(), destinationId, organizationId]);
  });
  afterAll(() => ground?.close());

  it('are not offered to a viewer', async () => {
    await ground.pages.open(
      async (page) => {
        await page.getByRole('link', { name: 'Now' }).waitFor();
        expect(await page.getByRole('link', { name: 'Failures' }).count()).toBe(0);
      },
      { name: 'vera' },
    );
  });

  it('are told with their count and place, and no name of anybody does anything on the page', async () => {
    const { pages } = ground;
    await pages.open(async (page) => {
      await pages.goTo(page, '/failures');
      const row = page.getByRole('row').filter({ hasText: 'Messages refused' });
      await row.getByRole('link', { name: 'ward', exact: true }).waitFor();
      expect(await row.getByRole('cell').first().innerText()).toBe('2');
      await page.getByRole('row').filter({ hasText: HOSTILE }).getByText('refused AE').waitFor();
      expect(await page.title()).toBe('Failures by cause – Sutura console');
      expect(await pages.barriersOf(page)).toEqual([]);
      const folder = process.env['SUTURA_PICTURES'];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/console-failures.png` });
      if (folder !== undefined) await pages.goTo(page, '/messages?direction=out');
      if (folder !== undefined) await page.screenshot({ path: `${folder}/console-messages-out.png` });
    });
  });

  it('lead to their messages, which are links with titles of their own; all of one cause are done again', async () => {
    const { pages } = ground;
    await pages.open(async (page, context) => {
      await pages.goTo(page, '/failures');
      await page
        .getByRole('row')
        .filter({ hasText: 'Messages refused' })
        .getByRole('link', { name: 'See them' })
        .click();
      const message = page.getByRole('row', { name: /F-2/ });
      const [beside] = await Promise.all([
        context.waitForEvent('page'),
        message.click({ modifiers: ['ControlOrMeta'] }),
      ]);
      await beside.getByRole('heading', { level: 1 }).getByText('F-2').waitFor();
      expect(await beside.title()).toMatch(/F-2 – Sutura console$/);
      await beside.close();
      await page.goBack();
      const row = page.getByRole('row').filter({ hasText: 'Messages refused' });
      await row.getByRole('button', { name: 'Do all 2 again' }).click();
      await row.getByRole('button', { name: 'Do all 2 again' }).click();
      // They are still wrong.
      await page.getByText(/0 are being done again\. 2 are left as they are: 2 × [a-z_.]+\./).waitFor();
    });
    const acts = await queryDatabase<{ readonly resources: string[] }>(
      ground.gateway.databaseUrl,
      `select resources from audit_events where interaction = '$retry-failures' and organization_id = $1`,
      [ground.organizationId],
    );
    expect(acts.map(({ resources }) => resources.length)).toEqual([2]);
  });
});
