import { Socket } from 'node:net';
import pg from 'pg';
import { v7 } from 'uuid';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { databaseClient } from '../../../src/platform/database/database-address.js';
import { ServiceSecrets } from '../../../src/platform/database/service-secrets.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const INSERT_PATIENT = 'insert into patients (id, organization_id, environment) values ($1, $2, $3)';

describe('transactions', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant();
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const inTenant = <T>(work: (transaction: TenantTransaction) => Promise<T>) =>
    context.get(UnitOfWork).inTenant(tenant, work);

  async function patientsWith(id: string): Promise<number | undefined> {
    const { rows } = await context
      .get(SystemStatements)
      .run<{ patients: number }>('select count(*)::int as patients from patients where id = $1', [id]);
    return rows[0]?.patients;
  }

  it('cannot be written about a tenant that they were not opened for', async () => {
    const patients = context.get(PatientRepository);
    const foreign = await context.createTenant();
    const id = await context
      .get(UnitOfWork)
      .inTenant(foreign, (transaction) => patients.resolve(transaction, { system: '', value: 'P-1' }, v7()));
    const found = await inTenant((transaction) => {
      // @ts-expect-error: there is no place for another tenant.
      void (() => patients.find(transaction, foreign, id));
      // @ts-expect-error: one that was opened for a tenant cannot be about another.
      void (() => patients.find(transaction.about(foreign), id));
      return patients.find(transaction, id);
    });
    expect(found).toBeNull();
  });

  it('of the service itself say whom they are about, and end as one', async () => {
    const patients = context.get(PatientRepository);
    const subject = await context.createTenant();
    const caller = { ...subject, keyId: v7() };
    const order: string[] = [];
    const id = await context.get(UnitOfWork).inSystem(async (system) => {
      // @ts-expect-error: without a tenant there is nobody whose patients these are.
      void (() => patients.find(system, v7()));
      const transaction = system.about(caller);
      expect(transaction.tenant).toEqual(subject);
      transaction.afterCommit(() => order.push('committed'));
      return patients.resolve(transaction, { system: '', value: 'P-2' }, v7());
    });
    expect(order).toEqual(['committed']);
    const found = await context.get(UnitOfWork).inTenant(subject, (transaction) => patients.find(transaction, id));
    expect(found).toMatchObject({ id });
    const failed = context.get(UnitOfWork).inSystem(async (system) => {
      await patients.resolve(system.about(subject), { system: '', value: 'P-3' }, id.replace(/^.{8}/, 'ffffffff'));
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect(await patientsWith(id.replace(/^.{8}/, 'ffffffff'))).toBe(0);
  });

  it('runs what was put off until the commit only after it, and never after a failure', async () => {
    const order: string[] = [];
    await expect(
      inTenant((transaction) => {
        transaction.afterCommit(() => order.push('never'));
        return Promise.reject(new Error('failed'));
      }),
    ).rejects.toThrow('failed');
    const result = await inTenant((transaction) => {
      transaction.afterCommit(() => order.push('after'));
      transaction.afterCommit(() => {
        throw new Error('a broken listener does not undo committed work');
      });
      order.push('work');
      return Promise.resolve('done');
    });
    order.push('returned');
    expect(result).toBe('done');
    expect(order).toEqual(['work', 'after', 'returned']);
  });

  it('takes no statement after its end', async () => {
    const kept = await inTenant((transaction) => Promise.resolve(transaction));
    await expect(statementsOf(kept).run('select 1')).rejects.toThrow('after its end');
  });

  it.each([
    ['last', []],
    ['before others', ['select 1']],
  ])(
    'keeps nothing where a statement that nobody waited for fails, %s, and says so in that statement’s words',
    async (_, more) => {
      const id = v7();
      const failing = inTenant(async (transaction) => {
        await statementsOf(transaction).run(INSERT_PATIENT, [id, tenant.organizationId, tenant.environment]);
        statementsOf(transaction).sendPrepared('select 1 / 0', [], () => new Error('it cannot be written down'));
        for (const sql of more) await statementsOf(transaction).run(sql);
      });
      await expect(failing).rejects.toThrow('it cannot be written down');
      expect(await patientsWith(id)).toBe(0);
    },
  );

  it('keeps what nobody waited for with everything else', async () => {
    const ids = [v7(), v7()];
    const other = await context.createTenant();
    await context.get(UnitOfWork).inTenant(other, (transaction) => {
      for (const id of ids)
        statementsOf(transaction).sendPrepared(
          INSERT_PATIENT,
          [id, other.organizationId, other.environment],
          (error) => error,
        );
      return Promise.resolve();
    });
    for (const id of ids) expect(await patientsWith(id)).toBe(1);
  });

  it('sends what needs no answer in between in one write: the beginning with the first statements, the last with the commit', async () => {
    const sockets = Socket.prototype as unknown as Record<'_write' | '_writev', (this: Socket) => void>;
    const port = Number(new URL(database.url).port);
    const spies = (['_write', '_writev'] as const).map((name) => jest.spyOn(sockets, name));
    const writes = () =>
      spies.flatMap(({ mock }) => mock.contexts.filter(({ remotePort }) => remotePort === port)).length;
    try {
      const seen = await inTenant(async (transaction) => {
        const statements = statementsOf(transaction);
        const answers = await Promise.all([1, 2, 3].map((at) => statements.run<{ at: number }>(`select ${at} as at`)));
        const before = writes();
        statements.sendPrepared('select 4 as at', [], (error) => error);
        return { before, answers: answers.map(({ rows }) => rows[0]?.at) };
      });
      expect(seen).toEqual({ before: 1, answers: [1, 2, 3] });
      expect(writes()).toBe(2);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('gives every connection back, also after failures', async () => {
    const failing = (index: number) =>
      inTenant((transaction) =>
        statementsOf(transaction).run(index % 2 === 0 ? 'select 1 / 0' : 'select * from no_such_table'),
      );
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => failing(index)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await inTenant((transaction) => statementsOf(transaction).run('select 1 as one'))).toMatchObject({
      rows: [{ one: 1 }],
    });
  });

  it('answers service.unavailable where a connection dies under a transaction, and recovers by itself', async () => {
    const failing = inTenant(async (transaction) => {
      await endSessions(database.url);
      await statementsOf(transaction).run('select 1');
    });
    await expect(failing).rejects.toMatchObject({ code: 'service.unavailable', facts: { retryAfterS: 2 } });
    await expect(inTenant((transaction) => statementsOf(transaction).run('select 1'))).resolves.toBeDefined();
  });

  it('answers service.unavailable where a lock is not to be had in time', async () => {
    const image = await context.createImage(tenant);
    const lock = `select from images where id = $1 for update`;
    await inTenant(async (holder) => {
      await statementsOf(holder).run(lock, [image.id]);
      const waiting = inTenant(async (transaction) => {
        await statementsOf(transaction).run(`set local lock_timeout = '50ms'`);
        await statementsOf(transaction).run(lock, [image.id]);
      });
      await expect(waiting).rejects.toMatchObject({ code: 'service.unavailable' });
    });
  });

  it('fails with its next statement where its connection, the very first of the pool, was lost between two, and the process goes on', async () => {
    const fresh = await DatabaseContext.open(database.url);
    const work = fresh.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      await statementsOf(transaction).run('select 1');
      await endSessions(database.url);
      // Until the driver has read that the connection is gone.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await statementsOf(transaction).run('select 1');
    });
    await expect(work).rejects.toMatchObject({ code: 'service.unavailable' });
    await fresh.close();
  });

  it('outlives the loss of a connection that nobody has put into use yet', async () => {
    const client = databaseClient(database.url, { application_name: 'sutura_app' });
    await client.connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await endSessions(database.url);
    await ended;
    await expect(client.query('select 1')).rejects.toThrow();
  });

  it('makes one patient of 20 parallel callers with the same new identifier', async () => {
    const patients = context.get(PatientRepository);
    const resolve = (value: string, system = '') =>
      inTenant((transaction) => patients.resolve(transaction, { system, value }, v7()));
    const ids = await Promise.all(Array.from({ length: 20 }, () => resolve('P-20')));
    expect(new Set(ids).size).toBe(1);
    expect(await resolve('P-20', 'urn:oid:1.2.3')).not.toBe(ids[0]);
    const { rows } = await context
      .get(SystemStatements)
      .run('select count(*)::int as patients from patients where organization_id = $1', [tenant.organizationId]);
    expect(rows).toEqual([{ patients: 2 }]);
  });

  it('lends each event to one process, later again where it was not delivered, and tells of them after the commit', async () => {
    const outbox = context.get(Outbox);
    let told = 0;
    outbox.attach({
      routes: {},
      audienceOf: () => null,
      hasRoom: () => true,
      receive: () => undefined,
      wake: () => (told += 1),
    });
    const subjects = [v7(), v7()];
    await inTenant(async (transaction) => {
      for (const subjectId of subjects) await outbox.append(transaction, { kind: 'analysis.queued', subjectId });
      expect(told).toBe(0);
    });
    expect(told).toBe(2);
    const both = await Promise.all([1, 2].map(() => outbox.fanOut({ 'analysis.queued': ['a', 'b'] }, 5)));
    expect(both.reduce((taken, one) => taken + one.taken, 0)).toBe(2);
    expect(await outbox.takeDue('b', 5)).toHaveLength(2);
    const lent = (await Promise.all([outbox.takeDue('a', 5), outbox.takeDue('a', 5)])).flat();
    expect(lent.map(({ subjectId }) => subjectId).sort()).toEqual([...subjects].sort());
    expect(lent.every(({ id }) => /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id))).toBe(true);
    await outbox.markHandled([{ handler: 'a', eventId: lent[0]?.id ?? '' }]);
    expect(await outbox.takeDue('a', 5)).toEqual([]);
    await context
      .get(SystemStatements)
      .run(`update outbox_events set next_try_at = next_try_at - interval '31 seconds'`);
    expect(await outbox.takeDue('a', 5)).toEqual([lent[1]]);
    await context
      .get(SystemStatements)
      .run(`update outbox_events set next_try_at = next_try_at - interval '31 seconds'`);
    expect(await outbox.takeDue('a', 5)).toEqual([]);
  });

  it('shares one secret among instances, made when first asked for', async () => {
    const other = await DatabaseContext.open(database.url);
    const [one, two] = await Promise.all([
      context.get(ServiceSecrets).current('upload'),
      other.get(ServiceSecrets).current('upload'),
    ]);
    const found = await other.get(ServiceSecrets).find('upload', 1);
    await other.close();
    expect(one.secret).toHaveLength(32);
    expect(two).toEqual(one);
    expect(found).toEqual(one);
    for (const version of [2, 0, -1, 1.5, Number.NaN, 1e12])
      expect(await context.get(ServiceSecrets).find('upload', version)).toBeNull();
  });
});

async function endSessions(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'sutura_app'`,
  );
  await client.end();
}
