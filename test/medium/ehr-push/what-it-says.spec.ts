import type { Ehr, EhrPush } from '../../../src/core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { answerWith, type Dialect, type FakeEhr, type Fault, type Resource } from '../../support/fake-ehr/index.js';
import { WOUND } from '../../support/follow-up-context.js';
import { PATIENTS, PushGround } from './push-ground.js';

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
const COLLIDING = { identifiers: [{ system: PATIENTS, value: 'MRN-4711' }] };
const page = (status: number): Fault => ({
  kind: 'answer',
  answer: { status, headers: { 'content-type': 'text/html' }, bytes: Buffer.from('<html>Log in</html>') },
});

async function reviewed(woundId = 'W1', week = 0): Promise<ClinicalReport> {
  const made = await ground.followUp.assess(tenant, week, 12, { ...SUBJECT, woundId });
  const report = await ground.followUp.review(tenant, made, { decision: 'accept' });
  await ground.tell(tenant, report);
  return report;
}

async function decided(report: ClinicalReport, decision: 'accept' | 'reject'): Promise<ClinicalReport> {
  const next = await ground.followUp.review(tenant, report, { decision, note: 'Seen again' });
  await ground.tell(tenant, next);
  return next;
}

async function start(dialect: Dialect, push: Partial<EhrPush> = {}) {
  const made = await ground.startEhr(dialect);
  made.ehr.control.addPractitioner({ identifiers: [{ system: 'urn:oid:2.999.9', value: 'HCP-0042' }] });
  const encounterRule = dialect === 'epic' || dialect === 'oracle' ? 'period' : 'none';
  const registered = await ground.register(tenant, made.ehr, { dialect, send: ['pdf'], encounterRule, ...push });
  return { ...made, registered };
}

const documents = ({ control }: FakeEhr) => control.resources('DocumentReference');
const statuses = (ehr: FakeEhr) => documents(ehr).map(({ status }) => status);

/** What the EHR has of it is changed there, or moved to another chart. */
function change(ehr: FakeEhr, resource: Resource, fields: object): void {
  ehr.control.addResource({ ...resource, ...fields } as Resource);
}

async function last(registered: Ehr): Promise<string> {
  return (await ground.ended(registered)).at(-1)!;
}

describe('a search or an answer that says nothing of the chart', () => {
  it('files nothing again where it failed in part, and said so among what it found', async () => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
    const issue = [{ severity: 'error', code: 'exception' }];
    const entry = [{ resource: { resourceType: 'OperationOutcome', issue }, search: { mode: 'outcome' } }];
    const json = { resourceType: 'Bundle', type: 'searchset', entry };
    const headers = { 'content-type': 'application/fhir+json' };
    ehr.control.plan(
      { kind: 'answer', answer: { status: 200, headers, json } },
      { path: '/fhir/DocumentReference', method: 'GET' },
    );
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    expect(documents(ehr)).toHaveLength(1);
  });

  it('withdraws nothing where it is a 404 in the EHR’s place; the withdrawal goes on once the EHR is there again', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.plan(page(404), { path: '/fhir/', times: 5 });
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(statuses(ehr)).toEqual(['entered-in-error']);
    const [, row] = await ground.rows(registered);
    expect(row!.attempts).toBeGreaterThan(5);
  });

  it('withdraws nothing where the EHR refuses to search for the patient', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.plan(answerWith(404), { path: '/fhir/', times: 5 });
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 ehr_refused');
  });
});

