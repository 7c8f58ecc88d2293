import type { Encounter, Media } from '@medplum/fhirtypes';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { answerWith, type Dialect, type Resource } from '../../support/fake-ehr/index.js';
import { WOUND } from '../../support/follow-up-context.js';
import { PATIENTS, PushGround, VISITS } from './push-ground.js';

let ground: PushGround;
let tenant: Tenant;

beforeAll(async () => {
  ground = await PushGround.open();
});

afterAll(() => ground.close());

beforeEach(async () => {
  tenant = await ground.context.createTenant();
});

afterEach(() => ground.stopAll());

const SUBJECT = { ...WOUND, patientSystem: PATIENTS };
const accepted = (id: string, version: number): string => `${id}/document/v${version}`;

/** A report that a person has accepted, and told. */
async function reviewed(week = 0) {
  const made = await ground.followUp.assess(tenant, week, 12, SUBJECT);
  const report = await ground.followUp.review(tenant, made, { decision: 'accept' });
  await ground.tell(tenant, report);
  return report;
}

async function withdraw(report: { readonly id: string; readonly version: number }) {
  const gone = await ground.followUp.review(tenant, report, { decision: 'reject', note: 'Other patient' });
  await ground.tell(tenant, gone);
  return gone;
}

/** A further version, as a changed site makes. */
async function corrected(report: { readonly id: string; readonly version: number }) {
  const next = await ground.followUp.review(tenant, report, { decision: 'accept', note: 'Seen again' });
  await ground.tell(tenant, next);
  return next;
}

describe('a result that cannot be filed', () => {
  it.each([
    ['nobody there has the number', 'ehr_patient_unknown', (numbers: string[]) => numbers.splice(0)],
    ['two records there have the number', 'ehr_patient_ambiguous', (numbers: string[]) => numbers.push('MRN-4711')],
  ])('is held where %s', async (_why, hold, change) => {
    const { ehr, patientId } = await ground.startEhr('us-core-note');
    const numbers = ['MRN-4711'];
    change(numbers);
    ehr.control.remove(`Patient/${patientId}`);
    for (const value of numbers) ehr.control.addPatient({ identifiers: [{ system: PATIENTS, value }] });
    const registered = await ground.register(tenant, ehr, { dialect: 'us-core-note', send: ['pdf'] });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual([`document v2 ${hold}`]);
    expect(ehr.control.resources('DocumentReference')).toEqual([]);
  });

  it('is held where the patient has a number of another authority alone, which is never asked for in its place', async () => {
    const { ehr } = await ground.startEhr('us-core-note');
    const registered = await ground.register(tenant, ehr, { dialect: 'us-core-note', send: ['pdf'] });
    const made = await ground.followUp.assess(tenant, 0, 12, { ...WOUND, patientSystem: 'urn:oid:2.999.1' });
    await ground.tell(tenant, await ground.followUp.review(tenant, made, { decision: 'accept' }));
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_patient_unnumbered']);
    expect(ehr.control.calls.filter(({ path }) => path.endsWith('/Patient'))).toEqual([]);
  });

  it.each([
    ['no visit covers the photo', 'ehr_encounter_unknown', 'period', '2031-01-01T00:00:00Z'],
    ['the visit has no number here', 'ehr_encounter_unnumbered', 'identifier', '2025-01-01T00:00:00Z'],
  ] as const)('is held where %s', async (_why, hold, encounterRule, start) => {
    const { ehr, patientId, encounterId } = await ground.startEhr('us-core-note');
    ehr.control.remove(`Encounter/${encounterId}`);
    ehr.control.addEncounter({ patientId, start });
    const registered = await ground.register(tenant, ehr, { dialect: 'us-core-note', send: ['pdf'], encounterRule });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual([`document v2 ${hold}`]);
  });

  it('is held with the codes of the refusal and without its words, and goes out once a person has mended it', async () => {
    const { ehr, patientId } = await ground.startEhr('us-core-note');
    ehr.control.plan(answerWith(422), { method: 'POST' });
    const registered = await ground.register(tenant, ehr, { dialect: 'us-core-note', send: ['pdf'] });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_refused']);
    const [row] = await ground.rows(registered);
    expect(row?.answer_codes).toBe('422 transient');
    await ground.control.requeue(row!.id, 'tester');
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect(ehr.verify([{ patientId, versions: [accepted(report.id, 2)] }])).toEqual([]);
  });

  it('waits, and nothing is asked of the EHR, while its token is refused; no result is held for that', async () => {
    const { ehr } = await ground.startEhr('us-core-note');
    const registered = await ground.register(tenant, ehr, { dialect: 'us-core-note', send: ['pdf'] });
    ehr.control.plan(answerWith(401), { path: '/fhir/Patient', times: 3 });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
  });
});

