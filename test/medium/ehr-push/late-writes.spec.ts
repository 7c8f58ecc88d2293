import type { Ehr, EhrPush } from '../../../src/core/ehrs/ehr.js';
import { isSuturaError } from '../../../src/core/errors/sutura-error.js';
import type { ClinicalReport } from '../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { eventually } from '../../support/eventually.js';
import { answerWith, type Answer, type Dialect, type FakeEhr, type Resource } from '../../support/fake-ehr/index.js';
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

const COLLIDING = { identifiers: [{ system: PATIENTS, value: 'MRN-4711' }] };
const AREA = { system: 'urn:oid:2.999.5', code: '1001', unit: 'cm2' } as const;
const FIGURE = { send: ['observations'] as const, codes: { area: AREA } };

async function reviewed(): Promise<ClinicalReport> {
  const made = await ground.followUp.assess(tenant, 0, 12, { ...WOUND, patientSystem: PATIENTS });
  const report = await ground.followUp.review(tenant, made, { decision: 'accept' });
  await ground.tell(tenant, report);
  return report;
}

async function decided(
  report: ClinicalReport,
  decision: 'accept' | 'reject',
  by = 'HCP-0042',
): Promise<ClinicalReport> {
  const reviewer = { id: by, name: 'Ada Winter', system: 'urn:oid:2.999.9' };
  const next = await ground.followUp.review(tenant, report, { decision, note: 'Seen again', reviewer });
  await ground.tell(tenant, next);
  return next;
}

async function start(dialect: Dialect, push: Partial<EhrPush> = {}) {
  const made = await ground.startEhr(dialect);
  made.ehr.control.addPractitioner({ identifiers: [{ system: 'urn:oid:2.999.9', value: 'HCP-0042' }] });
  made.ehr.control.mapRow(AREA);
  const encounterRule = dialect === 'epic' || dialect === 'oracle' ? 'period' : 'none';
  const registered = await ground.register(tenant, made.ehr, { dialect, send: ['pdf'], encounterRule, ...push });
  return { ...made, registered };
}

/** The next create is not carried out before `finish`. */
function late({ control }: FakeEhr, answer: Answer | null): { finish(): Promise<Answer>; isSent(): boolean } {
  let work: (() => Promise<Answer>) | undefined;
  control.plan({ kind: 'late', answer, hold: (held) => void (work = held) }, { method: 'POST' });
  return { finish: () => work!(), isSent: () => work !== undefined };
}

const documents = ({ control }: FakeEhr) => control.resources('DocumentReference');
const statuses = (ehr: FakeEhr) => documents(ehr).map(({ status }) => status);
const posts = ({ control }: FakeEhr) => control.calls.filter(({ method }) => method === 'POST').length;
const change = ({ control }: FakeEhr, resource: Resource, fields: object) =>
  void control.addResource({ ...resource, ...fields } as Resource);

async function last(registered: Ehr): Promise<string> {
  return (await ground.ended(registered)).at(-1)!;
}

async function requeue(registered: Ehr, place: number): Promise<string> {
  const row = (await ground.rows(registered))[place]!;
  try {
    await (row.state === 'parked' ? ground.control.requeue(row.id, 'tester') : ground.control.replay(row.id, 'tester'));
    return 'requeued';
  } catch (fault) {
    return isSuturaError(fault) ? fault.code : String(fault);
  }
}

describe('a result that the EHR has taken, and that is not there', () => {
  it.each(['held', 'discarded'] as const)(
    'is not called withdrawn, where it is %s; it is once it came',
    async (how) => {
      const { ehr, registered } = await start('us-core-note');
      const { finish } = late(ehr, { status: 202 });
      const report = await reviewed();
      ground.startProcess({ takenMs: 0 });
      expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
      if (how === 'discarded') await ground.control.discard((await ground.rows(registered))[0]!.id, 'tester');
      await decided(report, 'reject');
      expect(await last(registered)).toBe('document v3 ehr_outcome_unknown');
      await finish();
      await requeue(registered, 1);
      expect(await last(registered)).toBe('document v3 delivered');
      expect(statuses(ehr)).toEqual(['entered-in-error']);
    },
  );

  it('is not sent again in a transaction either', async () => {
    const { ehr, registered } = await start('transaction');
    const { finish } = late(ehr, { status: 202 });
    await reviewed();
    ground.startProcess();
    await eventually('a look', async () => ((await ground.rows(registered))[0]?.attempts ?? 0) > 2);
    expect(documents(ehr)).toEqual([]);
    await finish();
    expect(await last(registered)).toBe('bundle v2 delivered');
    expect(documents(ehr)).toHaveLength(1);
    expect(ehr.verify()).toEqual([]);
  });
});

