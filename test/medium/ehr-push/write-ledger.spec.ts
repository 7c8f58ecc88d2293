import { EhrRegister } from '../../../src/core/ehrs/ehr.register.js';
import type { Ehr } from '../../../src/core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { FiledLedger } from '../../../src/exits/ehr/queue/filed-ledger.js';
import { withBegun } from '../../../src/exits/ehr/queue/open-writes.js';
import { WriteLedger } from '../../../src/exits/ehr/queue/write-ledger.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { eventually } from '../../support/eventually.js';
import type { FakeEhr, Resource } from '../../support/fake-ehr/index.js';
import { WOUND } from '../../support/follow-up-context.js';
import { PATIENTS, PushGround } from './push-ground.js';

let ground: PushGround;
let tenant: Tenant;
let writes: WriteLedger;
let ehr: FakeEhr;
let registered: Ehr;

beforeAll(async () => {
  ground = await PushGround.open();
  writes = new WriteLedger(ground.context.get(SystemStatements));
});

afterAll(() => ground.close());

beforeEach(async () => {
  tenant = await ground.context.createTenant();
  ({ ehr } = await ground.startEhr('oracle'));
  ehr.control.addPractitioner({ identifiers: [{ system: 'urn:oid:2.999.9', value: 'HCP-0042' }] });
  registered = await ground.register(tenant, ehr, { dialect: 'oracle', send: ['pdf'], encounterRule: 'period' });
});

afterEach(() => ground.stopAll());

const CREATE = { patient: 'Patient/1', kind: 'create' } as const;
const OPEN = withBegun([], CREATE);
const documents = () => ehr.control.resources('DocumentReference');

async function reviewed(woundId = 'W1'): Promise<ClinicalReport> {
  const made = await ground.followUp.assess(tenant, 0, 12, { ...WOUND, patientSystem: PATIENTS, woundId });
  const report = await ground.followUp.review(tenant, made, { decision: 'accept' });
  await ground.tell(tenant, report);
  return report;
}

/** As its sender has claimed it so often; both versions of one part. */
async function claimed(): Promise<{ readonly older: string; readonly newer: string }> {
  const report = await reviewed();
  await ground.tell(tenant, await ground.followUp.review(tenant, report, { decision: 'accept', note: 'Again' }));
  const lease = '00000000-0000-4000-8000-000000000001';
  await ground.query(
    `update ehr_senders set lease_token = '${lease}', lease_until = now() where ehr_id = '${registered.id}'`,
  );
  await writes.settleIn(registered.id, lease);
  await ground.query(`update ehr_senders set lease_token = null, lease_until = null where ehr_id = '${registered.id}'`);
  await ground.query(`update ehr_deliveries set attempts = 1 where ehr_id = '${registered.id}'`);
  const [older, newer] = await ground.rows(registered);
  return { older: older!.id, newer: newer!.id };
}

const begin = (id: string, begunBefore = 0, attempt = 1) =>
  writes.begin({ id, attempt }, OPEN, { patient: CREATE.patient, begunBefore });
const file = (id: string, begunBefore = 0, attempt = 1) =>
  writes.file({ id, attempt }, { filed: [], open: [] }, begunBefore);

it('an attempt that lost its lease writes nothing once another has begun', async () => {
  const { older } = await claimed();
  expect(await begin(older)).toBe('done');
  await ground.query(`update ehr_deliveries set attempts = 2 where id = '${older}'`);
  expect(await begin(older)).toBe('taken_over');
  expect(await file(older)).toBe('taken_over');
  await writes.keep({ id: older, attempt: 1 }, []);
  expect((await writes.known({ id: older, attempt: 2 })).open).toMatchObject([{ ...CREATE, times: 1, isTaken: false }]);
});

it('a version is neither sent nor filed as if nothing stood of the one before, once a write of that began behind it', async () => {
  const { older, newer } = await claimed();
  expect(await begin(older)).toBe('done');
  expect(await begin(newer)).toBe('taken_over');
  expect(await file(newer)).toBe('taken_over');
  expect(await file(newer, 1)).toBe('done');
});