describe('the author of a result', () => {
  it('is who was logged in at the EHR, where its desk was opened from there, and of no other EHR', async () => {
    const { ehr } = await ground.startEhr('oracle');
    const author = `Practitioner/${ehr.control.addPractitioner({ identifiers: [] })}`;
    const push = { dialect: 'oracle', send: ['pdf'], encounterRule: 'period' } as const;
    const registered = await ground.register(tenant, ehr, push);
    ground.startProcess();
    const decided = async (week: number, system: string) => {
      const made = await ground.followUp.assess(tenant, week, 12, SUBJECT);
      const reviewer = { id: author, name: 'Ada Winter', system };
      await ground.tell(tenant, await ground.followUp.review(tenant, made, { decision: 'accept', reviewer }));
      return (await ground.ended(registered)).at(-1);
    };
    expect(await decided(0, 'https://another.example/fhir')).toBe('document v2 ehr_author_unknown');
    expect(await decided(1, registered.fhirBaseUrl)).toBe('document v2 delivered');
    expect(ehr.control.resources('DocumentReference')).toMatchObject([{ author: [{ reference: author }] }]);
  });
});

describe.each<{ readonly dialect: Dialect; readonly corrects?: 'in-words' }>([
  { dialect: 'transaction' },
  { dialect: 'us-core-note' },
  { dialect: 'epic', corrects: 'in-words' },
  { dialect: 'oracle' },
  { dialect: 'isik' },
])('with the dialect $dialect', ({ dialect, corrects }) => {
  const needsVisit = dialect === 'epic' || dialect === 'oracle';
  const push = {
    dialect,
    send: ['pdf'] as const,
    encounterRule: needsVisit ? ('period' as const) : ('none' as const),
  };

  async function start() {
    const { ehr, patientId } = await ground.startEhr(dialect);
    ehr.control.addPractitioner({ identifiers: [{ system: 'urn:oid:2.999.9', value: 'HCP-0042' }] });
    return { ehr, patientId, registered: await ground.register(tenant, ehr, push) };
  }

  /** By our number, as it was filed: not by what marks it later. */
  const markOf = (id: string, version: number) => (sent: Resource) =>
    sent['status'] === 'current' && JSON.stringify(sent['identifier']).includes(accepted(id, version));

  it('a correction takes the place of the version before, and a withdrawal of both', async () => {
    const { ehr, patientId, registered } = await start();
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const next = await corrected(report);
    await ground.ended(registered);
    const gone = await withdraw(next);
    expect((await ground.ended(registered)).every((said) => said.endsWith('delivered'))).toBe(true);
    const versions = [report, next].map(({ id, version }) => markOf(id, version));
    const further = dialect === 'epic' || dialect === 'isik' ? [markOf(gone.id, gone.version)] : [];
    expect(
      ehr.verify([{ patientId, versions: [...versions, ...further], ...(corrects === undefined ? {} : { corrects }) }]),
    ).toEqual([]);
    expect(ehr.control.objections).toEqual([]);
  });

  it.each([
    ['took it and fell silent', { kind: 'drop-after' } as const],
    ['was not reached', { kind: 'drop-before' } as const],
    ['answers 429', answerWith(429, 0)],
    ['answers 503', answerWith(503)],
    ['answers 409', answerWith(409)],
    ['answers with a proxy’s page', { kind: 'garbage' } as const],
  ])(
    'each version is there once where the EHR %s, and a person looks where a search does not tell',
    async (_what, fault) => {
      const { ehr, patientId, registered } = await start();
      for (const method of ['POST', 'PUT', 'GET']) ehr.control.plan(fault, { method, path: '/fhir/' });
      ehr.control.plan(fault, { method: 'POST' });
      const report = await reviewed();
      ground.startProcess();
      await ground.lookedFor(registered);
      ehr.control.plan(fault, { method: 'POST' });
      ehr.control.plan(fault, { method: 'PUT' });
      const next = await corrected(report);
      await ground.lookedFor(registered);
      const versions = [report, next].map(({ id, version }) => markOf(id, version));
      expect(ehr.verify([{ patientId, versions, ...(corrects === undefined ? {} : { corrects }) }])).toEqual([]);
    },
  );

  it('a process that is killed before it has written down the answer files nothing twice', async () => {
    const { ehr, patientId, registered } = await start();
    const report = await reviewed();
    const first = ground.startProcess();
    await ground.ended(registered);
    await first.beforeApplicationShutdown();
    await ground.query(
      `update ehr_deliveries set state = 'waiting', filed = null, delivered_at = null, unsettled = true where ehr_id = '${registered.id}'`,
    );
    ground.startProcess();
    expect((await ground.ended(registered)).every((said) => said.endsWith('delivered'))).toBe(true);
    expect(ehr.verify([{ patientId, versions: [markOf(report.id, report.version)] }])).toEqual([]);
    expect((await ground.rows(registered)).every(({ filed }) => filed?.[0]?.id !== null)).toBe(true);
  });
});

