import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { AdminBrowser } from '../../support/admin-browser.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { ConsolePages } from '../../support/console-pages.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

interface Row {
  readonly reportId: string;
  readonly concern: string;
  readonly patient: { readonly number: string | null };
  readonly wound: { readonly woundId: string };
}

describeInBrowser('the lists of a reviewer', () => {
  const own = randomBytes(4).toString('hex');
  let gateway: SharedGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let pages: ConsolePages;
  let organizationId: string;
  let client: ApiClient;
  let rita: AdminBrowser;

  const ask = async (who: AdminBrowser, list: string, query = '') =>
    who.ask('GET', `/organizations/${organizationId}/${list}?environment=test${query}`);
  const rows = async (list: string, query = ''): Promise<readonly Row[]> =>
    (expectStatus(200, await ask(rita, list, query)).body as { items: Row[] }).items;
  /** Login names are those of the whole gateway. */
  const nameOf = (who: string) => `${who}-${own}`;
  const enter = async (user: { readonly name: string; readonly roles: object }): Promise<AdminBrowser> =>
    new AdminBrowser(gateway).enter(
      expectStatus(201, await gateway.admin('POST', '/users', user)).body as { name: string; setupCode: string },
    );
  const file = async (patientId: string, observations: object, capturedAt: string, site = '49'): Promise<void> => {
    await client.analyse(await drawWoundPhoto({ seed: Number(capturedAt.slice(8, 10)), width: 960, height: 720 }), {
      subject: { patientId, woundId: 'W1', bodySite: { display: `Site ${site}` } },
      calibration: { mmPerPixel: 0.1 },
      capturedAt,
      clinicianObservations: observations,
    });
  };

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([sharedGateway(), openBrowser()]);
    pages = new ConsolePages(gateway, browser);
    organizationId = await gateway.createOrganization('enterprise');
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
    await file('P-STEADY', { depthCm: 0.4 }, '2026-03-01T08:00:00Z');
    await file('P-WORSE', { depthCm: 0.4 }, '2026-03-02T08:00:00Z');
    await file('P-WORSE', { depthCm: 1.6 }, '2026-03-09T08:00:00Z');
    rita = await enter({ name: nameOf('rita'), roles: [{ organizationId, role: 'reviewer' }] });
  });
  afterAll(() => browser?.close());

  it('are refused to a viewer, who is not offered the pages, and to a reviewer of another organization', async () => {
    const elsewhere = await gateway.createOrganization('enterprise');
    const vera = await enter({ name: nameOf('vera'), roles: [{ organizationId, role: 'viewer' }] });
    const otto = await enter({ name: nameOf('otto'), roles: [{ organizationId: elsewhere, role: 'reviewer' }] });
    for (const list of ['worklist', 'caseload'])
      expect([(await ask(vera, list)).status, (await ask(otto, list)).status]).toEqual([403, 403]);
    await pages.open(
      async (page) => {
        await page.getByRole('link', { name: 'Now' }).waitFor();
        expect(await page.getByRole('link', { name: 'Worklist' }).count()).toBe(0);
      },
      { name: nameOf('vera') },
    );
  });

  it('have nothing of the other environment', async () => {
    const { body } = expectStatus(
      200,
      await rita.ask('GET', `/organizations/${organizationId}/worklist?environment=live`),
    );
    expect(body).toEqual({ items: [], nextCursor: null });
  });

  it('put the gravest first, a page at a time, and each report once', async () => {
    const all = await rows('worklist');
    expect(all).toHaveLength(3);
    const order = ['held', 'worsening', 'mixed', 'reopened', 'unknown', 'other'];
    const ranks = all.map(({ concern }) => order.indexOf(concern));
    expect(ranks).toEqual([...ranks].sort());
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: Row[]; nextCursor: string | null } = (
        await ask(rita, 'worklist', `&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).body as never;
      paged.push(...page.items.map(({ reportId }) => reportId));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.map(({ reportId }) => reportId));
    for (const { concern } of all)
      expect((await rows('worklist', `&concern=${concern}`)).every((row) => row.concern === concern)).toBe(true);
  });

  it('show each open wound once, by its last photo', async () => {
    const wounds = await rows('caseload');
    expect(wounds.map(({ patient }) => patient.number).sort()).toEqual(['P-STEADY', 'P-WORSE']);
    expect(wounds).toContainEqual(
      expect.objectContaining({ patient: expect.objectContaining({ number: 'P-WORSE' }), waiting: 2 }),
    );
  });

  it('are worked off by the keyboard, one after another', async () => {
    const before = await rows('worklist');
    const decide = async (page: Page): Promise<void> => {
      await page.locator('.desk-figures dd').first().waitFor();
      await page.getByRole('button', { name: 'Accept', exact: true }).and(page.locator(':enabled')).press('Enter');
      await page.getByRole('link', { name: 'Next in the worklist' }).waitFor();
    };
    await pages.open(
      async (page) => {
        await pages.goTo(page, `/worklist?organizationId=${organizationId}&environment=test`);
        await page.getByRole('row').nth(1).waitFor();
        expect(await pages.barriersOf(page)).toEqual([]);
        await page.getByRole('row').nth(1).press('Enter');
        await decide(page);
        expect((await rows('worklist')).map(({ reportId }) => reportId)).toEqual(
          before.slice(1).map(({ reportId }) => reportId),
        );
        await page.getByRole('link', { name: 'Next in the worklist' }).press('Enter');
        await decide(page);
        await page.getByRole('link', { name: 'Back to the worklist' }).press('Enter');
        await page.getByText('That is all: 1.').waitFor();
      },
      { name: nameOf('rita') },
    );
    expect((await rows('worklist')).map(({ reportId }) => reportId)).toEqual([before[2]!.reportId]);
  });
});
