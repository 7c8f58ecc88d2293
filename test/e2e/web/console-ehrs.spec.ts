/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { AdminBrowser } from '../../support/admin-browser.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { describeInBrowser, openBrowser } from '../../support/browser.js';
import { ConsolePages } from '../../support/console-pages.js';
import { eventually } from '../../support/eventually.js';
import { startFakeEhr, type FakeEhr } from '../../support/fake-ehr/index.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const PATIENTS = 'urn:oid:2.999.1';
const NAME = 'North EHR';

describeInBrowser('the EHRs of an organization in the console', () => {
  let gateway: Gateway;
  let browser: Browser;
  let ehr: FakeEhr;
  let pages: ConsolePages;
  let organizationId: string;
  let client: ApiClient;
  let ada: AdminBrowser;
  let seed = 0;

  beforeAll(async () => {
    [gateway, browser, ehr] = await Promise.all([
      startGateway({ env: { TRUST_PROXY: 'loopback', SUTURA_EHR_NETWORKS: '127.0.0.0/8' } }),
      openBrowser(),
      startFakeEhr({ dialect: 'us-core-note' }),
    ]);
    ehr.control.addPatient({ identifiers: [{ system: PATIENTS, value: 'KNOWN' }] });
    pages = new ConsolePages(gateway, browser);
    organizationId = await gateway.createOrganization();
    // Else no report stands until a person has decided.
    const policy = { resultPolicy: 'auto-final' };
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${organizationId}`, policy));
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
    const invited: { name: string; setupCode: string }[] = [];
    for (const user of [
      { name: 'vera', roles: [{ organizationId, role: 'viewer' }] },
      { name: 'ada', installationAdmin: true },
    ])
      invited.push(expectStatus(201, await gateway.admin('POST', '/users', user)).body as (typeof invited)[number]);
    for (const one of invited) ada = await new AdminBrowser(gateway).enter(one);
  });
  afterAll(async () => {
    await browser?.close();
    await ehr?.stop();
    await gateway?.stop();
  });

  const peers = () => `/peers?organizationId=${organizationId}&environment=test`;
  const card = (page: Page) => page.getByRole('region', { name: `EHR ${NAME}` });
  const settings = (push: object) =>
    JSON.stringify({
      fhirBaseUrl: ehr.fhirBaseUrl,
      patientSystem: PATIENTS,
      push: { enabled: true, dialect: 'us-core-note', auth: 'bearer', send: ['pdf'], encounterRule: 'none', ...push },
    });
  const assess = async (patientId: string) => {
    seed += 1;
    const subject = { patientId, patientSystem: PATIENTS, woundId: 'W-1' };
    await client.analyse(await drawSmallWoundPhoto({ seed }), { subject });
  };

  it('are registered by a form that says what cannot be filed, and forgets the token', async () => {
    const token = ehr.control.issueToken(['system/Patient.rs', 'system/DocumentReference.crus']);
    await pages.open(async (page) => {
      await pages.goTo(page, peers());
      await page.getByText('There is no EHR').waitFor();
      await page.getByRole('button', { name: 'New EHR: Epic' }).click();
      expect(await page.getByLabel('Settings of the new EHR').inputValue()).toContain('"dialect": "epic"');
      expect(await pages.barriersOf(page)).toEqual([]);
      await page.getByLabel('Its name').fill(NAME);
      await page.getByLabel('Settings of the new EHR').fill(settings({ token, dialect: 'epic' }));
      await page.getByRole('button', { name: 'Register the EHR' }).click();
      await page.getByRole('alert').getByText('set "encounterRule" to "identifier" or "period"').waitFor();
      await page.getByLabel('Settings of the new EHR').fill(settings({ token }));
      await page.getByRole('button', { name: 'Register the EHR' }).click();
      await page.getByText('The EHR is registered.').waitFor();
      await card(page).getByText('takes results (us-core-note, final)').waitFor();
      expect(await page.content()).not.toContain(token);
    });
  });

  it('are tested by a button, which says each thing that was found', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, peers());
      await card(page).getByRole('button', { name: 'Test' }).click();
      await card(page).getByText('What it says of itself fits.').waitFor();
      await card(page).getByText('Well (metadata): The FHIR server answers').waitFor();
      expect(await pages.barriersOf(page)).toEqual([]);
      ehr.control.withdraw('DocumentReference', 'update');
      await card(page).getByRole('button', { name: 'Test' }).click();
      await card(page).getByText('will not work until it is mended').waitFor();
    });
  });

  it('are changed by what was changed in the settings, and keep their token', async () => {
    await pages.open(async (page) => {
      await pages.goTo(page, peers());
      await card(page).getByRole('button', { name: 'Change settings' }).click();
      const box = card(page).getByRole('textbox', { name: `Settings of EHR ${NAME}` });
      expect(await box.inputValue()).not.toContain('hasToken');
      await box.fill((await box.inputValue()).replace('"when": "final"', '"when": "reviewed"'));
      await card(page).getByRole('button', { name: 'Save push' }).click();
      await card(page).getByText('takes results (us-core-note, reviewed)').waitFor();
    });
    const path = `/organizations/${organizationId}/ehrs`;
    const { body } = expectStatus(200, await ada.ask('GET', path));
    const [one] = body.items as { id: string; push: object }[];
    expect(one!.push).toMatchObject({ when: 'reviewed', hasToken: true });
    expectStatus(200, await ada.ask('PATCH', `${path}/${one!.id}`, { push: { when: 'final' } }));
  });

  it('show what was sent and what a person has to decide, to a viewer too, who changes nothing', async () => {
    await assess('KNOWN');
    await eventually('the document', () => ehr.control.resources('DocumentReference')[0]);
    await assess('UNKNOWN');
    await pages.open(
      async (page) => {
        await eventually('the held result', async () => {
          await pages.goTo(page, peers());
          await card(page).waitFor();
          return (await card(page).getByText('1 held: a person has to decide').count()) === 1;
        });
        await card(page).getByText('1 sent, 0 waiting').waitFor();
        expect(await page.getByRole('button', { name: /Test|Change settings|Remove|New EHR/ }).count()).toBe(0);
        expect(await pages.barriersOf(page)).toEqual([]);
        await card(page).getByText('1 held: a person has to decide').click();
        await page.getByText('ehr_patient_unknown').waitFor();
      },
      { name: 'vera', width: 375 },
    );
  });

  it('stand on the connection board with their last success, and say that they do not let us in', async () => {
    ehr.control.endTokens();
    await assess('KNOWN');
    await pages.open(async (page) => {
      await pages.goTo(page, '/connections');
      const row = page.getByRole('row').filter({ hasText: NAME });
      await row.getByText('does not let us in (unauthorized)').waitFor();
      expect(await row.innerText()).toMatch(/refusing[\s\S]* ago[\s\S]*1 \(oldest [\s\S]*1 parked[\s\S]*new token/);
      expect(await pages.barriersOf(page)).toEqual([]);
    });
  });
});