it('of two versions that begin at once, one sees the other', async () => {
  for (let round = 0; round < 5; round += 1) {
    tenant = await ground.context.createTenant();
    registered = await ground.register(tenant, (await ground.startEhr('oracle')).ehr, {
      dialect: 'oracle',
      send: ['pdf'],
      encounterRule: 'period',
    });
    const { older, newer } = await claimed();
    const said = await Promise.all([begin(older), begin(newer)]);
    expect(said.filter((one) => one === 'done')).toHaveLength(1);
  }
});

it('a version before one that is filed, was discarded or may stand is not sent, and one that a person parked neither', async () => {
  const { older, newer } = await claimed();
  expect(await begin(newer)).toBe('done');
  expect(await begin(older)).toBe('superseded');
  await writes.keep({ id: newer, attempt: 1 }, []);
  await ground.query(`update ehr_deliveries set state = 'discarded' where id = '${newer}'`);
  expect(await begin(older)).toBe('superseded');
  await ground.query(`update ehr_deliveries set state = 'parked' where id in ('${newer}', '${older}')`);
  expect(await begin(older)).toBe('taken_over');
  expect(await begin('00000000-0000-4000-8000-000000000002')).toBe('gone');
});

it('what a process of the release before has sent is known, and what is sent now it knows', async () => {
  const { older } = await claimed();
  await ground.query(`update ehr_deliveries set unsettled = true, patient = 'Patient/7' where id = '${older}'`);
  const [legacy, ...others] = (await writes.known({ id: older, attempt: 1 })).open;
  expect(others).toEqual([]);
  expect(legacy).toMatchObject({ patient: 'Patient/7', kind: 'create', times: 1 });
  await begin(older);
  expect(await ground.query(`select unsettled, patient from ehr_deliveries where id = '${older}'`)).toEqual([
    { unsettled: true, patient: 'Patient/1' },
  ]);
  const place = { part: 'document', reportId: await reportOf(older), version: 9 } as const;
  const { begun, entries } = await new FiledLedger(ground.context.get(SystemStatements)).before(registered.id, place);
  expect(begun).toBe(1);
  expect(entries[0]!.open).toMatchObject([{ ...CREATE, times: 1 }]);
});

it('a version before one that was filed, and is sent again, is not sent', async () => {
  const { older, newer } = await claimed();
  expect(await begin(newer)).toBe('done');
  expect(await file(newer)).toBe('done');
  await ground.query(`update ehr_deliveries set state = 'parked', held_for = 'ehr_refused' where id = '${newer}'`);
  expect(await begin(older)).toBe('superseded');
  expect(await file(older)).toBe('superseded');
});

it('a version that was made after the database came back waits for a person, where its report may be older', async () => {
  const report = await reviewed();
  const before = ground.startProcess();
  await ground.ended(registered);
  await before.beforeApplicationShutdown();
  await writes.cameBack();
  const after = ground.startProcess();
  await eventually('to have settled in', async () => {
    const [row] = await ground.query<{ came_back_at: unknown }>(
      `select came_back_at from ehr_senders where ehr_id = '${registered.id}'`,
    );
    return row!.came_back_at !== null;
  });
  const next = await ground.followUp.review(tenant, report, { decision: 'accept', note: 'Again' });
  await ground.tell(tenant, next);
  expect((await ground.ended(registered)).at(-1)).toBe('document v3 ehr_outcome_unknown');
  expect((await ground.rows(registered))[1]).toMatchObject({ answer_codes: 'restored', filed: null });
  expect((await ground.lookedFor(registered)).at(-1)).toBe('document v3 delivered');
  await ground.tell(tenant, await ground.followUp.review(tenant, next, { decision: 'accept', note: 'Once more' }));
  expect((await ground.ended(registered)).at(-1)).toBe('document v4 delivered');
  await after.beforeApplicationShutdown();
});

