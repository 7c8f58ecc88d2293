import { EhrRegister } from '../../../src/core/ehrs/ehr.register.js';
import { isSuturaError } from '../../../src/core/errors/sutura-error.js';
import type { Ehr, EhrPush } from '../../../src/core/ehrs/ehr.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { answerWith, type Dialect, type FakeEhr, type Fault, type Resource } from '../../support/fake-ehr/index.js';
import { eventually } from '../../support/eventually.js';
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
const AREA = { system: 'urn:oid:2.999.5', code: '1001' };
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
const calls = ({ control }: FakeEhr, method: string, path: string) =>
  control.calls.filter((call) => call.method === method && call.path.endsWith(path)).length;

/** What the EHR has of it is changed there, or moved to another chart. */
function change(ehr: FakeEhr, resource: Resource, fields: object): void {
  ehr.control.addResource({ ...resource, ...fields } as Resource);
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'none';
  } catch (fault) {
    return isSuturaError(fault) ? fault.code : String(fault);
  }
}

async function last(registered: Ehr): Promise<string> {
  return (await ground.ended(registered)).at(-1)!;
}

describe('what may stand in the EHR', () => {
  it('is reached by the withdrawal, whatever it was held for since', async () => {
    const { ehr, registered } = await start('us-core-note');
    let other = '';
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    ehr.control.plan(
      { kind: 'before', act: () => void (other = ehr.control.addPatient(COLLIDING)) },
      { path: '/fhir/Patient', after: 1 },
    );
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_patient_ambiguous']);
    ehr.control.remove(`Patient/${other}`);
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(statuses(ehr)).toEqual(['entered-in-error']);
    expect(ehr.verify()).toEqual([]);
  });

  it.each(['us-core-note', 'transaction'] as const)(
    'is taken back where the EHR shows nothing that is entered in error any more: %s',
    async (dialect) => {
      const { ehr, registered } = await start(dialect);
      const report = await reviewed();
      ground.startProcess();
      expect(await last(registered)).toMatch(/v2 delivered$/);
      const place = { method: 'GET', path: `/DocumentReference/${documents(ehr)[0]!.id!}` };
      const hide = () => ehr.control.plan(answerWith(410), place);
      ehr.control.plan({ kind: 'before', act: hide }, { method: dialect === 'transaction' ? 'POST' : 'PUT' });
      await decided(report, 'reject');
      expect(await last(registered)).toMatch(/v3 delivered$/);
      expect(statuses(ehr)).toEqual(['entered-in-error']);
    },
  );

  it('is found by the process that takes over from one that ended before it was answered', async () => {
    for (const dialect of ['transaction', 'epic', 'isik'] as const) {
      const { ehr, registered } = await start(dialect);
      ehr.control.plan({ kind: 'hang-after' }, { method: 'POST' });
      await reviewed();
      const first = ground.startProcess();
      await eventually('the document', () => Promise.resolve(documents(ehr).length === 1));
      await first.beforeApplicationShutdown();
      expect((await ground.rows(registered))[0]).toMatchObject({ state: 'waiting', filed: null });
      ground.startProcess();
      expect(await last(registered)).toMatch(/v2 delivered$/);
      expect(documents(ehr)).toHaveLength(1);
      expect(ehr.verify()).toEqual([]);
      await ground.stopAll();
    }
  });

  it('is not written a second time because it was asked for anew after another hold', async () => {
    const { ehr, registered } = await start('epic');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    let other = '';
    ehr.control.plan(
      { kind: 'before', act: () => void (other = ehr.control.addPatient(COLLIDING)) },
      { path: '/fhir/Patient', after: 1 },
    );
    await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.remove(`Patient/${other}`);
    ehr.control.plan(answerWith(404), { path: '/fhir/Binary' });
    await ground.control.requeue((await ground.rows(registered))[0]!.id, 'tester');
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    expect(documents(ehr)).toHaveLength(1);
    await ground.control.requeue((await ground.rows(registered))[0]!.id, 'tester');
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect(documents(ehr)).toHaveLength(1);
  });

  it('does not bar later versions for ever: whoever asks for one anew has looked', async () => {
    const { ehr, registered } = await start('epic');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    ehr.control.plan(answerWith(404), { path: '/fhir/Binary', times: 9 });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    await ground.control.discard((await ground.rows(registered))[0]!.id, 'tester');
    await decided(report, 'accept');
    expect(await last(registered)).toBe('document v3 ehr_outcome_unknown');
    await ground.control.requeue((await ground.rows(registered))[1]!.id, 'tester');
    expect(await last(registered)).toBe('document v3 delivered');
  });
});

