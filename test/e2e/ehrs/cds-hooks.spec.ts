import { randomUUID } from 'node:crypto';
import { ApiClient, expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { EhrHost } from '../../support/ehr-host.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const SYSTEM = 'https://hospital.example/mrn';
const VIEW = 'sutura-wound-patient-view';
const DISCHARGE = 'sutura-wound-encounter-discharge';
const DAY_MS = 86_400_000;

interface Card {
  readonly uuid: string;
  readonly summary: string;
  readonly detail: string;
  readonly indicator: string;
  readonly links?: readonly { readonly type: string; readonly url: string; readonly appContext: string }[];
}

describe('an EHR that asks at the right moment', () => {
  let gateway: SharedGateway;
  let host: EhrHost;
  let organizationId: string;
  let client: ApiClient;
  let ehrId: string;

  beforeAll(async () => {
    [gateway, host] = [await sharedGateway(), await EhrHost.start()];
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
    const made = await gateway.admin('POST', `/organizations/${organizationId}/ehrs`, {
      name: 'EHR',
      environment: 'test',
      fhirBaseUrl: host.base,
      patientSystem: SYSTEM,
      cds: { enabled: true, issuer: host.issuer, jwksUrl: host.keySetUrl },
    });
    ehrId = expectStatus(201, made).body.id as string;
    // Else every result waits for a person, which is something to say.
    const policy = await gateway.admin('PATCH', `/organizations/${organizationId}`, { resultPolicy: 'auto-final' });
    expectStatus(200, policy);
    const announced = {
      resourceType: 'Patient',
      identifier: [{ system: SYSTEM, value: 'old' }],
      birthDate: '1951-07-14',
    };
    const headers = { 'content-type': 'application/fhir+json' };
    // FHIR may still be preparing itself.
    await eventually('the patient is announced', async () => {
      const { status } = await client.request('POST', '/fhir/Patient', { json: announced, headers });
      return status === 201;
    });
    // The drawn photos have no scale: what a clinician states makes the course.
    const visits = [
      ['worse', 9, { depthCm: 1 }],
      ['worse', 2, { depthCm: 3.5 }],
      ['old', 30, { depthCm: 1 }],
    ] as const;
    for (const [seed, [patientId, days, clinicianObservations]] of visits.entries())
      await client.analyse(await drawSmallWoundPhoto({ seed: seed + 1 }), {
        subject: { patientId, patientSystem: SYSTEM, woundId: `W-${patientId}`, bodySite: { display: 'Left heel' } },
        capturedAt: new Date(Date.now() - days * DAY_MS).toISOString(),
        clinicianObservations,
      });
  });
  afterAll(() => host?.close());

  const contextOf = (patientId: string) => ({ userId: 'Practitioner/7', patientId });
  const patientOf = (value: string, system = SYSTEM) => ({
    resourceType: 'Patient',
    id: `p-${value}`,
    identifier: [{ system, value }],
    name: [{ family: 'Beispiel' }],
  });
  async function ask(service: string, wish: Readonly<Record<string, unknown>>, claims = {}): Promise<Answer> {
    const address = `${gateway.baseUrl}/cds-services/${service}`;
    const hook = service === VIEW ? 'patient-view' : 'encounter-discharge';
    const json = { hook, hookInstance: randomUUID(), fhirServer: host.base, ...wish };
    return send('POST', address, { key: await host.token(address, claims), json });
  }
  const about = (value: string, wish: Readonly<Record<string, unknown>> = {}) => ({
    context: contextOf(`p-${value}`),
    prefetch: { patient: patientOf(value) },
    ...wish,
  });
  const cardsOf = async (answer: Promise<Answer>): Promise<readonly Card[]> =>
    expectStatus(200, await answer).body.cards as Card[];
  const codeOf = ({ status, body }: Answer) => [status, body.issue[0].details.coding[0].code as string];

  it('is refused with another FHIR server, without a patient, and with another patient than the one before it', async () => {
    expect(codeOf(await ask(VIEW, about('worse', { fhirServer: 'https://ehr.example/fhir' })))).toEqual([
      403,
      'cds-server',
    ]);
    for (const prefetch of [
      undefined,
      null,
      {},
      { patient: null },
      { patient: patientOf('worse', 'https://else.example') },
    ])
      expect(codeOf(await ask(VIEW, about('worse', { prefetch })))).toEqual([412, 'cds-patient']);
    expect(codeOf(await ask(VIEW, about('worse', { context: contextOf('p-old') })))).toEqual([412, 'cds-patient']);
    const two = {
      ...patientOf('worse'),
      identifier: [...patientOf('worse').identifier, ...patientOf('old').identifier],
    };
    expect(codeOf(await ask(VIEW, about('worse', { prefetch: { patient: two } })))).toEqual([412, 'cds-patient']);
  });

  it('is refused with a number whose time is over, and for somebody who was born on another day', async () => {
    const identifier = [{ system: SYSTEM, value: 'worse', period: { end: '2026-01-01' } }];
    const ended = { ...patientOf('worse'), identifier };
    expect(codeOf(await ask(VIEW, about('worse', { prefetch: { patient: ended } })))).toEqual([412, 'cds-patient']);
    const born = (birthDate: string) =>
      ask(VIEW, about('old', { prefetch: { patient: { ...patientOf('old'), birthDate } } }));
    const refused = await born('1951-07-15');
    expect(codeOf(refused)).toEqual([412, 'cds-patient']);
    expect(JSON.stringify(refused.body)).not.toContain('1951');
    expect(await cardsOf(born('1951-07-14'))).toHaveLength(1);
  });

  it('is told nothing for a patient or a relative who is logged in', async () => {
    for (const userId of ['Patient/p-worse', 'RelatedPerson/1', 'Person/1', `${host.base}/Patient/p-worse`])
      expect(await cardsOf(ask(VIEW, about('worse', { context: { ...contextOf('p-worse'), userId } })))).toEqual([]);
  });

  it('is refused where it does not say what kind of person is logged in', async () => {
    for (const userId of ['somebody', '7', 'Practitioner/', '/7', 'practitioner/7', '']) {
      const refused = await ask(VIEW, about('worse', { context: { ...contextOf('p-worse'), userId } }));
      expect([userId, ...codeOf(refused)]).toEqual([userId, 400, 'request-invalid']);
    }
  });

  it('is refused with another hook, without an encounter at a discharge, and for a service that is none', async () => {
    expect((await ask(VIEW, about('worse', { hook: 'order-sign' }))).status).toBe(400);
    expect((await ask(DISCHARGE, about('worse'))).status).toBe(400);
    expect(codeOf(await ask('other', about('worse')))).toEqual([404, 'cds-service-not-found']);
  });

  it('is told what is worse, with its figures, and nobody else’s', async () => {
    const cards = await cardsOf(ask(VIEW, about('worse')));
    expect(cards).toMatchObject([{ indicator: 'warning', summary: 'Left heel: The wound is getting worse.' }]);
    expect(cards[0]!.detail).toMatch(/Depth: from 1.cm to 3\.5.cm in 7.days/);
    expect(cards[0]).not.toHaveProperty('links');
    expect(await cardsOf(ask(VIEW, about('unknown')))).toEqual([]);
  });

  it('is told of a wound without a photo for weeks by its date, and before a discharge of days', async () => {
    expect(await cardsOf(ask(VIEW, about('old')))).toMatchObject([
      { indicator: 'info', summary: expect.stringMatching(/^Left heel: Last photo: \d/) as string },
    ]);
    const encounter = { context: { ...contextOf('p-worse'), encounterId: 'e-1' } };
    const [card] = await cardsOf(ask(DISCHARGE, about('worse', encounter)));
    expect(card).toMatchObject({ indicator: 'warning' });
  });

  it('is answered in the language of its registration, with a link to the desk where it may launch', async () => {
    const change = { cds: { language: 'de' }, launch: { clientId: 'sutura' } };
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${organizationId}/ehrs/${ehrId}`, change));
    const [card] = await cardsOf(ask(VIEW, about('worse')));
    expect(card!.summary).toBe('Left heel: Die Wunde verschlechtert sich.');
    const [{ woundId }] = (await queryDatabase(
      gateway.databaseUrl,
      `select id as "woundId" from wounds where organization_id = $1 and wound_id = 'W-worse'`,
      [organizationId],
    )) as [{ woundId: string }];
    expect(card!.links).toMatchObject([{ type: 'smart', url: `${gateway.baseUrl}/launch`, appContext: woundId }]);
  });

  it('is in the trail with each look at a patient, by its registration and the person whom it names, and without what it lent', async () => {
    const lent = {
      access_token: `lent-${randomUUID()}`,
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'x',
      subject: 'sutura',
    };
    const [card] = await cardsOf(ask(VIEW, about('worse', { fhirAuthorization: lent })));
    const feedback = [
      {
        card: card!.uuid,
        outcome: 'overridden',
        overrideReason: { userComment: 'seen by Dr. Beispiel' },
        outcomeTimestamp: new Date().toISOString(),
      },
    ];
    const address = `${gateway.baseUrl}/cds-services/${VIEW}/feedback`;
    expectStatus(200, await send('POST', address, { key: await host.token(address), json: { feedback } }));
    const rows = await queryDatabase(
      gateway.databaseUrl,
      `select interaction, key_id, person, patient_id is not null as "ofPatient", query from audit_events
         where organization_id = $1 and door = 'ehr' and query like $2 order by id`,
      [organizationId, `%${card!.uuid}%`],
    );
    expect(rows).toEqual([
      {
        interaction: '$cds-hook',
        key_id: ehrId,
        person: 'Practitioner/7',
        ofPatient: true,
        query: `service=${VIEW}&cards=${card!.uuid}`,
      },
      {
        interaction: '$cds-feedback',
        key_id: ehrId,
        person: null,
        ofPatient: false,
        query: `service=${VIEW}&accepted=&overridden=${card!.uuid}`,
      },
    ]);
    expect(gateway.logs).not.toContain(lent.access_token);
    expect(gateway.logs).not.toContain('Beispiel');
  });

  it('is refused once its token comes again, once cards are switched off, and once it is removed', async () => {
    const address = `${gateway.baseUrl}/cds-services`;
    const key = await host.token(address);
    expect((await send('GET', address, { key })).status).toBe(200);
    expect(codeOf(await send('GET', address, { key }))).toEqual([401, 'cds-token']);
    const path = `/organizations/${organizationId}/ehrs/${ehrId}`;
    expectStatus(200, await gateway.admin('PATCH', path, { cds: { enabled: false } }));
    expect(codeOf(await ask(VIEW, about('worse')))).toEqual([401, 'cds-token']);
    expectStatus(200, await gateway.admin('PATCH', path, { cds: { enabled: true } }));
    expect(await cardsOf(ask(VIEW, about('worse')))).toHaveLength(1);
    expectStatus(204, await gateway.admin('DELETE', path));
    expect(codeOf(await ask(VIEW, about('worse')))).toEqual([401, 'cds-token']);
  });
});