describe('a create of which nothing was heard', () => {
  it('is not sent again while it may be carried out, and is found once it was', async () => {
    const { ehr, registered } = await start('epic');
    const { finish, isSent } = late(ehr, null);
    await reviewed();
    ground.startProcess({ lateMs: 1500 });
    await eventually('it to be sent', () => Promise.resolve(isSent()));
    await eventually('a look', async () => (await ground.rows(registered))[0]?.answer_codes === 'under_way');
    expect(posts(ehr)).toBe(0);
    await finish();
    expect(await ground.ended(registered)).toEqual(['document v2 delivered']);
    expect(documents(ehr)).toHaveLength(1);
  });

  it('is asked of a person, and counts beside the one that was filed after that: the withdrawal finds both', async () => {
    const { ehr, registered } = await start('oracle');
    const { finish } = late(ehr, null);
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    expect(documents(ehr)).toEqual([]);
    expect(await ground.lookedFor(registered)).toEqual(['document v2 delivered']);
    await finish();
    expect(documents(ehr)).toHaveLength(2);
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 ehr_duplicate');
  });

  it('and that comes beside a later version is in doubt with the next one: a person sees both', async () => {
    const { ehr, registered } = await start('oracle');
    const { finish } = late(ehr, null);
    const report = await reviewed();
    ground.startProcess();
    await ground.lookedFor(registered);
    const corrected = await decided(report, 'accept');
    expect(await last(registered)).toBe('document v3 delivered');
    await finish();
    await decided(corrected, 'accept');
    expect(await last(registered)).toBe('document v4 ehr_duplicate');
  });

  it.each([['observations'], ['pdf']] as const)(
    'is withdrawn in all that it made, although only %s are sent since',
    async (content) => {
      const { ehr, registered } = await start('transaction', { send: ['pdf', 'observations'] });
      ehr.control.plan({ kind: 'drop-after' }, { method: 'POST' });
      const report = await reviewed();
      const process = ground.startProcess({ lateMs: 600_000 });
      await eventually('it to be sent', () => Promise.resolve(documents(ehr).length > 0));
      await process.beforeApplicationShutdown();
      await ground.setPush(registered, { send: [content] });
      await decided(report, 'reject');
      ground.startProcess();
      expect(await last(registered)).toBe('bundle v3 delivered');
      const all = [...documents(ehr), ...ehr.control.resources('Observation')];
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['entered-in-error']));
    },
  );

  it('in one chart is withdrawn there, too, where the result went to another one since', async () => {
    const { ehr, patientId, registered } = await start('us-core-note');
    const { finish } = late(ehr, null);
    const renumber = () => {
      ehr.control.addResource({ resourceType: 'Patient', id: patientId, identifier: [] });
      ehr.control.addPatient(COLLIDING);
    };
    ehr.control.plan({ kind: 'before', act: renumber }, { path: '/fhir/Patient', after: 1 });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_outcome_unknown']);
    expect(await ground.lookedFor(registered)).toEqual(['document v2 delivered']);
    await finish();
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(statuses(ehr)).toEqual(['entered-in-error', 'entered-in-error']);
  });
});

describe('a withdrawal of what nothing was heard of', () => {
  it.each([
    ['and which the EHR carries out later', null],
    ['and which the EHR has taken, with the place where it will be', 202],
  ] as const)('%s, is not done before a person has looked', async (_what, status) => {
    const { ehr, registered } = await start('us-core-note');
    const headers = { location: `${ehr.fhirBaseUrl}/DocumentReference/doc-later/_history/1` };
    const { finish } = late(ehr, status === null ? null : { status, headers });
    const hide = () => void ehr.control.addPatient(COLLIDING);
    ehr.control.plan({ kind: 'before', act: hide }, { path: '/fhir/Patient', after: 1 });
    const report = await reviewed();
    ground.startProcess({ takenMs: 0 });
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_patient_ambiguous']);
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 ehr_outcome_unknown');
    await finish();
    expect(await ground.lookedFor(registered)).toEqual(['document v2 ehr_patient_ambiguous', 'document v3 delivered']);
    expect(statuses(ehr)).toEqual(['entered-in-error']);
  });
});

