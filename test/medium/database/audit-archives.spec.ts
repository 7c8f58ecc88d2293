import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { AuditAnchor, type ChainHead } from '../../../src/core/audit/audit-anchor.js';
import { AuditArchiveRegistry } from '../../../src/core/audit/audit-archive.js';
import { AuditLog, type AuditBreak } from '../../../src/core/audit/audit-log.js';
import { AuditReader } from '../../../src/core/audit/audit-reader.js';
import { AuditSigner } from '../../../src/core/audit/audit-signer.js';
import { AuditTrail } from '../../../src/core/audit/audit-trail.js';
import { TrailCheck } from '../../../src/core/audit/trail-check.js';
import { PatientErasureRepository } from '../../../src/core/erasure/patient-erasure.repository.js';
import type { ErasedPatient } from '../../../src/core/erasure/patient-record.js';
import { PatientRecords } from '../../../src/core/erasure/patient-records.js';
import { RetentionPolicies } from '../../../src/core/erasure/retention-policy.js';
import { TypedWordsErasure } from '../../../src/core/erasure/typed-words-erasure.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { Clock } from '../../../src/core/ports/clock.js';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { auditExport } from '../../../src/identity/audit/audit-export.js';
import { ExportCheck } from '../../../src/identity/audit/audit-export-check.js';
import { ArchiveFiles } from '../../../src/identity/audit/archive-files.js';
import { ArchiveSweep } from '../../../src/identity/audit/archive-sweep.js';
import { StoredAuditArchives } from '../../../src/identity/audit/stored-audit-archives.js';
import { SystemStatements, TenantStatements } from '../../../src/platform/database/statements.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { MemoryStore } from '../../support/memory-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

