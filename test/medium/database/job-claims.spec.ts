import { MAX_ATTEMPTS, type JobError } from '../../../src/core/analysis/analysis-job.js';
import type { WoundResult } from '../../../src/core/measurement/wound-result.js';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { CalibrationRepository } from '../../../src/core/calibration/calibration.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { JOB_ENDED_CHANNEL, NotificationListener } from '../../../src/platform/database/notification-listener.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../support/database-context.js';
import { untilListening } from '../../support/until-listening.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { takeEvents } from '../../support/outbox-events.js';

const RESULT = { schemaVersion: '1.0', woundDetected: false } as unknown as WoundResult;
const FAILURE: JobError = { code: 'processing.failed', detail: 'The photo could not be analysed.', retryable: true };
const LEASE_S = 60;

describe('claims of jobs', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let jobs: JobRepository;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    jobs = context.get(JobRepository);
  });

  beforeEach(async () => {
    await context.get(SystemStatements).run('delete from analysis_jobs');
    await context.get(SystemStatements).run('delete from outbox_events');
    tenant = await context.createTenant();
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const complete = (lease: { jobId: string; token: string }) => jobs.complete(lease, RESULT);
  const expireLease = (jobId: string) =>
    context
      .get(SystemStatements)
      .run(`update analysis_jobs set lease_until = sutura_now() - interval '1 second' where id = $1`, [jobId]);
  const claimed = async (jobId?: string) => {
    const claim = await jobs.claim(LEASE_S, jobId);
    if (claim === null) throw new Error('nothing was claimed');
    return claim;
  };

  it('finds nothing where nothing waits, and nothing for a malformed id', async () => {
    expect(await jobs.claim(LEASE_S)).toBeNull();
    expect(await jobs.claim(LEASE_S, '../etc/passwd')).toBeNull();
  });

  it('says whether other jobs wait, and brings what the tenant measured on its printed cards and how it releases results', async () => {
    const other = await context.createTenant();
    const cards = context.get(CalibrationRepository);
    const measured = { size: 'a4', barMm: 98.5, measuredAt: new Date('2026-01-01T00:00:00Z') } as const;
    for (const owner of [tenant, { ...other, environment: 'live' } as const])
      await context.get(UnitOfWork).inTenant(owner, (transaction) => cards.save(transaction, measured));
    const mine = await context.createJob(tenant);
    const theirs = await context.createJob(other);
    expect(await claimed(mine.id)).toMatchObject({
      cardCorrections: { a4: 98.5 },
      resultPolicy: 'review',
      othersWait: true,
    });
    expect(await claimed(theirs.id)).toMatchObject({ cardCorrections: {}, othersWait: false });
  });

  it('gives one job to one of 50 workers', async () => {
    const { id } = await context.createJob(tenant);
    const claims = await Promise.all(Array.from({ length: 50 }, () => jobs.claim(LEASE_S, id)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect((await jobs.read(tenant, id))?.attempts).toBe(1);
  });

  it('gives 20 jobs to 40 workers that scan at the same time, each once', async () => {
    const image = await context.createImage(tenant);
    for (let count = 0; count < 20; count += 1) await context.createJob(tenant, { imageId: image.id });
    const claims = await Promise.all(Array.from({ length: 40 }, () => jobs.claim(LEASE_S)));
    const ids = claims.flatMap((claim) => (claim === null ? [] : [claim.job.id]));
    // A scan may pass over a row that a neighbour locks at that moment: it comes back empty, never with the same job.
    expect(new Set(ids).size).toBe(ids.length);
    const rest = 20 - ids.length;
    for (let count = 0; count < rest; count += 1) ids.push((await claimed()).job.id);
    expect(new Set(ids).size).toBe(20);
    expect(await jobs.claim(LEASE_S)).toBeNull();
  });

  it('takes urgent jobs first, then the oldest', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const younger = await context.createJob(tenant, { createdAt: at(2) });
    const older = await context.createJob(tenant, { createdAt: at(1) });
    const stat = await context.createJob(tenant, { createdAt: at(3), priority: 'stat' });
    expect([(await claimed()).job.id, (await claimed()).job.id, (await claimed()).job.id]).toEqual([
      stat.id,
      older.id,
      younger.id,
    ]);
  });

  it('writes nothing for a worker whose lease went to another', async () => {
    const { id } = await context.createJob(tenant);
    const late = await claimed(id);
    await expireLease(id);
    const current = await claimed(id);
    expect(await jobs.renew(late.lease, LEASE_S)).toBe(false);
    expect(await jobs.release(late.lease)).toBe(false);
    expect(await complete(late.lease)).toBe(false);
    expect(await jobs.fail(late.lease, FAILURE)).toBe(false);
    expect(await jobs.read(tenant, id)).toMatchObject({ status: 'processing', result: null, attempts: 2 });
    expect(await jobs.renew(current.lease, LEASE_S)).toBe(true);
    expect(await complete(current.lease)).toBe(true);
    expect(await complete(current.lease)).toBe(false);
    expect(await jobs.read(tenant, id)).toMatchObject({ status: 'completed', result: RESULT, error: null });
  });

  describe('after a time-out', () => {
    const dueNow = (jobId: string) =>
      context.get(SystemStatements).run('update analysis_jobs set not_before = sutura_now() where id = $1', [jobId]);

    it('counts nothing for a worker whose lease went to another', async () => {
      const { id } = await context.createJob(tenant);
      const late = await claimed(id);
      await expireLease(id);
      await claimed(id);
      expect(await jobs.countTimeout(late.lease)).toBeNull();
      expect(await jobs.postpone(late.lease, 60)).toBe(false);
    });

    it('holds it against the photo only where another job ended well since its last time-out', async () => {
      const slow = await context.createJob(tenant);
      const broken = await context.createJob(tenant);
      const good = await context.createJob(await context.createTenant());
      await complete((await claimed(good.id)).lease);
      const { lease } = await claimed(slow.id);
      expect(await jobs.countTimeout(lease)).toEqual({ all: 1, own: 0 });
      await jobs.fail((await claimed(broken.id)).lease, FAILURE);
      expect(await jobs.countTimeout(lease)).toEqual({ all: 2, own: 0 });
      const next = await context.createJob(tenant);
      await complete((await claimed(next.id)).lease);
      expect(await jobs.countTimeout(lease)).toEqual({ all: 3, own: 1 });
      expect(await jobs.countTimeout(lease)).toEqual({ all: 4, own: 1 });
    });

    it('no worker takes the job before its time, by scan, by id or by the sweep; then it is taken without a counted attempt', async () => {
      const { id } = await context.createJob(tenant, { createdAt: new Date(Date.UTC(2026, 0, 1)) });
      const { lease } = await claimed(id);
      await jobs.countTimeout(lease);
      expect(await jobs.postpone(lease, 300)).toBe(true);
      expect([await jobs.claim(LEASE_S), await jobs.claim(LEASE_S, id)]).toEqual([null, null]);
      expect((await jobs.sweep(10, MAX_ATTEMPTS, FAILURE)).waitingJobIds).toEqual([]);
      const other = await context.createJob(tenant);
      expect((await claimed(other.id)).othersWait).toBe(false);
      await dueNow(id);
      expect((await jobs.sweep(10, MAX_ATTEMPTS, FAILURE)).waitingJobIds).toEqual([id]);
      expect(await claimed()).toMatchObject({ job: { id, attempts: 1 }, hasTimedOut: true });
    });
  });

  it('takes an attempt back while the job has not ended, and changes an ended one by nothing', async () => {
    const { id } = await context.createJob(tenant);
    await claimed(id);
    await expireLease(id);
    const second = await claimed(id);
    await jobs.giveBackAttempt(id);
    expect((await jobs.read(tenant, id))?.attempts).toBe(1);
    await complete(second.lease);
    await jobs.giveBackAttempt(id);
    expect((await jobs.read(tenant, id))?.attempts).toBe(1);
  });

  it('tells listeners and the outbox of the end, once, and not of an end that came too late', async () => {
    const heard: string[] = [];
    let onHeard: () => void = () => undefined;
    const heardOne = new Promise<void>((resolve) => (onHeard = resolve));
    const forget = context.get(NotificationListener).on(JOB_ENDED_CHANNEL, (jobId) => {
      heard.push(jobId);
      onHeard();
    });
    await untilListening(context.get(NotificationListener), JOB_ENDED_CHANNEL);
    const late = await context.createJob(tenant);
    const lateClaim = await claimed(late.id);
    expect(await complete({ jobId: late.id, token: '01890000-0000-7000-8000-000000000000' })).toBe(false);
    expect(await jobs.fail({ ...lateClaim.lease, token: '01890000-0000-7000-8000-000000000000' }, FAILURE)).toBe(false);
    const done = await context.createJob(tenant);
    await complete((await claimed(done.id)).lease);
    await heardOne;
    forget();
    expect(heard).toEqual([done.id]);
    const events = await context
      .get(SystemStatements)
      .run('select kind, subject_id from outbox_events where subject_id = any ($1::uuid[]) order by sequence', [
        [late.id, done.id],
      ]);
    expect(events.rows).toEqual([
      { kind: 'analysis.queued', subject_id: late.id },
      { kind: 'analysis.started', subject_id: late.id },
      { kind: 'analysis.queued', subject_id: done.id },
      { kind: 'analysis.started', subject_id: done.id },
      { kind: 'analysis.completed', subject_id: done.id },
    ]);
  });

  it('gives a released job back with its attempt counted, or uncounted where the worker only stopped', async () => {
    const { id } = await context.createJob(tenant);
    expect(await jobs.release((await claimed(id)).lease)).toBe(true);
    expect(await jobs.read(tenant, id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await jobs.release((await claimed(id)).lease, { counted: false, afterS: 0 })).toBe(true);
    expect(await jobs.read(tenant, id)).toMatchObject({ status: 'queued', attempts: 1 });
  });

  it('never starts a job more often than allowed', async () => {
    const { id } = await context.createJob(tenant);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect((await claimed(id)).job.attempts).toBe(attempt);
      await expireLease(id);
    }
    expect(await jobs.claim(LEASE_S, id)).toBeNull();
    expect(await jobs.claim(LEASE_S)).toBeNull();
  });

  describe('the sweep', () => {
    const sweep = (olderThanS = 10) => jobs.sweep(olderThanS, MAX_ATTEMPTS, FAILURE);

    it('leaves running and fresh jobs alone', async () => {
      await context.createJob(tenant);
      await claimed();
      await context.createJob(tenant);
      expect(await sweep()).toEqual({ waitingJobIds: [], abandonedJobIds: [] });
    });

    it('returns a job whose lease ended to the queue', async () => {
      const { id } = await context.createJob(tenant);
      await claimed(id);
      await expireLease(id);
      expect(await sweep()).toEqual({ waitingJobIds: [id], abandonedJobIds: [] });
      expect(await jobs.read(tenant, id)).toMatchObject({ status: 'queued', attempts: 1 });
    });

    it('closes a job whose last attempt was lost, with an event and one only', async () => {
      const { id } = await context.createJob(tenant);
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        await claimed(id);
        await expireLease(id);
      }
      expect(await sweep()).toEqual({ waitingJobIds: [], abandonedJobIds: [id] });
      expect(await sweep()).toEqual({ waitingJobIds: [], abandonedJobIds: [] });
      expect(await jobs.read(tenant, id)).toMatchObject({ status: 'error', error: FAILURE, result: null });
      const ends = (await takeEvents(context.get(Outbox))).filter(({ kind }) => kind === 'analysis.failed');
      expect(ends).toMatchObject([{ kind: 'analysis.failed', subjectId: id, tenant }]);
    });

    it('closes a job that was given back at its last attempt', async () => {
      const { id } = await context.createJob(tenant);
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) await jobs.release((await claimed(id)).lease);
      expect(await sweep()).toEqual({ waitingJobIds: [], abandonedJobIds: [id] });
    });

    it('names jobs that have waited longer than asked, also those of a process whose clock runs an hour ahead', async () => {
      const old = await context.createJob(tenant, { createdAt: new Date(Date.now() - 60_000) });
      const ahead = await context.createJob(tenant, { createdAt: new Date(Date.now() + 3_600_000) });
      await context.createJob(tenant);
      expect([...(await sweep()).waitingJobIds].sort()).toEqual([old.id, ahead.id].sort());
    });

    it('names urgent ones first, then the oldest, so that workers are woken for them in this order', async () => {
      const before = (minutes: number) => ({ createdAt: new Date(Date.now() - minutes * 60_000) });
      const younger = await context.createJob(tenant, before(2));
      const older = await context.createJob(tenant, before(3));
      const stat = await context.createJob(tenant, { ...before(1), priority: 'stat' });
      expect((await sweep()).waitingJobIds).toEqual([stat.id, older.id, younger.id]);
    });

    it('is done by one instance at a time', async () => {
      const { id } = await context.createJob(tenant, { createdAt: new Date(Date.now() - 60_000) });
      await context.get(UnitOfWork).inSystem(async (transaction) => {
        await (transaction as unknown as { run(sql: string): Promise<unknown> }).run(
          'select pg_advisory_xact_lock(7305002)',
        );
        expect(await sweep()).toEqual({ waitingJobIds: [], abandonedJobIds: [] });
      });
      expect((await sweep()).waitingJobIds).toEqual([id]);
    });
  });

  it('counts the backlog', async () => {
    expect(await jobs.backlog()).toEqual({ queued: 0, processing: 0, oldestUnfinishedS: 0 });
    await context.createJob(tenant, { createdAt: new Date(Date.now() - 120_000) });
    await claimed();
    await context.createJob(tenant);
    const backlog = await jobs.backlog();
    expect(backlog).toMatchObject({ queued: 1, processing: 1 });
    expect(backlog.oldestUnfinishedS).toBeGreaterThanOrEqual(119);
  });

  it('counts no wait that was asked for, neither while it lasts nor afterwards', async () => {
    await context.createJob(tenant, { sandbox: 'slow:600s', createdAt: new Date(Date.now() - 590_000) });
    expect(await jobs.backlog()).toEqual({ queued: 0, processing: 0, oldestUnfinishedS: 0 });
    await context.createJob(tenant, { sandbox: 'slow:600s', createdAt: new Date(Date.now() - 610_000) });
    const { queued, oldestUnfinishedS } = await jobs.backlog();
    expect(queued).toBe(1);
    expect(oldestUnfinishedS).toBeLessThan(60);
    expect(oldestUnfinishedS).toBeGreaterThanOrEqual(9);
  });
});
