import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import type { EhrExit } from '../../../src/exits/ehr/ehr-exit.js';
import { RECEIVERS } from '../../../src/records/standing/receiver-statement.js';
import { answerWith, type Dialect } from '../../support/fake-ehr/index.js';
import { WOUND } from '../../support/follow-up-context.js';
import { PATIENTS, PushGround } from './push-ground.js';

let ground: PushGround;
let tenant: Tenant;
let exit: EhrExit;

beforeAll(async () => {
  ground = await PushGround.open();
  exit = ground.exit;
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

async function start(dialect: Dialect) {
  const made = await ground.startEhr(dialect);
  const encounterRule = dialect === 'epic' ? 'period' : 'none';
  return { ...made, registered: await ground.register(tenant, made.ehr, { dialect, send: ['pdf'], encounterRule }) };
}

/** As the board of connections reads it. */
async function onBoard(id: string) {
  const all = await ground.query<{ readonly id: string; readonly isPaused: boolean; readonly waiting: number }>(
    RECEIVERS,
  );
  return all.filter((one) => one.id === id);
}

describe('replaying all of a time', () => {
  it('passes over what a person has to look for in the chart, and takes the rest', async () => {
    const { ehr, registered } = await start('epic');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    ehr.control.plan(answerWith(404), { path: '/fhir/Binary' });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    ehr.control.plan(answerWith(422), { method: 'POST', path: '/fhir/DocumentReference' });
    await reviewed('W2', 1);
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown', 'document v2 ehr_refused']);
    const endpoint = await exit.endpoint(registered.id);
    expect(await exit.replayRange(endpoint!, 'tester', new Date(0), null)).toBe(1);
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown', 'document v2 delivered']);
    expect(ehr.control.resources('DocumentReference')).toHaveLength(2);
  });
});

describe('sending one again as one of many', () => {
  it('leaves what a person has to look for in the chart, by its code, and takes what was refused as it was found, once', async () => {
    const { ehr, registered } = await start('epic');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    ehr.control.plan(answerWith(404), { path: '/fhir/Binary' });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    ehr.control.plan(answerWith(422), { method: 'POST', path: '/fhir/DocumentReference' });
    await reviewed('W2', 1);
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown', 'document v2 ehr_refused']);
    const [refused, unknown] = await exit.list({ endpointId: registered.id }, 10);
    expect(await exit.requeue(unknown!, 'tester')).toBe('ehr_outcome_unknown');
    expect(await exit.named(unknown!.id)).toEqual(unknown);
    expect(await exit.requeue(refused!, 'tester')).toBeNull();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown', 'document v2 delivered']);
    await expect(exit.requeue(refused!, 'another')).rejects.toMatchObject({ code: 'ehr.delivery_state' });
    expect(ehr.control.resources('DocumentReference')).toHaveLength(2);
  });
});

describe('an EHR whose push was switched off', () => {
  it('is nobody’s where nothing waits, and is shown where a withdrawal does', async () => {
    const { registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    await ground.stopAll();
    await ground.setPush(registered, { enabled: false });
    expect(await exit.endpoint(registered.id)).toBeNull();
    expect(await onBoard(registered.id)).toEqual([]);
    const gone = await ground.followUp.review(tenant, report, { decision: 'reject', note: 'Other wound' });
    await ground.tell(tenant, gone);
    expect(await exit.endpoint(registered.id)).toMatchObject({
      state: 'paused',
      trouble: expect.stringContaining('switched off') as string,
    });
    expect((await exit.endpoints(tenant)).map(({ id }) => id)).toEqual([registered.id]);
    expect(await exit.endpoints(await ground.context.createTenant())).toEqual([]);
    expect(await onBoard(registered.id)).toMatchObject([{ isPaused: true, waiting: 1 }]);
  });
});