describe('what was entered in error there', () => {
  it.each(['us-core-note', 'transaction'] as const)(
    'before we were answered is not filed again, nor taken for filed (%s)',
    async (dialect) => {
      const { ehr, registered } = await start(dialect);
      const end = () => change(ehr, documents(ehr)[0]!, { status: 'entered-in-error' });
      ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
      ehr.control.plan({ kind: 'before', act: end }, { path: '/fhir/Patient', after: 1 });
      const report = await reviewed();
      ground.startProcess();
      expect((await ground.ended(registered))[0]).toMatch(/v2 ehr_changed_there$/);
      expect(statuses(ehr)).toEqual(['entered-in-error']);
      const next = await decided(report, 'accept');
      expect(await last(registered)).toMatch(/v3 delivered$/);
      expect(statuses(ehr)).toEqual(['entered-in-error', 'current']);
      await decided(next, 'reject');
      expect(await last(registered)).toMatch(/v4 delivered$/);
      expect(statuses(ehr)).toEqual(['entered-in-error', 'entered-in-error']);
    },
  );

  it.each(['us-core-note', 'transaction'] as const)(
    'and is found by the condition of a create is not taken for filed (%s)',
    async (dialect) => {
      const { ehr, patientId, registered } = await start(dialect);
      const report = await reviewed();
      const value = `${report.id}/document/v2`;
      ehr.control.addResource({
        resourceType: 'DocumentReference',
        status: 'entered-in-error',
        subject: { reference: `Patient/${patientId}` },
        identifier: [{ system: 'https://sutura.dev/fhir/sid/filed', value }],
      });
      ground.startProcess();
      expect((await ground.ended(registered))[0]).toMatch(/v2 ehr_changed_there$/);
    },
  );

  it.each(['us-core-note', 'transaction'] as const)(
    'in the chart where it went first does not keep the result from the patient who has the number (%s)',
    async (dialect) => {
      const { ehr, patientId, registered } = await start(dialect);
      let other = '';
      const renumber = () => {
        ehr.control.addResource({ resourceType: 'Patient', id: patientId, identifier: [] });
        other = ehr.control.addPatient(COLLIDING);
      };
      ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
      ehr.control.plan({ kind: 'before', act: renumber }, { path: '/fhir/Patient', after: 1 });
      await reviewed();
      ground.startProcess();
      expect((await ground.ended(registered))[0]).toMatch(/v2 ehr_patient_changed$/);
      change(ehr, documents(ehr)[0]!, { status: 'entered-in-error' });
      await ground.control.requeue((await ground.rows(registered))[0]!.id, 'tester');
      expect((await ground.ended(registered))[0]).toMatch(/v2 delivered$/);
      expect(documents(ehr)).toMatchObject([
        { status: 'entered-in-error', subject: { reference: `Patient/${patientId}` } },
        { status: 'current', subject: { reference: `Patient/${other}` } },
      ]);
    },
  );
});

describe('what is in doubt', () => {
  it('in a chart that nobody noted, and not in today’s, bars later versions until a person has looked', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.remove(`DocumentReference/${String(documents(ehr)[0]!['id'])}`);
    // As a row of an earlier release was taken over.
    await ground.query(
      `update ehr_deliveries set state = 'parked', filed = null, delivered_at = null, unsettled = true, patient = null where ehr_id = '${registered.id}'`,
    );
    await decided(report, 'accept');
    expect(await last(registered)).toBe('document v3 ehr_outcome_unknown');
    await ground.control.requeue((await ground.rows(registered))[1]!.id, 'tester');
    expect(await last(registered)).toBe('document v3 delivered');
  });

  it('waits for a person where neither the patient nor the result is there any more', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.remove(`Patient/${patientId}`);
    ehr.control.remove(`DocumentReference/${String(documents(ehr)[0]!['id'])}`);
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 ehr_removed_there');
  });

  it('keeps nothing else from being withdrawn: a later version of which nobody knows what became', async () => {
    const { ehr, registered } = await start('transaction', { send: ['pdf', 'observations'] });
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const [first] = documents(ehr);
    ehr.control.plan({ kind: 'drop-before' }, { method: 'POST' });
    // The answer is lost, and the document that was to be superseded is removed there before the next attempt.
    ehr.control.plan(
      { kind: 'before', act: () => ehr.control.remove(`DocumentReference/${String(first!['id'])}`) },
      { path: '/fhir/Patient', after: 1 },
    );
    const next = await decided(report, 'accept');
    expect(await last(registered)).toBe('bundle v3 ehr_removed_there');
    await decided(next, 'reject');
    expect(await last(registered)).toBe('bundle v4 ehr_outcome_unknown');
    expect((await ground.lookedFor(registered)).at(-1)).toBe('bundle v4 ehr_removed_there');
    expect(new Set(ehr.control.resources('Observation').map(({ status }) => status))).toEqual(
      new Set(['entered-in-error']),
    );
  });

  it('whose result it is stays so: sent once more, nothing in another chart counts as filed with the patient of today', async () => {
    for (const dialect of ['us-core-note', 'transaction', 'epic'] as const) {
      const { ehr, patientId, registered } = await start(dialect);
      const report = await reviewed();
      ground.startProcess();
      await ground.ended(registered);
      const [row] = await ground.rows(registered);
      ehr.control.addResource({ resourceType: 'Patient', id: patientId, identifier: [] });
      ehr.control.addPatient(COLLIDING);
      await ground.control.replay(row!.id, 'tester');
      expect((await ground.ended(registered))[0]).toMatch(/v2 ehr_patient_changed$/);
      // Epic notes a withdrawal in the visit, which is that of the patient before.
      await decided(report, 'reject');
      expect(await last(registered)).toMatch(/v3 delivered$/);
      expect(documents(ehr).map(({ subject }) => subject)).toEqual(
        documents(ehr).map(() => ({ reference: `Patient/${patientId}` })),
      );
      if (dialect !== 'epic') expect(statuses(ehr)).toEqual(['entered-in-error']);
      await ground.stopAll();
    }
  });
});
