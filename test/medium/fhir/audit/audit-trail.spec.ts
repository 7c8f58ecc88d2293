import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { v7 } from 'uuid';
import type { Access } from '../../../../src/core/audit/access.js';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { AuditLog } from '../../../../src/core/audit/audit-log.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { SystemStatements, TenantStatements } from '../../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FollowUpContext } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const READ: Access = { door: 'rest', interaction: 'read', action: 'R', patients: [], resources: ['Task/t1'] };

describe('the audit trail', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let trail: AuditTrail;
  let log: AuditLog;
  let dataDir: string;
  let tenant: Tenant;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-audit-'));
    context = await DatabaseContext.open(database.url, { SUTURA_DATA_DIR: dataDir });
    trail = context.get(AuditTrail);
    log = context.get(AuditLog);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    caller = { ...tenant, keyId: v7(), scopes: [], origin: { requestId: 'r-1', address: '10.1.2.3' } };
  });

  const rows = () => log.list(tenant, 100, null);
  const within = <T>(work: Parameters<UnitOfWork['inTenant']>[1]) =>
    context.get(UnitOfWork).inTenant(tenant, work) as Promise<T>;

  describe('refuses', () => {
    it('an access that cannot be written down', async () => {
      await queryDatabase(database.url, 'revoke insert on audit_events from sutura_app, sutura_system');
      try {
        await expect(trail.recordNow(caller, READ)).rejects.toMatchObject({ code: 'service.unavailable' });
        await expect(within((transaction) => trail.record(transaction, caller, READ))).rejects.toMatchObject({
          code: 'service.unavailable',
        });
      } finally {
        await queryDatabase(database.url, 'grant insert on audit_events to sutura_app, sutura_system');
      }
      expect(await rows()).toEqual([]);
    });

    it('to show, change or remove a row to whoever serves callers, and to change one to anybody but the owner of the database', async () => {
      await trail.recordNow(caller, READ);
      expect((await context.get(TenantStatements).run('select * from audit_events')).rows).toEqual([]);
      for (const sql of [`update audit_events set key_id = 'x'`, 'delete from audit_events']) {
        await expect(context.get(TenantStatements).run(sql)).rejects.toThrow(/permission denied/);
      }
      for (const sql of [
        `update audit_events set key_id = 'x'`,
        'delete from audit_events',
        'delete from audit_seals',
        `update audit_seals set hash = ''`,
      ]) {
        await expect(context.get(SystemStatements).run(sql)).rejects.toThrow(/permission denied/);
      }
    });

    it('a row about another tenant', async () => {
      const other = await context.createTenant();
      const insert = `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources) values ($1, 'test', now(), 'rest', 'read', 'R', 'k', '{}')`;
      await expect(context.get(TenantStatements).run(insert, [other.organizationId])).rejects.toThrow(
        /row-level security/,
      );
    });
  });

  it('goes with its transaction', async () => {
    await expect(
      within(async (transaction) => {
        await trail.record(transaction, caller, READ);
        throw new Error('Not kept.');
      }),
    ).rejects.toThrow('Not kept.');
    expect(await rows()).toEqual([]);
    await within((transaction) => trail.record(transaction, caller, READ));
    expect(await rows()).toMatchObject([
      {
        ...tenant,
        keyId: caller.keyId,
        requestId: 'r-1',
        address: '10.1.2.3',
        door: 'rest',
        interaction: 'read',
        action: 'R',
        patientId: null,
        resources: ['Task/t1'],
        query: null,
      },
    ]);
  });

  it('has a row for each patient, found through the wound where only that is known', async () => {
    const [one, two] = [v7(), v7()];
    await trail.recordNow(caller, { ...READ, patients: [one, two, one], query: 'a=b' });
    expect((await rows()).map(({ patientId }) => patientId).sort()).toEqual([one, two].sort());
    const followUp = new FollowUpContext(context);
    const report = await followUp.assess(tenant, 0, 9);
    await trail.recordNow(caller, { ...READ, wound: report.content.subject.woundRef });
    const patientId = await within((transaction) =>
      context.get(PatientRepository).resolve(transaction, { system: '', value: 'MRN-4711' }, v7()),
    );
    expect(await log.list({ ...tenant, patient: patientId as string }, 10, null)).toHaveLength(1);
    await trail.recordNow(caller, { ...READ, wound: v7() });
    expect((await rows())[0]).toMatchObject({ patientId: null });
    expect(await log.list({ ...tenant, patient: 'MRN-4711' }, 10, null)).toHaveLength(1);
  });

  it('keeps rows of many requests at once, each as it was, and what a query holds that cannot be kept', async () => {
    const other = await context.createTenant();
    const access = (place: number): Access => ({
      ...READ,
      resources: [`Task/${place}`],
      patients: place % 3 === 0 ? [v7(), v7()] : [],
      query: `a=${place}`,
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, place) =>
        trail.recordNow(place % 2 === 0 ? caller : { ...caller, ...other }, access(place)),
      ),
    );
    const mine = await log.list(tenant, 100, null);
    expect(mine.map(({ query }) => query).sort()).toEqual(
      Array.from({ length: 60 }, (_, place) => place)
        .filter((place) => place % 2 === 0)
        .flatMap((place) => (place % 3 === 0 ? [`a=${place}`, `a=${place}`] : [`a=${place}`]))
        .sort(),
    );
    expect(await log.list(other, 100, null)).toHaveLength(40);
    await trail.recordNow(caller, { ...READ, query: 'name=\0\ud800x' });
    expect((await rows())[0]?.query).toBe('name=\ufffd\ufffdx');
  });

  it('refuses one row that cannot be kept, and keeps those that came with it', async () => {
    const impossible: Caller = { ...caller, organizationId: 'no-id' };
    const all = await Promise.allSettled([
      trail.recordNow(caller, READ),
      trail.recordNow(impossible, READ),
      trail.recordNow(caller, READ),
      trail.recordNow(impossible, READ),
    ]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(await rows()).toHaveLength(2);
  });

  it('is listed newest first, page by page, by patient and time', async () => {
    for (let count = 0; count < 5; count += 1) await trail.recordNow(caller, { ...READ, resources: [`Task/${count}`] });
    const first = await log.list(tenant, 2, null);
    const second = await log.list(tenant, 2, first.at(-1)!.id);
    expect([...first, ...second].map(({ resources }) => resources[0])).toEqual([
      'Task/4',
      'Task/3',
      'Task/2',
      'Task/1',
    ]);
    // Several rows may be of one millisecond.
    const to = first[1]!.recordedAt;
    const before = (await log.list(tenant, 10, null)).filter(({ recordedAt }) => recordedAt < to);
    expect(await log.list({ ...tenant, to }, 10, null)).toEqual(before);
    expect(await log.list({ ...tenant, to: new Date(to.getTime() + 1000) }, 10, null)).toHaveLength(5);
    expect(await log.list({ ...tenant, to: new Date(to.getTime() - 60_000) }, 10, null)).toEqual([]);
    expect(await log.list({ ...tenant, patient: 'no-id' }, 10, null)).toEqual([]);
    expect(await log.list({ organizationId: v7() }, 10, null)).toEqual([]);
  });

  describe('sealed', () => {
    beforeAll(async () => {
      await log.seal();
    });

    it('holds each row once, however many processes seal', async () => {
      const before = await log.verify();
      for (let count = 0; count < 6; count += 1) await trail.recordNow(caller, READ);
      const sealed = await Promise.all([log.seal(), log.seal(), log.seal()]);
      await log.seal();
      expect(sealed.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(6);
      expect(await log.seal()).toBe(0);
      const after = await log.verify();
      expect(after.rows).toBe(before.rows + 6);
      expect(after.breaks).toEqual([]);
    });

    it('chains a row that another transaction committed late', async () => {
      await within(async (transaction) => {
        await trail.record(transaction, caller, READ);
        await trail.recordNow(caller, READ);
        await log.seal();
      });
      expect(await log.seal()).toBe(1);
      expect((await log.verify()).breaks).toEqual([]);
    });

    it('chains such a row, too, when nothing was sealed for an hour, as after a stop or a restored back-up', async () => {
      const clock = (ahead: string) =>
        queryDatabase(
          database.url,
          `create or replace function sutura_now() returns timestamptz language sql volatile as $$select clock_timestamp() + interval '${ahead}'$$`,
        );
      const late = new pg.Client({ connectionString: database.url });
      await late.connect();
      await late.query('begin');
      await late.query(
        `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources)
         values ($1, $2, now(), 'rest', 'read', 'R', 'k', '{}')`,
        [tenant.organizationId, tenant.environment],
      );
      await trail.recordNow(caller, READ);
      await log.seal();
      await late.query('commit');
      await late.end();
      await clock('1 hour');
      try {
        expect((await log.verify()).breaks).toEqual([]);
        expect(await log.seal()).toBe(1);
        expect((await log.verify()).breaks).toEqual([]);
      } finally {
        await clock('0 hours');
      }
    });

    it.each([
      ['changed', `update audit_events set patient_id = null, resources = '{}' where id = $1`],
      ['removed', 'delete from audit_events where id = $1'],
    ])('shows that a row was %s', async (_, tampering) => {
      await trail.recordNow(caller, { ...READ, patients: [v7()] });
      await log.seal();
      await trail.recordNow(caller, READ);
      await log.seal();
      await queryDatabase(database.url, tampering, [(await rows())[1]!.id]);
      const { breaks } = await log.verify();
      expect(breaks.filter(({ organizationId }) => organizationId === tenant.organizationId)).toEqual([
        { ...tenant, seal: 1, reason: 'row_changed_or_missing' },
      ]);
    });

    it('shows that a seal was taken out of the chain', async () => {
      for (let count = 0; count < 3; count += 1) {
        await trail.recordNow(caller, READ);
        await log.seal();
      }
      await queryDatabase(database.url, 'delete from audit_seals where organization_id = $1 and number = 2', [
        tenant.organizationId,
      ]);
      const { breaks } = await log.verify();
      const reasons = breaks
        .filter(({ organizationId }) => organizationId === tenant.organizationId)
        .map(({ seal, reason }) => [seal, reason]);
      expect(reasons).toEqual([
        [2, 'seal_changed_or_missing'],
        [3, 'row_changed_or_missing'],
      ]);
    });

    const breaksHere = async () =>
      (await log.verify()).breaks.filter(({ organizationId }) => organizationId === tenant.organizationId);
    /** As the database's owner can: the newest seal, and the rows that it names. */
    const cutOff = async (seal: number): Promise<void> => {
      await queryDatabase(
        database.url,
        'delete from audit_events where id in (select unnest(event_ids) from audit_seals where organization_id = $1 and number = $2)',
        [tenant.organizationId, seal],
      );
      await queryDatabase(database.url, 'delete from audit_seals where organization_id = $1 and number = $2', [
        tenant.organizationId,
        seal,
      ]);
    };

    it('shows that the end was cut off, also once there is a new one', async () => {
      for (let count = 0; count < 2; count += 1) {
        await trail.recordNow(caller, READ);
        await log.seal();
      }
      expect(await breaksHere()).toEqual([]);
      await cutOff(2);
      expect(await breaksHere()).toEqual([{ ...tenant, seal: 2, reason: 'end_cut_off' }]);
      for (let count = 0; count < 2; count += 1) {
        await trail.recordNow(caller, READ);
        await log.seal();
      }
      expect(await breaksHere()).toEqual([{ ...tenant, seal: 2, reason: 'end_cut_off' }]);
    });

    it('shows that the whole chain of a tenant is gone', async () => {
      await trail.recordNow(caller, READ);
      await log.seal();
      await cutOff(1);
      expect(await breaksHere()).toEqual([{ ...tenant, seal: 1, reason: 'end_cut_off' }]);
    });

    it('takes over heads that an earlier release signed with its secret, unless they were changed', async () => {
      await trail.recordNow(caller, READ);
      await log.seal();
      const path = join(dataDir, 'audit-heads.json');
      const { heads: signed } = JSON.parse(await readFile(path, 'utf8')) as { heads: Record<string, unknown>[] };
      const heads = signed.map(({ organizationId, environment, number, hash }) => ({
        organizationId,
        environment,
        number,
        hash,
      }));
      await writeFile(join(dataDir, 'audit-heads.key'), 'a secret of this test');
      const signature = createHmac('sha256', 'a secret of this test').update(JSON.stringify(heads)).digest('hex');
      await writeFile(path, JSON.stringify({ heads: heads.slice(1), signature }));
      expect((await log.verify()).breaks).toContainEqual(expect.objectContaining({ reason: 'anchor_changed' }));
      await writeFile(path, JSON.stringify({ heads, signature }));
      expect(await breaksHere()).toEqual([]);
      await trail.recordNow(caller, READ);
      await log.seal();
      expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
        keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
      });
      expect(await breaksHere()).toEqual([]);
    });

    it('shows that the kept heads were changed', async () => {
      const path = join(dataDir, 'audit-heads.json');
      const kept = await readFile(path, 'utf8');
      await writeFile(path, kept.replace(/"number": \d+/, '"number": 1000'));
      expect((await log.verify()).breaks).toContainEqual(expect.objectContaining({ reason: 'anchor_changed' }));
      await writeFile(path, kept);
      expect((await log.verify()).breaks.some(({ reason }) => reason === 'anchor_changed')).toBe(false);
    });
  });
});