it.each(['is paused', 'has its push switched off'] as const)(
  'a version that is made after the database came back, while the EHR %s, waits for a person, too',
  async (how) => {
    const report = await reviewed();
    const before = ground.startProcess();
    await ground.ended(registered);
    await before.beforeApplicationShutdown();
    const stop =
      how === 'is paused' ? ground.pushRegister.pause(registered.id) : ground.setPush(registered, { enabled: false });
    await stop;
    await writes.cameBack();
    await ground.tell(tenant, await ground.followUp.review(tenant, report, { decision: 'accept', note: 'Again' }));
    await (how === 'is paused'
      ? ground.pushRegister.resume(registered.id)
      : ground.setPush(registered, { enabled: true }));
    ground.startProcess();
    expect((await ground.ended(registered)).at(-1)).toBe('document v3 ehr_outcome_unknown');
    expect((await ground.rows(registered))[1]).toMatchObject({ answer_codes: 'restored', filed: null });
  },
);

it('what an EHR was given first after the back-up is looked for, once the database came back without it', async () => {
  const report = await reviewed();
  const before = ground.startProcess();
  await ground.ended(registered);
  await before.beforeApplicationShutdown();
  await ground.query(`delete from ehr_deliveries where ehr_id = '${registered.id}'`);
  await writes.cameBack();
  await ground.tell(tenant, report);
  ground.startProcess();
  expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
  expect(documents()).toHaveLength(1);
});

it('a version that a person has looked for after that, and that was filed, is forgotten no more', async () => {
  const report = await reviewed();
  await writes.cameBack();
  ground.startProcess();
  await ground.lookedFor(registered);
  await ground.tell(tenant, await ground.followUp.review(tenant, report, { decision: 'accept', note: 'Again' }));
  expect((await ground.lookedFor(registered)).at(-1)).toBe('document v3 delivered');
  const { id, attempts: attempt } = (await ground.rows(registered))[1]!;
  expect(await writes.known({ id, attempt })).toMatchObject({ isForgotten: false });
});

it('an EHR that is registered anew is told nothing by itself of what the registration before has filed: a person is asked', async () => {
  const [corrected, withdrawn] = [await reviewed(), await reviewed('W2')];
  const before = ground.startProcess();
  await ground.ended(registered);
  await before.beforeApplicationShutdown();
  const ehrs = ground.context.get(EhrRegister);
  await ehrs.remove(tenant.organizationId, registered.id);
  registered = await ground.register(tenant, ehr, { dialect: 'oracle', send: ['pdf'], encounterRule: 'period' });
  await ground.query(`update ehrs set created_at = now() where id = '${registered.id}'`);
  await ground.tell(tenant, await ground.followUp.review(tenant, corrected, { decision: 'accept', note: 'Again' }));
  await ground.tell(tenant, await ground.followUp.review(tenant, withdrawn, { decision: 'reject', note: 'No wound' }));
  ground.startProcess();
  const held = 'document v3 ehr_outcome_unknown';
  expect(await ground.ended(registered)).toEqual([held, held]);
  for (const { id, status } of documents())
    if (status === 'current') ehr.control.edit(`DocumentReference/${String(id)}`, { status: 'entered-in-error' });
  expect(await ground.lookedFor(registered)).toEqual(['document v3 delivered', 'document v3 delivered']);
  expect(documents().filter(({ status }) => status === 'current')).toHaveLength(1);
});

async function reportOf(id: string): Promise<string> {
  const [row] = await ground.query<{ report_id: string }>(`select report_id from ehr_deliveries where id = '${id}'`);
  return row!.report_id;
}

it('after the database came back without what was written last, what waits is looked for before it is sent', async () => {
  const report = await reviewed();
  const before = ground.startProcess();
  await ground.ended(registered);
  await before.beforeApplicationShutdown();
  // As it was backed up before the delivery was taken up.
  const asItWas = `state = 'waiting', attempts = 0, unsent = true, sent_at = null, delivered_at = null, filed = null, unsettled = false, open_writes = '[]', begun = 0, history = '[]'`;
  await ground.query(`update ehr_deliveries set ${asItWas} where ehr_id = '${registered.id}'`);
  await writes.cameBack();
  ground.startProcess();
  expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
  expect(documents().map(({ id }: Resource) => id)).toHaveLength(1);
  await eventually('the row', async () => (await ground.rows(registered))[0]?.filed?.[0]?.id === documents()[0]!['id']);
  expect(report.version).toBe(2);
});