describe('archives of the audit trail', () => {
  let database: TestDatabase;
  let dataDir: string;
  let context: DatabaseContext;
  let store: MemoryStore;
  let archives: StoredAuditArchives;
  let log: AuditLog;
  let registry: AuditArchiveRegistry;
  let tenant: Tenant;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-archives-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  beforeEach(async () => {
    database = await createTestDatabase();
    await rm(join(dataDir, 'audit-heads.json'), { force: true });
    context = await DatabaseContext.open(database.url, { SUTURA_DATA_DIR: dataDir });
    store = new MemoryStore();
    log = context.get(AuditLog);
    registry = context.get(AuditArchiveRegistry);
    archives = archivesOver(store);
    tenant = await context.createTenant();
    await context.get(RetentionPolicies).change(tenant.organizationId, { auditDays: YEAR_DAYS });
  });
  afterEach(async () => {
    await context?.close();
    await database?.drop();
  });

  const archivesOver = (bytes: Pick<ObjectStore, 'put' | 'get' | 'deleteAll'>): StoredAuditArchives => {
    const signer = context.get(AuditSigner);
    const ids = context.get(IdSource);
    const files = new ArchiveFiles(bytes as ObjectStore, log, signer, context.get(Clock));
    const logger = Logger.create('silent');
    const sweeping = new ArchiveSweep(registry, files, context.get(UnitOfWork), context.get(AuditTrail), ids, logger);
    return new StoredAuditArchives(registry, sweeping, files, context.get(AuditAnchor), signer, ids);
  };
  const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(database.url, sql, values);
  /** Rows of so many days ago, sealed. */
  const write = async (
    count: number,
    daysAgo: number,
    more: { query?: string; patient?: string } = {},
    of = tenant,
  ) => {
    // What an archive of then wrote down is of then as well.
    await query(
      `update audit_events set recorded_at = now() - make_interval(days => $1) where interaction = '$archive-audit'
         and id > (select coalesce(max(last_id), 0) from audit_seals)`,
      [daysAgo],
    );
    await query(
      `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources, query, patient_id)
         select $1, $2, now() - make_interval(days => $3), 'fhir', 'search-type', 'R', 'k', '{}', $4, $5 from generate_series(1, $6)`,
      [of.organizationId, of.environment, daysAgo, more.query ?? null, more.patient ?? null, count],
    );
    await log.seal();
  };
  const yearAgo = () => new Date(Date.now() - YEAR_DAYS * DAY_MS);
  const sweep = (of = archives) => of.sweep(tenant, yearAgo());
  const rows = async (of = tenant) =>
    (
      await query<{ n: number }>(
        `select count(*)::int as n from audit_events where organization_id = $1 and environment = $2 and interaction = 'search-type'`,
        [of.organizationId, of.environment],
      )
    )[0]!.n;
  const breaks = async (of = archives): Promise<AuditBreak['reason'][]> => {
    await log.seal();
    return (await new TrailCheck(log, of).run()).breaks.map(({ reason }) => reason);
  };
  const fileOf = async (at = 0) => (await registry.list(tenant))[at]!;
  const textOf = async (at = 0) => Buffer.from(store.objects.get((await fileOf(at)).objectKey)!).toString('utf8');
  const offline = async (...texts: string[]) => {
    const check = new ExportCheck(await context.get(AuditSigner).publicKey());
    for (const [at, text] of texts.entries()) await check.read(String(at), [text]);
    return check.conclude();
  };
  const exported = async () => {
    const pieces: string[] = [];
    for await (const piece of auditExport(log.blocks(tenant), context.get(AuditSigner), new Date())) pieces.push(piece);
    return pieces.join('');
  };

  describe('a row stays', () => {
    it('whatever the role that serves callers tries, and whatever the service tries but by its archive', async () => {
      await write(3, 500);
      const drop = `select sutura_drop_archived_audit_rows($1, 10)`;
      await expect(context.get(TenantStatements).run(drop, [v7()])).rejects.toThrow(/permission denied/);
      await expect(context.get(TenantStatements).run('select object_key from audit_archives')).rejects.toThrow(
        /permission/,
      );
      await expect(context.get(SystemStatements).run('delete from audit_events')).rejects.toThrow(/permission denied/);
      await expect(context.get(SystemStatements).run('delete from audit_seals')).rejects.toThrow(/permission denied/);
      await expect(context.get(SystemStatements).run(drop, [v7()])).rejects.toThrow();
      expect(await rows()).toBe(3);
    });

    const pretend = (
      hash = `(select hash from audit_seals where number = 1 and organization_id = $2)`,
      state = 'kept',
    ) =>
      context.get(SystemStatements).run(
        `insert into audit_archives (id, organization_id, environment, state, first, last, rows, hash, oldest_at, newest_at, object_key, sha256, lease_until)
           values ($1, $2, 'test', $3, 1, 1, 1, ${hash}, now(), now() - interval '9 years', 'none', case when $3 = 'kept' then sha256('x') end, now())`,
        [PRETENDED, tenant.organizationId, state],
      );
    const PRETENDED = '01890000-0000-7000-8000-00000000000a';

    it('that is younger than a year, also by an archive that was made up', async () => {
      await write(3, 300);
      await pretend();
      await expect(query('update retention_policies set audit_days = 1')).rejects.toThrow(/check/);
      expect(await registry.dropRows(PRETENDED, 10)).toBeNull();
      expect(await rows()).toBe(3);
      expect(await breaks()).toContain('archive_missing');
    });

    it('that lies in a file which is still written, or which does not lead to its seal', async () => {
      await write(3, 500);
      await pretend(undefined, 'writing');
      await expect(registry.dropRows(PRETENDED, 10)).rejects.toThrow();
      await registry.forget(PRETENDED);
      await pretend(`sha256('other')`);
      await expect(registry.dropRows(PRETENDED, 10)).rejects.toThrow();
      expect(await rows()).toBe(3);
    });

    it('while a table of the session’s own stands in the place of the archives', async () => {
      await write(3, 500);
      await context.get(UnitOfWork).inSystem(async () => undefined);
      await expect(
        query(`create temp table audit_archives as select * from audit_archives;
          insert into audit_archives select '${PRETENDED}', organization_id, environment, 'kept', number, number, 1, hash, now(), now(), 'x', hash, 0, now(), null, now() from audit_seals;
          set role sutura_system; select sutura_drop_archived_audit_rows('${PRETENDED}', 10)`),
      ).rejects.toThrow(/No such archive/);
      expect(await rows()).toBe(3);
    });

    it('while a patient of the tenant is on legal hold: before its archive, and beside it', async () => {
      await write(2, 500);
      const patient = v7();
      await query(`insert into patients (id, organization_id, environment) values ($1, $2, 'test')`, [
        patient,
        tenant.organizationId,
      ]);
      const hold = () =>
        query(
          `insert into legal_holds (patient_id, organization_id, environment, reason, placed_by, placed_at) values ($1, $2, 'test', 'Court', 'o', now())`,
          [patient, tenant.organizationId],
        );
      await hold();
      expect(await sweep()).toEqual({ rows: 0, bytes: 0 });
      expect([await registry.list(tenant), await rows()]).toEqual([[], 2]);
      await query('delete from legal_holds');
      const late = archivesOver({
        ...bound(store),
        get: async (key) => {
          await hold();
          return store.get(key);
        },
      });
      expect(await sweep(late)).toEqual({ rows: 0, bytes: 0 });
      expect([(await fileOf()).state, await rows(), await breaks()]).toEqual(['kept', 2, []]);
      await query('delete from legal_holds');
      expect(await sweep()).toMatchObject({ rows: 2 });
      expect([(await fileOf()).state, await rows(), await breaks()]).toEqual(['emptied', 0, []]);
    });

    it('where the organization keeps it for good, or longer by now', async () => {
      await write(2, 500);
      const late = archivesOver({
        ...bound(store),
        get: async (key) => {
          await context.get(RetentionPolicies).change(tenant.organizationId, { auditDays: null });
          return store.get(key);
        },
      });
      expect(await sweep(late)).toEqual({ rows: 0, bytes: 0 });
      await context.get(RetentionPolicies).change(tenant.organizationId, { auditDays: 900 });
      expect(await sweep()).toEqual({ rows: 0, bytes: 0 });
      expect([await rows(), await breaks()]).toEqual([2, []]);
    });

    it.each<[string, (key: string) => Promise<Uint8Array | null>]>([
      ['is not there', () => Promise.resolve(null)],
      ['was cut off', async (key) => (await store.get(key))!.slice(0, -200)],
      [
        'has another row',
        async (key) =>
          Buffer.from(
            Buffer.from((await store.get(key))!)
              .toString()
              .replace('"k"', '"j"'),
          ),
      ],
    ])('whose archive, read back, %s', async (_, get) => {
      await write(2, 500);
      expect(await sweep(archivesOver({ ...bound(store), get }))).toEqual({ rows: 0, bytes: 0 });
      expect([await rows(), await registry.list(tenant), store.keys('')]).toEqual([2, [], []]);
      expect(await sweep()).toMatchObject({ rows: 2 });
      expect(await breaks()).toEqual([]);
    });

    it('while the store is full, and goes once it has room', async () => {
      await write(2, 500);
      const full = { ...bound(store), put: () => Promise.reject(new SuturaError('service.storage_full')) };
      expect(await sweep(archivesOver(full))).toEqual({ rows: 0, bytes: 0 });
      expect([await rows(), await breaks()]).toEqual([2, []]);
      expect(await sweep()).toMatchObject({ rows: 2 });
    });
  });

  const bound = (of: MemoryStore) => ({
    put: (key: string, bytes: Uint8Array) => of.put(key, bytes),
    get: (key: string) => of.get(key),
    deleteAll: (prefix: string) => of.deleteAll(prefix),
  });

  it('take old rows, whole seals of them, and the chain goes on from their end', async () => {
    await write(30, 900);
    await write(20, 500);
    await write(10, 100);
    const { rows: moved, bytes } = await sweep();
    expect([moved, await rows()]).toEqual([50, 10]);
    expect(await fileOf()).toMatchObject({ state: 'emptied', first: 1, last: 2, rows: 50, bytes });
    expect(await breaks()).toEqual([]);
    await write(5, 400);
    expect(await sweep()).toEqual({ rows: 0, bytes: 0 });
    const [one] = await query(`select query from audit_events where interaction = '$archive-audit'`);
    const { id, sha256 } = await fileOf();
    expect(one).toEqual({ query: `archive=${id}&first=1&last=2&rows=50&sha256=${sha256}` });
    const whole = await offline(await textOf(), await exported());
    expect([whole.breaks, whole.chains[0]!.first]).toEqual([[], 1]);
    expect((await offline(await textOf())).breaks).toEqual([]);
  });

  it('leave the seal of an erasure to whoever asks for it', async () => {
    const erasures = context.get(PatientErasureRepository);
    const [id, patientId] = [v7(), v7()];
    await context.get(UnitOfWork).inSystem(async (transaction) => {
      const about = transaction.about(tenant);
      const asked = { askedBy: 'k', askedThrough: 'fhir', askedAt: new Date() } as const;
      await erasures.insert(about, { id, patientId, ...asked }, 60);
      await erasures.rowsErased(about, id, { record: null, folders: [], counts: [], leftMessages: [] }, 60);
      const caller = { ...tenant, keyId: 'k', scopes: [] };
      const end = {
        interaction: '$erase',
        action: 'D',
        query: `erasure=${id}&state=done&photos=1 rows, 9 bytes`,
      } as const;
      const subject = { door: 'fhir', patients: [patientId], resources: [`Patient/${patientId}`] } as const;
      await context.get(AuditTrail).record(transaction, caller, { ...subject, ...end });
      await erasures.done(about, id, []);
    });
    await query(
      `update audit_events set recorded_at = now() - make_interval(days => 500) where interaction = '$erase'`,
    );
    expect(await erasures.sealOf(id)).toBeNull();
    await log.seal();
    const seal = await erasures.sealOf(id);
    expect(seal).toMatchObject({ number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await sweep()).toMatchObject({ rows: 1 });
    expect(await query(`select id from audit_events where interaction = '$erase'`)).toEqual([]);
    expect(await erasures.sealOf(id)).toEqual(seal);
    expect(await textOf()).toContain(`erasure=${id}&state=done`);
  });

  it('are named to whoever asks the trail of the tenant, and to nobody else', async () => {
    const ask = (of: Tenant) =>
      context.get(UnitOfWork).inTenant(of, async (transaction) => {
        const question = { criteria: [], newestFirst: true, limit: 100, after: null };
        return (await context.get(AuditReader).find(transaction, question)).archivedUpTo;
      });
    await write(2, 500);
    expect(await ask(tenant)).toBeNull();
    await sweep();
    expect(await ask(tenant)).toEqual((await fileOf()).newestAt);
    expect(await ask(await context.createTenant())).toBeNull();
    expect(await ask({ ...tenant, environment: 'live' })).toBeNull();
  });

  it('never have a seal with a row that is too young, wherever its time came from', async () => {
    await write(2, 900);
    await write(2, -30);
    await write(2, 800);
    expect(await sweep()).toMatchObject({ rows: 2 });
    expect([await rows(), await breaks()]).toEqual([4, []]);
  });

  it('have each row once, where two gateways archive at once', async () => {
    for (let seal = 0; seal < 5; seal += 1) await write(20, 900 - seal);
    const both = await Promise.all([sweep(), sweep(archivesOver(store)), sweep(archivesOver(store))]);
    await sweep();
    expect(both.reduce((sum, { rows: moved }) => sum + moved, 0)).toBeLessThanOrEqual(100);
    const kept = await registry.list(tenant);
    expect(kept.reduce((sum, archive) => sum + archive.rows, 0)).toBe(100);
    expect(store.keys('')).toEqual(kept.map(({ objectKey }) => objectKey).sort());
    expect([await rows(), await breaks()]).toEqual([0, []]);
  });

  it('are begun anew where a writer is gone, which cannot end its work any more', async () => {
    await write(2, 500);
    const before = yearAgo();
    const wish = { id: v7(), objectKey: 'audit-archives/gone/trail.ndjson', before, mostRows: 10, leaseS: 0 };
    const gone = await registry.begin(tenant, wish);
    await store.put(gone!.objectKey, Buffer.from('half'));
    expect(await sweep()).toMatchObject({ rows: 2 });
    expect(store.objects.has(gone!.objectKey)).toBe(false);
    const file = { objectKey: gone!.objectKey, sha256: 'ab'.repeat(32), bytes: 1 };
    const late = await context
      .get(UnitOfWork)
      .inSystem((transaction) => registry.keep(transaction.about(tenant), gone!.id, file));
    expect([late, await breaks()]).toEqual([false, []]);
  });

  describe('are checked, and named where one', () => {
    let other: Tenant;
    beforeEach(async () => {
      other = await context.createTenant();
      await context.get(RetentionPolicies).change(other.organizationId, { auditDays: YEAR_DAYS });
      for (const each of [tenant, other]) {
        await write(3, 900, {}, each);
        await archives.sweep(each, yearAgo());
        await write(3, 800, {}, each);
        await archives.sweep(each, yearAgo());
      }
      expect(await breaks()).toEqual([]);
    });
    const keyAt = async (at: number, of = tenant) => (await registry.list(of))[at]!.objectKey;

    it.each<[string, AuditBreak['reason'][], (key: string) => Promise<void> | void]>([
      ['is missing', ['archive_missing'], (key) => void store.objects.delete(key)],
      ['was edited', ['archive_changed'], async (key) => edit(key, (text) => text.replace('"k"', '"j"'))],
      ['was cut off', ['archive_changed'], async (key) => edit(key, (text) => text.slice(0, text.length / 2))],
      ['is empty', ['archive_changed'], async (key) => edit(key, () => '')],
      [
        'is another organization’s',
        ['archive_changed'],
        async (key) => void store.objects.set(key, store.objects.get(await keyAt(0, other))!),
      ],
      [
        'is another of the same chain',
        ['archive_changed'],
        async (key) => void store.objects.set(key, store.objects.get(await keyAt(1))!),
      ],
    ])('%s', async (_, reasons, harm) => {
      await harm(await keyAt(0));
      expect([...new Set(await breaks())]).toEqual(reasons);
    });

    it('was signed by another key', async () => {
      const key = await keyAt(1);
      await edit(key, (text) => text.replace(/"signature":"[^"]{10}/, '"signature":"AAAAAAAAAA'));
      expect(await breaks()).toEqual(['archive_changed']);
    });

    it('is forgotten by the database', async () => {
      await query('delete from audit_archives where first = 1 and organization_id = $1', [tenant.organizationId]);
      expect(await breaks()).toContain('archive_missing');
      await query('delete from audit_archives where organization_id = $1', [tenant.organizationId]);
      expect(await breaks()).toContain('seal_changed_or_missing');
    });

    it('leads to no head that was kept elsewhere, and not where it does', async () => {
      const anchor = context.get(AuditAnchor);
      const [first] = await registry.list(tenant);
      const heads = (await anchor.read()) as ChainHead[];
      const stale = { ...tenant, number: first!.last, hash: first!.hash };
      const others = heads.filter(({ organizationId }) => organizationId !== tenant.organizationId);
      await anchor.write([...others, stale]);
      expect((await new TrailCheck(log, archives).run()).breaks).toEqual([]);
      await anchor.write([...others, { ...stale, hash: 'ab'.repeat(32) }]);
      expect((await new TrailCheck(log, archives).run()).breaks).toMatchObject([{ reason: 'end_cut_off' }]);
    });

    const edit = async (key: string, change: (text: string) => string): Promise<void> =>
      void store.objects.set(key, Buffer.from(change(Buffer.from((await store.get(key))!).toString('utf8'))));
  });

  describe('and an erasure', () => {
    const patient = v7();
    const erasureId = v7();
    const erased = (): ErasedPatient => ({
      tenant,
      patientIds: [patient],
      imageIds: [],
      jobIds: [],
      reportIds: [],
      woundIds: [],
      requestIds: [],
      sharedValues: [],
      words: { numbers: [{ system: '', value: 'MRN-777' }], names: ['Beispiel'] },
    });
    const typed = () => new TypedWordsErasure(context.get(PatientRecords), archives);
    const erase = async (id: string | null) => {
      const done = await context
        .get(UnitOfWork)
        .inSystem((transaction) => typed().erase(transaction.about(tenant), erased(), id));
      for (const folder of done.folders) await store.deleteAll(folder);
      return done;
    };
    /** As PatientErasure ends one. */
    const account = async () => {
      const digest = await context
        .get(UnitOfWork)
        .inSystem((transaction) => context.get(PatientRecords).redactedDigest(transaction.about(tenant), erasureId));
      await query(
        `insert into patient_erasures (id, organization_id, environment, patient_id, state, asked_by, asked_at, rows_erased_at, completed_at, lease_until)
           values ($1, $2, 'test', $3, 'done', 'o', now(), now(), now(), now())`,
        [erasureId, tenant.organizationId, patient],
      );
      await query(
        `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources, patient_id, query)
           values ($1, 'test', now(), 'admin', '$erase', 'D', 'o', '{}', $2, $3)`,
        [tenant.organizationId, patient, `erasure=${erasureId}&state=done&redacted=${digest}`],
      );
    };
    beforeEach(async () => {
      await write(2, 900, { query: 'identifier=MRN-777' });
      await write(1, 900, { query: 'name=Other' });
      await write(2, 100, { query: 'name=beispiel', patient });
    });

    it('takes the words out of archives and rows alike, and both account for it, for good', async () => {
      await sweep();
      const former = (await fileOf()).objectKey;
      expect(await erase(null)).toEqual({
        count: { what: 'texts in the audit trail', rows: 4, bytes: 0 },
        folders: [],
      });
      expect(await textOf()).toContain('MRN-777');
      expect((await erase(erasureId)).count.rows).toBe(4);
      expect(await breaks()).toEqual(['redaction_not_accounted']);
      await account();
      expect(store.keys('')).toEqual([(await fileOf()).objectKey]);
      expect(store.objects.has(former)).toBe(false);
      expect(await textOf()).not.toContain('MRN-777');
      expect(await textOf()).toContain('name=Other');
      expect(await breaks()).toEqual([]);
      const whole = await offline(await textOf(), await exported());
      expect([whole.breaks, (await offline(await textOf())).breaks]).toEqual([[], []]);
      expect((await erase(v7())).count.rows).toBe(0);
    });

    it('that came first stays accounted for, once its rows and its own are archived', async () => {
      await erase(erasureId);
      await account();
      expect(await breaks()).toEqual([]);
      await sweep();
      expect(await rows()).toBe(2);
      expect(await breaks()).toEqual([]);
      expect(await textOf()).toContain(`"by":"${erasureId}"`);
      await query(`update audit_archived_redactions set content_digest = sha256('x')`);
      expect(await breaks()).toEqual(['redaction_not_accounted']);
    });

    it('waits while an archive is written, and no archive is begun while it is under way', async () => {
      await context.get(UnitOfWork).inSystem(async (transaction) => {
        await typed().erase(transaction.about(tenant), erased(), null);
        expect(await sweep()).toEqual({ rows: 0, bytes: 0 });
      });
      const late = archivesOver({
        ...bound(store),
        get: async (key) => {
          await expect(erase(erasureId)).rejects.toMatchObject({ code: 'patient.in_use' });
          return store.get(key);
        },
      });
      expect(await sweep(late)).toMatchObject({ rows: 3 });
      expect((await erase(erasureId)).count.rows).toBe(4);
    });
  });
});
