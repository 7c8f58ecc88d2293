import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { orderMessage } from '../../support/hl7-hospital.js';
import { roundsOf } from '../../support/rounds.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PAGES = [
  '/',
  '/connections',
  '/messages',
  '/messages?direction=out',
  '/dry-run',
  '/fhir-dry-run',
  '/deliveries',
  '/peers',
  '/figures',
  '/organizations',
  '/users',
  '/audit',
  '/account',
];

/** A commit looks at two of them, a night at all. */
const LOOKS: readonly (readonly ['light' | 'dark', number])[] = [
  ['light', 1280],
  ['dark', 375],
  ['light', 375],
  ['dark', 1280],
];

describeInBrowser('the console in a browser', () => {
  let ground: ConsoleGround;

  beforeAll(async () => {
    ground = await ConsoleGround.open();
    const { hospital } = ground;
    expect(await hospital.send(orderMessage({ order: 'ORD-77', photo: await drawWoundPhoto() }))).toContain('|AA|');
    await hospital.result('ORD-77');
  });
  afterAll(() => ground?.close());

  it.each(LOOKS.slice(0, roundsOf(LOOKS.length, 2)))(
    'has no barrier that axe finds, %s, %i pixels wide',
    async (theme, width) => {
      const { pages } = ground;
      await pages.open(
        async (page) => {
          await page.getByRole('heading', { name: 'What needs a person now' }).waitFor();
          for (const path of [...PAGES, '/search?q=ORD-77']) {
            await pages.goTo(page, path);
            expect([path, await pages.barriersOf(page)]).toEqual([path, []]);
          }
        },
        { dark: theme === 'dark', width },
      );
    },
  );
});
