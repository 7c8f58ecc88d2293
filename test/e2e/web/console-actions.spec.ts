import { v7 } from 'uuid';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { CountedActions } from '../../support/counted-actions.js';
import { queryDatabase } from '../../support/database-query.js';
import { freePort } from '../../support/free-port.js';
import { orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const DEAD = `insert into hl7_destinations (id, organization_id, environment, name, settings, created_at)
  values ($1, $2, 'test', 'dead EHR', $3, now())`;

interface Task {
  /** What a person at the first page of the console wants. */
  readonly wish: string;
  /** Set before the pages were built; a page that needs more is worse than it was to be. */
  readonly most: number;
  /** Ends where the person has what they wanted on the screen. */
  work(actions: CountedActions): Promise<void>;
}

const TASKS: readonly Task[] = [
  {
    // The first page alone says it.
    wish: 'know which connection is down, and since when',
    most: 0,
    async work({ page }) {
      const broken = page.getByRole('region', { name: 'Broken' }).getByRole('listitem');
      await broken.filter({ hasText: /Destination dead EHR cannot be reached[^]*since / }).waitFor();
    },
  },
  {
    wish: 'know why a result did not arrive, by the number of its order, and send it again',
    most: 5,
    async work(actions) {
      await actions.type('Search', 'ORD-98');
      await actions.key('Enter');
      await actions.page.getByRole('note').getByText('refused by its receiver').waitFor();
      const parked = actions.page.locator('.timeline .bad').filter({ hasText: 'The result message is parked' });
      await actions.press(/MessageHeader/, parked);
      await actions.page.getByText('Receiving facility HOPS is unknown').first().waitFor();
      await actions.press('Send again');
      await actions.page.getByText('It is being sent again.').waitFor();
    },
  },
  {
    wish: 'know why messages are refused, and how many for each cause',
    most: 1,
    async work(actions) {
      await actions.press('Failures');
      await actions.page.getByRole('row').filter({ hasText: 'Messages refused' }).getByText('order.unknown').waitFor();
    },
  },
  {
    wish: 'read one of the messages that were refused for a cause',
    most: 3,
    async work(actions) {
      await actions.press('Failures');
      await actions.press('See them', actions.page.getByRole('row').filter({ hasText: 'Messages refused' }));
      await actions.open(actions.page.getByRole('row', { name: /A-1/ }));
      await actions.page.getByText('What is wrong with it').first().waitFor();
    },
  },
  {
    wish: 'have all messages of a cause processed again',
    most: 3,
    async work(actions) {
      await actions.press('Failures');
      const row = actions.page.getByRole('row').filter({ hasText: 'Messages refused' });
      await actions.press('Do all 2 again', row);
      await actions.press('Do all 2 again', row);
      // Their order never came: they are refused again, and that is said.
      await actions.page.getByText(/0 are being done again\. 2 are left as they are: 2 × order\.unknown\./).waitFor();
    },
  },
  {
    wish: 'know what became of an order, by its number',
    most: 2,
    async work(actions) {
      await actions.type('Search', 'ORD-99');
      await actions.key('Enter');
      await actions.page.getByText('An HL7 message came').first().waitFor();
    },
  },
  {
    wish: 'know who came to the data of a patient, by the number',
    most: 4,
    async work(actions) {
      await actions.press('Audit trail');
      await actions.page.getByLabel('Organization').locator('option').nth(1).waitFor({ state: 'attached' });
      const option = await actions.page.getByLabel('Organization').locator('option').nth(1).getAttribute('value');
      await actions.choose('Organization', option!);
      await actions.type('Patient', 'MRN-99');
      await actions.press('Show');
      await actions.page.getByRole('link', { name: 'MRN-99', exact: true }).first().waitFor();
    },
  },
];

describeInBrowser('what is to be done at the console takes', () => {
  let ground: ConsoleGround;
  beforeAll(async () => {
    ground = await ConsoleGround.open();
    const { gateway, hospital, organizationId } = ground;
    const address = { host: '127.0.0.1', port: await freePort() };
    await queryDatabase(gateway.databaseUrl, DEAD, [v7(), organizationId, address]);
    await queryDatabase(gateway.databaseUrl, 'select pg_notify($1, $2)', ['sutura_hl7_changed', 'hl7_destinations']);
    hospital.receiver.modeOf = (message) => (message.includes('ORD-98^') ? 'reject' : undefined);
    hospital.receiver.refusal = { condition: '103', text: 'Receiving facility HOPS is unknown' };
    await hospital.send(orderMessage({ order: 'ORD-98', mrn: 'MRN-98', photo: await drawWoundPhoto() }));
    await hospital.result('ORD-98');
    for (const control of ['A-1', 'A-2']) await hospital.send(orderChange('NEVER-CAME', 'CA', control));
    await hospital.send(orderMessage({ order: 'ORD-99', mrn: 'MRN-99', photo: await drawWoundPhoto() }));
    await hospital.result('ORD-99');
  });
  afterAll(() => ground?.close());

  it.each(TASKS)('no more than $most actions to $wish', async ({ most, work }) => {
    await ground.pages.open(async (page) => {
      await page.getByRole('heading', { name: 'What needs a person now' }).waitFor();
      const actions = new CountedActions(page);
      await work(actions);
      expect(actions.done).toBeLessThanOrEqual(most);
    });
  });
});
