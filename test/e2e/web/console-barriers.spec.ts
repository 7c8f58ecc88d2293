import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { orderMessage } from '../../support/hl7-hospital.js';
import { roundsOf } from '../../support/rounds.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PAGES = [
  '/',
  '/connections',
  '/failures',
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
  '/search?q=ORD-77',
];

const ALL_LOOKS = [
  ['light', 1280],
  ['dark', 375],
  ['light', 375],
  ['dark', 1280],
] as const;
/** A commit looks at two of them, a night at all. */
const LOOKS = ALL_LOOKS.slice(0, roundsOf(ALL_LOOKS.length, 2));

type Found = readonly [path: string, barriers: readonly string[]];

describeInBrowser('the console in a browser', () => {
  let ground: ConsoleGround;

  beforeAll(async () => {
    ground = await ConsoleGround.open();
    const { hospital } = ground;
    expect(await hospital.send(orderMessage({ order: 'ORD-77', photo: await drawWoundPhoto() }))).toContain('|AA|');
    await hospital.result('ORD-77');
  });
  afterAll(() => ground?.close());

  let walk: Promise<ReadonlyMap<number, readonly Found[]>> | undefined;
  /** To load a page costs more than to look at it: each is loaded once, and looked at in each way. */
  const foundAt = () =>
    (walk ??= (async () => {
      const found = new Map(LOOKS.map((_, place) => [place, [] as Found[]]));
      await ground.pages.open(async (page) => {
        await page.getByRole('heading', { name: 'What needs a person now' }).waitFor();
        for (const path of PAGES) {
          await ground.pages.goTo(page, path);
          for (const [place, [colorScheme, width]] of LOOKS.entries()) {
            await page.emulateMedia({ colorScheme });
            await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
            await page.setViewportSize({ width, height: 900 });
            found.get(place)!.push([path, await ground.pages.barriersOf(page)]);
          }
        }
      });
      return found;
    })());

  it.each(LOOKS)('has no barrier that axe finds, %s, %i pixels wide', async (theme, width) => {
    const place = LOOKS.findIndex((look) => look[0] === theme && look[1] === width);
    expect((await foundAt()).get(place)).toEqual(PAGES.map((path) => [path, []]));
  });
});