describe('an earlier version', () => {
  it('is not filed beside a later one that was filed, and is held where it was to be sent again', async () => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan(answerWith(422), { method: 'POST' });
    const report = await reviewed();
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_refused']);
    await decided(report, 'accept');
    expect(await last(registered)).toBe('document v3 delivered');
    const other = ehr.control.addPatient(COLLIDING);
    expect(await requeue(registered, 1)).toBe('requeued');
    expect(await last(registered)).toBe('document v3 ehr_patient_ambiguous');
    ehr.control.remove(`Patient/${other}`);
    expect(await requeue(registered, 0)).toBe('ehr.superseded');
    expect(statuses(ehr)).toEqual(['current']);
  });

  it.each(['is discarded', 'may stand'] as const)('is not filed after a later one that %s', async (what) => {
    const { ehr, registered } = await start('us-core-note');
    ehr.control.plan(answerWith(422), { method: 'POST' });
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.plan(what === 'may stand' ? { kind: 'drop-after' } : answerWith(422), { method: 'POST' });
    const hide = () => void ehr.control.addPatient(COLLIDING);
    if (what === 'may stand') ehr.control.plan({ kind: 'before', act: hide }, { path: '/fhir/Patient', after: 1 });
    await decided(report, 'accept');
    expect(await last(registered)).toMatch(/v3 ehr_(refused|patient_ambiguous)$/);
    if (what === 'is discarded') await ground.control.discard((await ground.rows(registered))[1]!.id, 'tester');
    expect(await requeue(registered, 0)).toBe('ehr.superseded');
    expect((await ground.rows(registered))[0]?.state).toBe('parked');
  });

  it('that waits is not filed once its report is withdrawn', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    await decided(report, 'reject');
    ground.startProcess();
    expect(await ground.ended(registered)).toEqual(['document v2 ehr_superseded', 'document v3 delivered']);
    expect(documents(ehr)).toEqual([]);
  });
});

describe('what a clinician changed there', () => {
  it.each(['transaction', 'epic'] as const)(
    'stays theirs where the version is filed once more (%s)',
    async (dialect) => {
      const { ehr, registered } = await start(dialect, FIGURE);
      const report = await reviewed();
      ground.startProcess();
      await ground.ended(registered);
      const next = await decided(report, 'accept');
      await ground.ended(registered);
      for (const one of ehr.control.resources('Observation')) {
        const path = `${ehr.fhirBaseUrl}/Observation/${String(one['id'])}`;
        const headers = {
          'content-type': 'application/fhir+json',
          accept: 'application/fhir+json',
          'if-match': 'W/"2"',
        };
        const body = JSON.stringify({ ...one, note: [{ text: 'Measured by hand' }] });
        expect((await fetch(path, { method: 'PUT', headers, body })).status).toBe(200);
      }
      expect(await requeue(registered, 1)).toBe('requeued');
      expect(await last(registered)).toMatch(/v3 delivered$/);
      await decided(next, 'accept');
      expect(await last(registered)).toMatch(/v4 ehr_changed_there$/);
    },
  );

  it('to entered in error is no correction that was filed', async () => {
    const { ehr, registered } = await start('epic', FIGURE);
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    ehr.control.plan({ kind: 'drop-after' }, { method: 'PUT' });
    const end = () => change(ehr, ehr.control.resources('Observation')[0]!, { status: 'entered-in-error' });
    ehr.control.plan({ kind: 'before', act: end }, { path: '/fhir/Patient', after: 1 });
    await decided(report, 'accept');
    expect(await last(registered)).toBe('observation-area v3 ehr_changed_there');
  });
});

describe('a withdrawal', () => {
  it('goes through where nobody there knows who decided on it', async () => {
    const { ehr, registered } = await start('oracle');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const author = documents(ehr)[0]!['author'];
    await decided(report, 'reject', 'HCP-unknown');
    expect(await last(registered)).toBe('document v3 delivered');
    expect(documents(ehr)).toMatchObject([{ status: 'entered-in-error', author }]);
    expect(ehr.verify()).toEqual([]);
  });

  it('of what answers nothing that can be read waits for a person in the end', async () => {
    const { ehr, registered } = await start('us-core-note');
    const report = await reviewed();
    ground.startProcess();
    await ground.ended(registered);
    const path = `/fhir/DocumentReference/${String(documents(ehr)[0]!['id'])}`;
    ehr.control.plan(
      { kind: 'answer', answer: { status: 404, bytes: Buffer.from('<html></html>') } },
      { path, times: 40 },
    );
    await decided(report, 'reject');
    expect(await last(registered)).toBe('document v3 ehr_refused');
    expect((await ground.rows(registered))[1]?.answer_codes).toBe('no_resource');
  });
});