describe('what was filed', () => {
  it.each([
    ['transaction', 'us-core-note'],
    ['us-core-note', 'transaction'],
  ] as const)('as %s bars a registration from %s, and from another address', async (dialect, next) => {
    const { registered } = await start(dialect);
    await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    expect(await codeOf(() => ground.setPush(registered, { dialect: next }))).toBe('ehr.filed');
    const { organizationId, id } = registered;
    const moved = () =>
      ground.context.get(EhrRegister).change(organizationId, id, () => ({ fhirBaseUrl: 'https://other.example/fhir' }));
    expect(await codeOf(moved)).toBe('ehr.filed');
    await ground.setPush(registered, { when: 'final' });
  });

  it('is withdrawn once filing is enabled again, where the report was rejected in between', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    const before = ground.startProcess();
    await ground.ended(registered);
    await before.beforeApplicationShutdown();
    await ground.setPush(registered, { enabled: false });
    ground.startProcess();
    await decided(report, 'reject');
    const fresh = await reviewed('W2', 1);
    expect(statuses(ehr)).toEqual(['current']);
    await ground.setPush(registered, { enabled: true });
    expect(await ground.ended(registered)).toEqual(['document v2 delivered', 'document v3 delivered']);
    expect(statuses(ehr)).toEqual(['entered-in-error']);
    await ground.tell(tenant, fresh);
    expect(await last(registered)).toBe('document v2 delivered');
  });

  it('is withdrawn in every version, and where documents are not sent any more', async () => {
    for (const dialect of ['us-core-note', 'transaction'] as const) {
      const { ehr, registered } = await start(
        dialect,
        dialect === 'transaction' ? { send: ['pdf', 'observations'] } : {},
      );
      const report = await reviewed();
      ground.startProcess();
      await ground.ended(registered);
      const next = await decided(report, 'accept');
      await ground.ended(registered);
      await ground.setPush(registered, { send: ['observations'] });
      await decided(next, 'reject');
      expect((await ground.ended(registered)).every((said) => said.endsWith('delivered'))).toBe(true);
      expect(new Set([...statuses(ehr), ...ehr.control.resources('Observation').map(({ status }) => status)])).toEqual(
        new Set(['entered-in-error']),
      );
      expect(ehr.verify()).toEqual([]);
      await ground.stopAll();
    }
  });

  it('is withdrawn in every version, although the EHR takes the mark of one and sets it later', async () => {
    const { ehr, registered } = await start('us-core-note', { send: ['pdf'] });
    ground.startProcess();
    const report = await reviewed();
    await ground.ended(registered);
    const corrected = await decided(report, 'accept');
    await ground.ended(registered);
    ehr.control.plan({ kind: 'answer', answer: { status: 202 } }, { method: 'PUT' });
    await decided(corrected, 'reject');
    await eventually('the other mark', () =>
      Promise.resolve(documents(ehr).filter(({ status }) => status === 'entered-in-error').length === 1),
    );
    expect((await ground.rows(registered)).at(-1)).toMatchObject({ state: 'waiting', filed: null });
  });

  it('is withdrawn as far as it is there, where the EHR has removed a part of it', async () => {
    for (const dialect of ['us-core-note', 'transaction'] as const) {
      const { ehr, registered } = await start(dialect);
      const report = await reviewed();
      ground.startProcess();
      await ground.ended(registered);
      const next = await decided(report, 'accept');
      await ground.ended(registered);
      const [first, second] = documents(ehr);
      const { relatesTo: _, ...alone } = second!;
      ehr.control.addResource(alone as Resource);
      ehr.control.remove(`DocumentReference/${String(first!['id'])}`);
      await decided(next, 'reject');
      expect(await last(registered)).toMatch(/v4 ehr_removed_there$/);
      expect(statuses(ehr)).toEqual(['entered-in-error']);
      await ground.stopAll();
    }
  });

  it('is what an EHR names: a page, an empty answer or an outcome of errors in its place is none', async () => {
    for (const dialect of ['us-core-note', 'transaction', 'epic'] as const)
      for (const fault of [page(200), answerWith(200), { kind: 'answer', answer: { status: 200 } } as const]) {
        const { ehr, registered } = await start(dialect);
        ehr.control.plan(fault, { method: 'POST' });
        await reviewed();
        ground.startProcess();
        expect((await ground.lookedFor(registered)).at(-1)).toMatch(/delivered$/);
        expect(documents(ehr)).toHaveLength(1);
        expect((await ground.rows(registered))[0]?.filed?.[0]?.id).toBe(documents(ehr)[0]!['id']);
        expect(ehr.verify()).toEqual([]);
        await ground.stopAll();
      }
  });
});

