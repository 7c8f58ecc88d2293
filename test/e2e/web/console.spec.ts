/// <reference lib="dom" />
import type { Browser, CDPSession, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import type { ConsolePages } from '../../support/console-pages.js';
import { eventually } from '../../support/eventually.js';
import type { Gateway } from '../../support/gateway.js';
import { fieldOf, orderMessage, type Hl7Hospital } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PAYLOADS = ['<img src=x onerror=alert(1)>', '"><script>alert(2)</script>', "javascript:alert('3')"];
describeInBrowser('the console in a browser', () => {
  let ground: ConsoleGround;
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  let browser: Browser;
  let pages: ConsolePages;
  let organizationId: string;

  beforeAll(async () => {
    ground = await ConsoleGround.open();
    ({ gateway, hospital, browser, pages, organizationId } = ground);
  });
  afterAll(() => ground?.close());

  const withPage = (...wish: Parameters<ConsolePages['open']>) => pages.open(...wish);
  const logIn = (...wish: Parameters<ConsolePages['logIn']>) => pages.logIn(...wish);
  const search = (page: Page, text: string) => pages.search(page, text);

  /** For docs/console.md: SUTURA_PICTURES=docs/pictures npx jest test/e2e/web/console */
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env['SUTURA_PICTURES'];
    if (folder === undefined) return;
    await page.screenshot({ path: `${folder}/${name}.png` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${folder}/${name}-dark.png` });
    await page.emulateMedia({ colorScheme: 'light' });
  }

  const hospitalDestinations = async (page: Page) => ({
    body: (await page.evaluate(async () => (await fetch('/admin/v1/hl7/destinations')).json())) as {
      items: { settings: Record<string, unknown> }[];
    },
  });

  it('shows the login alone to whoever is not logged in, and says why a login was refused', async () => {
    await withPage(
      async (page) => {
        await page.goto(`${gateway.baseUrl}/console/messages`);
        await page.getByRole('heading', { name: 'Sutura console' }).waitFor();
        expect(await page.getByRole('navigation').count()).toBe(0);
        await logIn(page, 'ada', 'wrong wrong wrong');
        await page.getByRole('alert').waitFor();
        expect(await page.getByRole('alert').innerText()).toMatch(/password/i);
      },
      { name: null },
    );
  });

  it('forgets everything at the logout', async () => {
    await withPage(async (page) => {
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel('Password').waitFor();
      await page.reload();
      await page.getByLabel('Password').waitFor();
    });
  });

  it('does not offer a viewer what only others may do, and says what a refusal is about', async () => {
    await withPage(
      async (page) => {
        await page.getByRole('link', { name: 'Listeners and destinations' }).click();
        await page.getByRole('region', { name: 'Destination ward' }).waitFor();
        expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
        await page.goto(`${gateway.baseUrl}/console/users`);
        await page.getByText('This is for installation admins.').waitFor();
      },
      { name: 'vera' },
    );
  });

  it('says what a number is not, and where to look next', async () => {
    await withPage(async (page) => {
      await search(page, 'NOBODY-HAS-THIS');
      await page.getByText('Nothing here has the number').waitFor();
      await page.getByRole('link', { name: 'what was refused' }).click();
      await page.getByRole('heading', { name: 'HL7 messages' }).waitFor();
    });
  });

  it('tells from an order number alone why the result did not arrive, and sends it again', async () => {
    hospital.receiver.mode = 'reject';
    hospital.receiver.refusal = { condition: '103', text: 'Receiving facility HOPS is unknown' };
    expect(await hospital.send(orderMessage({ order: 'ORD-77', photo: await drawWoundPhoto() }))).toContain('|AA|');
    await eventually('the result is refused', () => hospital.resultsOf('ORD-77')[0]);
    await withPage(async (page) => {
      await page.getByRole('heading', { name: 'What needs a person now' }).waitFor();
      await search(page, ' "ORD-77^EHR^1.2.3" ');
      await page.getByText('The analysis is complete').waitFor();
      await page.getByText('The result message is parked').waitFor();
      await page.getByRole('note').getByText('refused by its receiver').waitFor();
      await picture(page, 'console-search');
      await page
        .locator('.timeline .bad')
        .getByRole('link', { name: /MessageHeader/ })
        .first()
        .click();
      await page.getByText('Receiving facility HOPS is unknown').first().waitFor();
      await picture(page, 'console-message');
      hospital.receiver.mode = 'accept';
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('It is being sent again.').waitFor();
      await page.getByText('A person sent the result message again').waitFor();
      await eventually('the result arrives', () => hospital.resultsOf('ORD-77')[1]);
    });
    expect(fieldOf(hospital.resultsOf('ORD-77')[1]!, 'OBR', 2)).toContain('ORD-77');
  });

  it('tries a message, marks the place where it is wrong, and keeps nothing of it', async () => {
    await withPage(async (page) => {
      await page.getByRole('link', { name: 'Try a message' }).click();
      const text = orderMessage({ order: 'ORD-78', photo: await drawWoundPhoto(), taken: '20269915' });
      await page.getByRole('textbox', { name: 'HL7 v2 message' }).fill(text.replaceAll('\r', '\n'));
      await page.getByRole('button', { name: 'Try it' }).click();
      const outcome = page.getByRole('status', { name: 'What it would do' });
      await outcome.getByText(/acknowledged by A[ER]/).waitFor();
      await picture(page, 'console-try');
      expect(await outcome.locator('mark').first().innerText()).toContain('20269915');
      await search(page, 'ORD-78');
      await page.getByText('Nothing here has the number').waitFor();
    });
  });

  it('shows what comes from outside as text, whatever it says', async () => {
    const [name, order, control] = PAYLOADS;
    const hostile = orderMessage({ order: 'ORD-XSS', photo: await drawWoundPhoto(), control: 'CTRL-XSS' })
      .replace('Beispiel', name!)
      .replace('Follow-up \\T\\ dressing', `${order} ${control}`);
    expect(await hospital.send(hostile)).toContain('CTRL-XSS');
    await withPage(async (page) => {
      await search(page, 'CTRL-XSS');
      await page
        .getByRole('row', { name: /CTRL-XSS/ })
        .first()
        .click();
      await page.getByText(name!).first().waitFor();
      await search(page, name!);
      await page.getByText('Nothing here has the number').waitFor();
    });
  });

  it('pauses a destination after a question, and says on the first page that it is paused', async () => {
    await withPage(async (page) => {
      await page.getByRole('link', { name: 'Listeners and destinations' }).click();
      const card = page.getByRole('region', { name: 'Destination ward' });
      await card.getByRole('button', { name: 'Pause' }).click();
      await card.getByText('What is made meanwhile waits.').waitFor();
      await card.getByRole('button', { name: 'Pause' }).click();
      await card.getByText('paused').waitFor();
      await page.getByRole('link', { name: 'Now' }).click();
      await page.getByText('Destination ward is paused').waitFor();
      await picture(page, 'console-now');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'ward is paused' })
        .getByRole('button', { name: 'Resume' })
        .click();
      await page.getByText('It is resumed').waitFor();
      await page.getByRole('link', { name: 'Listeners and destinations' }).click();
      await page.getByRole('region', { name: 'Destination ward' }).getByText('no failure known').waitFor();
    });
  });

  it('changes a setting, and shows what the gateway says against another', async () => {
    await withPage(async (page) => {
      await page.getByRole('link', { name: 'Listeners and destinations' }).click();
      const card = page.getByRole('region', { name: 'Destination ward' });
      await card.getByRole('button', { name: 'Change settings' }).click();
      const box = card.getByRole('textbox', { name: 'Settings of destination ward' });
      const settings = JSON.parse(await box.inputValue()) as Record<string, unknown>;
      await box.fill('{ "port": ');
      await card.getByText('This is no JSON').waitFor();
      await box.fill(JSON.stringify({ ...settings, port: 0 }));
      await card.getByRole('button', { name: 'Save port' }).click();
      await card.getByRole('alert').waitFor();
      await box.fill(JSON.stringify({ ...settings, receivingFacility: 'HOSP' }));
      await card.getByRole('button', { name: 'Save receivingFacility' }).click();
      await page.getByText('The settings of destination ward are changed').waitFor();
      await eventually('the setting is kept', async () => {
        const { body } = await hospitalDestinations(page);
        return body.items[0]!.settings.receivingFacility === 'HOSP' || undefined;
      });
    });
  });

  it('makes a listener, a webhook and a key, whose secrets are shown once', async () => {
    await withPage(async (page) => {
      await page.goto(`${gateway.baseUrl}/console/peers?organizationId=${organizationId}&environment=test`);
      await page.getByRole('button', { name: 'New listener' }).click();
      await page.getByLabel('Its name').fill('icu');
      await page
        .getByRole('textbox', { name: 'Settings of the new listener' })
        .fill('{"port": 0, "timeZone": "Europe/Berlin"}');
      await page.getByRole('button', { name: 'Make the listener' }).click();
      await page.getByRole('region', { name: 'Listener icu' }).waitFor();
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByRole('button', { name: 'Make the webhook' }).click();
      await page.getByText('whsec_').or(page.getByRole('alert')).first().waitFor();
      await page.getByRole('link', { name: 'Organizations and keys' }).click();
      const card = page.getByRole('region', { name: /^Organization / }).filter({ hasText: organizationId });
      await card.getByRole('button', { name: 'Keys' }).click();
      await card.getByRole('button', { name: 'Make the key' }).click();
      await card.getByText('shown this once').waitFor();
      expect(await card.getByText(/^sut_test_/).count()).toBeGreaterThan(0);
      await page.reload();
      await card.getByRole('button', { name: 'Keys' }).click();
      await card
        .getByRole('cell', { name: /^sut_test_/ })
        .first()
        .waitFor();
      expect(await page.getByText('shown this once').count()).toBe(0);
    });
  });

  it('can be used by keyboard alone', async () => {
    await withPage(async (page) => {
      await page.getByRole('heading', { name: 'What needs a person now' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('To the page');
      await page.getByRole('link', { name: 'HL7 messages' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('row').nth(1).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Message', exact: true }).waitFor();
    });
  });

  // By the processor time of the page's thread: what other programs of the machine do says nothing about the page.
  describe('is quick', () => {
    const threadTimeS = async (session: CDPSession): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value;
    };

    /** Measured on two cores of an Intel Xeon at 2.6 GHz. */
    const USUAL_WORK_S = 0.5;
    /** Work of one size in such a page: what it takes says how fast the machine is just now. */
    const fixedWorkS = async (page: Page, session: CDPSession): Promise<number> => {
      const before = await threadTimeS(session);
      await page.evaluate(() => {
        let sum = 0;
        for (let turn = 0; turn < 20_000_000; turn += 1) sum = (sum * 31 + turn) | 0;
        return sum;
      });
      return (await threadTimeS(session)) - before;
    };

    /** Thread time until the page can be used, as it were on a machine that does the fixed work in the usual time. */
    const readyAfterS = async (): Promise<number> => {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
        await session.send('Performance.enable', { timeDomain: 'threadTicks' });
        // The page may move to a process of its own, whose time begins anew: so the fixed work comes behind it.
        await page.goto(`${gateway.baseUrl}/console`, { waitUntil: 'commit' });
        await page.getByRole('button', { name: 'Log in' }).waitFor();
        const readyS = await threadTimeS(session);
        return readyS / Math.max(1, (await fixedWorkS(page, session)) / USUAL_WORK_S);
      } finally {
        await context.close();
      }
    };

    it('can be used within 1.5 s on a processor that is four times slower', async () => {
      const tookS = [await readyAfterS()];
      // Programs that share the processor's caches make it longer, and never shorter.
      while (Math.min(...tookS) > 1.5 && tookS.length < 4) tookS.push(await readyAfterS());
      expect(Math.min(...tookS)).toBeGreaterThan(0.05);
      expect(Math.min(...tookS)).toBeLessThanOrEqual(1.5);
    });

    it('scrolls through 10,000 rows at 50 frames a second, with few of them in the page', async () => {
      await withPage(async (page, context) => {
        await page.getByRole('heading', { name: 'What needs a person now' }).waitFor();
        const items = Array.from({ length: 10_000 }, (_, place) => ({
          id: `01997f2e-0000-7000-8000-${String(place).padStart(12, '0')}`,
          exit: 'webhook',
          type: 'report.ready',
          state: place % 7 === 0 ? 'parked' : 'delivered',
          attempts: 1,
          fault: null,
          createdAt: new Date(1_700_000_000_000 - place * 60_000).toISOString(),
        }));
        await page.route('**/admin/v1/deliveries?**', (route) => route.fulfill({ json: { items } }));
        await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
        await page.getByRole('grid', { name: 'Deliveries' }).waitFor();
        expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
        const session = await context.newCDPSession(page);
        await session.send('Performance.enable', { timeDomain: 'threadTicks' });
        const beganS = await threadTimeS(session);
        const frames = await page.evaluate(async () => {
          const scroller = document.querySelector('.long-table-scroll')!;
          for (let frame = 0; frame < 100; frame += 1) {
            scroller.scrollTop += 400;
            await new Promise(requestAnimationFrame);
          }
          return scroller.scrollTop / 400;
        });
        expect(frames).toBe(100);
        const perFrameS = ((await threadTimeS(session)) - beganS) / frames;
        expect(perFrameS).toBeGreaterThan(0.0001);
        expect(perFrameS).toBeLessThanOrEqual(1 / 50);
        expect(await page.getByRole('row').count()).toBeLessThan(60);
      });
    });
  });
});