describe('what an EHR gets', () => {
  it('of a mapped measure is an Observation of the site’s own code in its own unit, which a correction changes in place', async () => {
    const { ehr, patientId } = await ground.startEhr('epic');
    const codes = { area: { system: 'urn:oid:2.999.5', code: '1001', unit: 'mm2' } };
    ehr.control.mapRow({ system: 'urn:oid:2.999.5', code: '1001', unit: 'mm2' });
    const registered = await ground.register(tenant, ehr, {
      dialect: 'epic',
      send: ['pdf', 'observations'],
      encounterRule: 'period',
      codes,
    });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 delivered', 'observation-area v2 delivered']);
    await withdraw(report);
    await ground.ended(registered);
    const [observation, ...others] = ehr.control.resources('Observation');
    expect(others).toEqual([]);
    expect(observation).toMatchObject({ status: 'entered-in-error', subject: { reference: `Patient/${patientId}` } });
    const notes = ehr.control.resources('DocumentReference').length;
    expect(notes).toBe(2);
    expect(ehr.verify()).toEqual([]);
  });

  it('in one transaction are document, figures and report, each with the others by its own reference', async () => {
    const { ehr, patientId } = await ground.startEhr('transaction');
    const registered = await ground.register(tenant, ehr, { send: ['pdf', 'observations', 'diagnostic-report'] });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['bundle v2 delivered']);
    const [report] = ehr.control.resources('DiagnosticReport');
    const ids = ehr.control.resources('Observation').map(({ id }) => `Observation/${String(id)}`);
    expect(report).toMatchObject({ subject: { reference: `Patient/${patientId}` } });
    expect((report!['result'] as { reference: string }[]).map(({ reference }) => reference).sort()).toEqual(ids.sort());
    expect((await ground.rows(registered))[0]?.filed?.map(({ part }) => part)).toContain('report');
  });

  it('in the visit that the photo was taken in, by its number', async () => {
    const { ehr, encounterId } = await ground.startEhr('us-core-note');
    const registered = await ground.register(tenant, ehr, {
      dialect: 'us-core-note',
      send: ['pdf'],
      encounterRule: 'identifier',
    });
    const report = await reviewed();
    const encounter = { reference: 'Encounter/e1' };
    ground.records.set(`Media/${report.imageId}`, { resourceType: 'Media', encounter } as Media);
    ground.records.set('Encounter/e1', {
      resourceType: 'Encounter',
      identifier: [{ system: VISITS, value: 'V-1' }],
    } as Encounter);
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    const [document] = ehr.control.resources('DocumentReference');
    expect(document).toMatchObject({ context: { encounter: [{ reference: `Encounter/${encounterId}` }] } });
  });

  it('as a note is text whose correction names the first note', async () => {
    const { ehr } = await ground.startEhr('epic');
    const registered = await ground.register(tenant, ehr, { dialect: 'epic', send: ['pdf'], encounterRule: 'period' });
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    await corrected(report);
    await ground.ended(registered);
    const [first, second] = ehr.control.resources('DocumentReference');
    const binary = ehr.control
      .resources('Binary')
      .map((one) => Buffer.from(String(one['data']), 'base64').toString('utf8'));
    expect(second).toBeDefined();
    expect(binary.at(-1)).toContain(
      `CORRECTION: this note takes the place of the note DocumentReference/${String(first!.id)}`,
    );
  });
});

describe('who sends', () => {
  it('proves itself with our published keys, asks for a token once, and for another where that ends', async () => {
    const { ehr, patientId } = await ground.startEhr('us-core-note', true);
    const { keys } = ground;
    const published = createServer((_request, response) => {
      void keys.keySetOf(tenant.organizationId).then((set) => response.end(JSON.stringify(set)));
    });
    await new Promise<void>((listening) => published.listen(0, '127.0.0.1', listening));
    const jwksUrl = `http://127.0.0.1:${(published.address() as AddressInfo).port}/`;
    try {
      ehr.control.registerClient({
        clientId: 'sutura-push',
        type: 'asymmetric',
        jwksUrl,
        isBackend: true,
        scopes: ['system/Patient.rs', 'system/DocumentReference.crus'],
      });
      const registered = await ground.register(tenant, ehr, {
        dialect: 'us-core-note',
        send: ['pdf'],
        auth: 'backend-services',
        clientId: 'sutura-push',
      });
      ehr.control.plan(
        { kind: 'before', act: () => ehr.control.endTokens() },
        { method: 'POST', path: '/fhir/DocumentReference' },
      );
      const report = await reviewed();
      ground.startProcess();
      expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
      expect(ehr.control.calls.filter(({ path }) => path.endsWith('/token')).length).toBe(2);
      expect(ehr.verify([{ patientId, versions: [accepted(report.id, 2)] }])).toEqual([]);
      expect(ehr.control.objections).toEqual([]);
    } finally {
      await new Promise((closed) => published.close(closed));
    }
  });

  it('sends a tenant’s results to its own EHRs alone', async () => {
    const { ehr } = await ground.startEhr('us-core-note');
    const other = await ground.context.createTenant();
    const foreign = await ground.register(other, ehr, { dialect: 'us-core-note', send: ['pdf'] });
    await reviewed();
    expect(await ground.rows(foreign)).toEqual([]);
  });
});