describe('an EHR that takes a result and files it later', () => {
  it('is asked for it, and is not sent it again', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    ehr.control.plan({ kind: 'accepted' }, { method: 'POST' });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect((await ground.rows(registered))[0]?.filed?.[0]?.id).toBe(documents(ehr)[0]!['id']);
    expect(ehr.verify([{ patientId, versions: [`${report.id}/document/v2`] }])).toEqual([]);
  });

  it.each<[string, Fault]>([
    ['has taken it', { kind: 'answer', answer: { status: 202 } }],
    ['has made it, and names nothing', { kind: 'answer', answer: { status: 201 } }],
    ['has made it, behind a proxy’s page', page(201)],
    ['has made it, and remarks on it', answerWith(201)],
  ])('and has not filed it yet, is asked on and on where it says that it %s', async (_what, fault) => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan(fault, { method: 'POST' });
    await reviewed();
    ground.startProcess();
    await eventually('three looks', () => Promise.resolve(calls(ehr, 'GET', '/fhir/DocumentReference') > 2));
    // A second request would have been carried out.
    expect(documents(ehr)).toEqual([]);
    await eventually('what is said of it', async () => {
      const [row] = await ground.rows(registered);
      return row?.state === 'waiting' && row.answer_codes === '202';
    });
  });
});

