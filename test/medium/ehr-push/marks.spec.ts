import type { EhrPush } from '../../../src/core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { eventually } from '../../support/eventually.js';
import { answerWith, type Dialect, type FakeEhr, type Resource } from '../../support/fake-ehr/index.js';
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

async function reviewed(woundId = 'W1', week = 0): Promise<ClinicalReport> {
  const made = await ground.followUp.assess(tenant, week, 12, { ...WOUND, patientSystem: PATIENTS, woundId });
  const report = await ground.followUp.review(tenant, made, { decision: 'accept' });
  await ground.tell(tenant, report);
  return report;
}

async function rejected(report: ClinicalReport): Promise<void> {
  await ground.tell(tenant, await ground.followUp.review(tenant, report, { decision: 'reject', note: 'Other wound' }));
}

async function start(dialect: Dialect, push: Partial<EhrPush> = {}) {
  const made = await ground.startEhr(dialect);
  const encounterRule = dialect === 'epic' ? 'period' : 'none';
  const registered = await ground.register(tenant, made.ehr, { dialect, send: ['pdf'], encounterRule, ...push });
  return { ...made, registered };
}

const documents = ({ control }: FakeEhr) => control.resources('DocumentReference');
/** Those that were carried out. */
const posts = ({ control }: FakeEhr) => control.calls.filter(({ method }) => method === 'POST').length;

describe('a request that may still be carried out', () => {
  it('is looked for although a later one was refused', async () => {
    const { ehr, registered } = await start('epic');
    let late: Resource | undefined;
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
    ehr.control.plan(answerWith(429, 0), { method: 'POST' });
    const hide = () => {
      late = documents(ehr)[0];
      ehr.control.remove(`DocumentReference/${String(late!['id'])}`);
    };
    ehr.control.plan({ kind: 'before', act: hide }, { path: '/fhir/Patient', after: 1 });
    const finish = () => void ehr.control.addResource(late!);
    ehr.control.plan({ kind: 'before', act: finish }, { path: '/fhir/Patient', after: 1 });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    expect(await ground.lookedFor(registered)).toEqual(['document v2 delivered']);
    expect(posts(ehr)).toBe(1);
    expect(documents(ehr)).toHaveLength(1);
  });

  it.each([
    ['without a body', { kind: 'answer', answer: { status: 202 } } as const],
    ['with an outcome', answerWith(202)],
  ])('is not sent again where it was answered with 202 %s', async (_how, fault) => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan(fault, { method: 'POST' });
    await reviewed();
    ground.startProcess();
    const looks = () => ehr.control.calls.filter(({ path }) => path.endsWith('/DocumentReference')).length;
    await eventually('three looks', () => Promise.resolve(looks() > 3));
    // A second request would have been carried out.
    expect(documents(ehr)).toEqual([]);
    expect((await ground.rows(registered))[0]?.state).toBe('waiting');
  });
});

describe('what would be tried for ever', () => {
  it.each([
    ['a plain error of ours', new Error('The text page needs a value for Anna Beispiel.'), 'Error'],
    ['what is no error by its name', Object.assign(new Error('lost'), { name: 'Anna Beispiel' }), 'Error'],
  ])('is held where it is %s, and holds up nobody else', async (_what, fault, kind) => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.drawingFaults.set(report.id, fault);
    await reviewed('W2', 1);
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_own_fault', 'document v2 delivered']);
    expect((await ground.rows(registered))[0]!.answer_codes).toBe(kind);
    expect(documents(ehr)).toHaveLength(1);
  });

  it('is no fault of ours where the disk is busy: it is tried on', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.drawingFaults.set(report.id, Object.assign(new Error('busy'), { code: 'EMFILE', syscall: 'open' }));
    ground.startProcess();
    await eventually('two tries', async () => ((await ground.rows(registered))[0]?.attempts ?? 0) > 1);
    ground.drawingFaults.delete(report.id);
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect(documents(ehr)).toHaveLength(1);
  });

  it('is held where a create conflicts on and on, and goes out once a person has mended it', async () => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan(answerWith(409), { method: 'POST', times: 13 });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_refused']);
    const [held] = await ground.rows(registered);
    expect(held).toMatchObject({ answer_codes: '409 conflict', attempts: 13 });
    await ground.control.requeue(held!.id, 'tester');
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect(documents(ehr)).toHaveLength(1);
  });
});

describe('who has looked', () => {
  it('has looked although the EHR is busy before anything is written', async () => {
    const { ehr, registered } = await start('epic');
    ehr.control.plan({ kind: 'drop-before' }, { method: 'POST', path: '/fhir/DocumentReference' });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    ehr.control.plan(answerWith(503, 0), { path: '/fhir/Patient', times: 2 });
    await ground.control.requeue((await ground.rows(registered))[0]!.id, 'tester');
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect(documents(ehr)).toHaveLength(1);
  });

  it('has looked for one request: where its process ends before the answer, the next one looks again', async () => {
    const { ehr, registered } = await start('epic');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    ehr.control.plan(answerWith(404), { path: '/fhir/Binary', times: 9 });
    await reviewed();
    const first = ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    ehr.control.plan({ kind: 'hang-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    await ground.control.requeue((await ground.rows(registered))[0]!.id, 'tester');
    await eventually('the second document', () => Promise.resolve(documents(ehr).length === 2));
    await first.beforeApplicationShutdown();
    expect((await ground.rows(registered))[0]?.state).toBe('waiting');
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    expect(documents(ehr)).toHaveLength(2);
  });
});

describe('a version that is asked for anew', () => {
  it('while its withdrawal is on its way is not filed after that', async () => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan(answerWith(422), { method: 'POST' });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_refused']);
    const [held] = await ground.rows(registered);
    ehr.control.plan(
      { kind: 'before', act: () => ground.control.requeue(held!.id, 'tester') },
      { path: '/fhir/Patient' },
    );
    await rejected(report);
    await eventually('both to be tried', async () => (await ground.rows(registered))[0]?.held_for === 'ehr_superseded');
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_superseded', 'document v3 delivered']);
    expect(documents(ehr)).toEqual([]);
  });

  it('is not called filed after that either, where an earlier request of it is carried out late', async () => {
    const { ehr, registered } = await start('us-core-note');
    let late: Resource | undefined;
    const take = () => {
      late = documents(ehr)[0];
      ehr.control.remove(`DocumentReference/${String(late!['id'])}`);
    };
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
    ehr.control.plan({ kind: 'before', act: take }, { path: '/fhir/Patient', after: 1 });
    ehr.control.plan(answerWith(422), { method: 'POST' });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_refused']);
    const [held] = await ground.rows(registered);
    ehr.control.plan(
      { kind: 'before', act: () => ground.control.requeue(held!.id, 'tester') },
      { path: '/fhir/Patient' },
    );
    const finish = () => void ehr.control.addResource(late!);
    ehr.control.plan({ kind: 'before', act: finish }, { path: '/fhir/Patient' });
    await rejected(report);
    await eventually('the hold', async () => (await ground.rows(registered))[0]?.held_for === 'ehr_superseded');
    expect((await ground.rows(registered))[0]).toMatchObject({ state: 'parked', filed: null });
  });
});