describe('what somebody changed in the EHR', () => {
  it('is not corrected over their head, and is withdrawn all the same', async () => {
    const codes = { area: { ...AREA, unit: 'cm2' } };
    const { ehr, registered } = await start('epic', { send: ['observations'], codes });
    ehr.control.mapRow({ ...AREA, unit: 'cm2' });
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const next = await decided(report, 'accept');
    expect(await last(registered)).toBe('observation-area v3 delivered');
    // As the fake has it, with another version than the one that was answered.
    change(ehr, ehr.control.resources('Observation')[0]!, { note: [{ text: 'Measured by hand' }] });
    const later = await decided(next, 'accept');
    expect(await last(registered)).toBe('observation-area v4 ehr_changed_there');
    // The row may have been mapped anew since.
    await ground.setPush(registered, { codes: { length: AREA } });
    await decided(later, 'reject');
    expect(await last(registered)).toBe('observation-area v5 delivered');
    expect(ehr.control.resources('Observation')).toMatchObject([
      { status: 'entered-in-error', note: [{ text: 'Measured by hand' }] },
    ]);
    expect(ehr.verify()).toEqual([]);
  });

  it('to entered in error stays so, whatever comes after it', async () => {
    for (const dialect of ['transaction', 'oracle'] as const) {
      const { ehr, registered } = await start(dialect);
      const report = await reviewed();
      ground.startProcess();
      await ground.ended(registered);
      change(ehr, documents(ehr)[0]!, { status: 'entered-in-error' });
      const next = await decided(report, 'accept');
      expect(await last(registered)).toMatch(dialect === 'oracle' ? /v3 ehr_changed_there$/ : /v3 delivered$/);
      expect(statuses(ehr)).toEqual(dialect === 'oracle' ? ['entered-in-error'] : ['entered-in-error', 'current']);
      await decided(next, 'reject');
      expect(await last(registered)).toMatch(/v4 delivered$/);
      expect(new Set(statuses(ehr))).toEqual(new Set(['entered-in-error']));
      await ground.stopAll();
    }
  });

  it.each([
    ['us-core-note', 'document'],
    ['transaction', 'bundle'],
  ] as const)(
    'so that it is there twice waits for a person, and so does its withdrawal (%s)',
    async (dialect, part) => {
      const { ehr, registered } = await start(dialect);
      let copy = '';
      const copied = () => {
        const { id: _, ...one } = documents(ehr)[0]!;
        copy = ehr.control.addResource(one as unknown as Resource);
      };
      ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
      ehr.control.plan({ kind: 'before', act: copied }, { path: '/fhir/Patient', after: 1 });
      const report = await reviewed();
      ground.startProcess();
      expect(await ground.ended(registered)).toEqual([`${part} v2 ehr_duplicate`]);
      await decided(report, 'reject');
      expect(await last(registered)).toBe(`${part} v3 ehr_duplicate`);
      const rows = await ground.rows(registered);
      change(
        ehr,
        documents(ehr).find(({ id }) => id === copy)!,
        { status: 'entered-in-error' },
      );
      await ground.control.requeue(rows[1]!.id, 'tester');
      expect(await last(registered)).toBe(`${part} v3 delivered`);
      expect(statuses(ehr)).toEqual(['entered-in-error', 'entered-in-error']);
    },
  );
});

describe('the patient', () => {
  it('who had the number once is not who is meant', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    ehr.control.addResource({
      resourceType: 'Patient',
      id: patientId,
      identifier: [{ ...COLLIDING.identifiers[0], use: 'old' }],
    });
    await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_patient_doubtful']);
    expect(documents(ehr)).toEqual([]);
  });

  it('whose chart may have the result is looked at there, after the number went to another record', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    ehr.control.plan({ kind: 'drop-after' }, { method: 'POST', path: '/fhir/DocumentReference' });
    const renumber = () => {
      ehr.control.addResource({ resourceType: 'Patient', id: patientId, identifier: [] });
      ehr.control.addPatient(COLLIDING);
    };
    ehr.control.plan({ kind: 'before', act: renumber }, { path: '/fhir/Patient', after: 1 });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_patient_changed']);
    expect(documents(ehr).map(({ subject }) => subject)).toEqual([{ reference: `Patient/${patientId}` }]);
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(statuses(ehr)).toEqual(['entered-in-error']);
    expect(ehr.verify()).toEqual([]);
  });

  it('of a document that was entered in error in a foreign chart gets the correction as their own', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.addResource({ resourceType: 'Patient', id: patientId, identifier: [] });
    const other = ehr.control.addPatient(COLLIDING);
    await decided(report, 'accept');
    expect(await last(registered)).toBe('document v3 ehr_patient_changed');
    change(ehr, documents(ehr)[0]!, { status: 'entered-in-error' });
    await ground.control.requeue((await ground.rows(registered))[1]!.id, 'tester');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(documents(ehr)[1]).toMatchObject({ subject: { reference: `Patient/${other}` } });
  });

  it('whose two records were joined there has what was filed with one of them corrected', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.addResource({ resourceType: 'Patient', id: patientId, identifier: [] });
    const other = ehr.control.addPatient(COLLIDING);
    change(ehr, documents(ehr)[0]!, { subject: { reference: `${ehr.fhirBaseUrl}/Patient/${other}` } });
    const next = await decided(report, 'accept');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(documents(ehr)[1]).toMatchObject({
      subject: { reference: `Patient/${other}` },
      relatesTo: [{ code: 'replaces' }],
    });
    change(ehr, documents(ehr)[0]!, { subject: { reference: `Patient/${other}` } });
    await decided(next, 'reject');
    expect(await last(registered)).toBe('document v4 delivered');
    expect(statuses(ehr)).toEqual(['entered-in-error', 'entered-in-error']);
  });

  it('of what stands under a known id must be the one who is meant: nothing of another chart is changed', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const other = ehr.control.addPatient({ identifiers: [{ system: PATIENTS, value: 'MRN-1' }] });
    change(ehr, documents(ehr)[0]!, { subject: { reference: `Patient/${other}` } });
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 ehr_patient_changed');
    expect(statuses(ehr)).toEqual(['current']);
  });
});

describe('a figure at the same moment', () => {
  const push = { send: ['observations'] as const, codes: { area: AREA } };

  it('of another report of ours is never taken for this one', async () => {
    const { ehr, registered } = await start('epic', push);
    ehr.control.mapRow({ ...AREA, unit: 'cm2' });
    await reviewed('W1');
    ground.startProcess();
    await ground.ended(registered);
    change(ehr, ehr.control.resources('Observation')[0]!, { identifier: [] });
    ehr.control.plan(answerWith(503), { method: 'POST' });
    await reviewed('W2');
    expect(await last(registered)).toBe('observation-area v2 ehr_outcome_unknown');
    await ground.lookedFor(registered);
    // Epic refuses the second of the same value: it has it, and it is not ours to claim.
    expect(await last(registered)).toBe('observation-area v2 ehr_refused');
    expect((await ground.rows(registered))[1]!.filed).toBeNull();
  });

  it.each([
    ['of somebody else cannot be told from ours', {}],
    ['that was entered in error is not ours for that', { status: 'entered-in-error' }],
  ])('%s: the result is held', async (_what, fields) => {
    const { ehr, registered } = await start('oracle', { send: ['observations'], codes: { area: AREA } });
    ground.startProcess();
    const first = await reviewed();
    await ground.ended(registered);
    const theirs = ehr.control
      .resources('Observation')
      .map(({ id: _, identifier: __, ...one }) => ({ ...one, ...fields, issued: '2020-01-01T00:00:00Z' }));
    await ground.query(`delete from ehr_deliveries where report_id = '${first.id}'`);
    for (const { id } of ehr.control.resources('Observation')) ehr.control.remove(`Observation/${String(id)}`);
    for (const one of theirs) ehr.control.addResource(one as unknown as Resource);
    ehr.control.plan({ kind: 'drop-before' }, { method: 'POST', path: '/fhir/Observation' });
    await ground.tell(tenant, first);
    expect((await ground.ended(registered))[0]).toBe('observation-area v2 ehr_outcome_unknown');
  });
});

describe('what ends nowhere', () => {
  it('holds one result and no other where the fault is our own', async () => {
    const { ehr, registered } = await start('us-core-note');
    const made = await ground.followUp.assess(tenant, 0, 12, SUBJECT);
    ground.undrawable.add(made.id);
    const report = await ground.followUp.review(tenant, made, { decision: 'accept' });
    await ground.tell(tenant, report);
    await reviewed('W2', 1);
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_own_fault', 'document v2 delivered']);
    expect((await ground.rows(registered))[0]!.answer_codes).toBe('TypeError');
    expect(documents(ehr)).toHaveLength(1);
  });

  it('is not asked again and again: a transaction that conflicts was changed there', async () => {
    const { ehr, registered } = await start('transaction', { send: ['observations'] });
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const next = await decided(report, 'accept');
    expect(await last(registered)).toBe('bundle v3 delivered');
    // As the fake has it, with a version that is not the one that was answered.
    for (const one of ehr.control.resources('Observation')) change(ehr, one, { note: [{ text: 'Seen' }] });
    ehr.control.plan(answerWith(409), { method: 'POST', times: 20 });
    const before = calls(ehr, 'POST', '/fhir');
    await decided(next, 'accept');
    expect(await last(registered)).toBe('bundle v4 ehr_changed_there');
    expect(calls(ehr, 'POST', '/fhir')).toBe(before);
  });
});
