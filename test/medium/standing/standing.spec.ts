import { readdirSync, readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { EVENT_HANDLERS } from '../../../src/core/domain-events/domain-event.handler.js';
import type { HeldRights } from '../../../src/core/tenancy/roles.js';
import { GOOD_FIGURES, StandingGround } from './standing-ground.js';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const agoS = (at: Date | null): number => (at === null ? NaN : (Date.now() - at.getTime()) / 1000);

describe('how the service stands', () => {
  let ground: StandingGround;

  beforeAll(async () => {
    ground = await StandingGround.open();
  });
  beforeEach(() => ground.clear());
  afterAll(() => ground?.close());

  it('is not called well by a service of which no process has reported', async () => {
    const { state, findings } = await ground.service().read(undefined);
    expect(state).toBe('broken');
    expect(findings.filter((one) => one.state !== 'well').map(({ part }) => part)).toEqual([
      'workers',
      'certificates',
      'models',
      'disk',
      'backup',
      'parts',
      'audit',
      'audit',
    ]);
  });

  it('is well where everything was looked at, and nothing is wrong', async () => {
    await ground.process(['api', 'worker', 'hl7']);
    const { state, findings, unseen } = await ground.service().read(undefined);
    expect(findings.filter((one) => one.state !== 'well')).toEqual([]);
    expect({ state, unseen }).toEqual({ state: 'well', unseen: [] });
    expect(new Set(findings.map(({ part }) => part)).size).toBe(15);
  });

  describe('says of a receiver', () => {
    it('that is down: since when, and how many wait', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'delivered', ago: 3600, delivered_at: minutesAgo(55), attempts: 1 });
      const failed = [{ at: minutesAgo(30).toISOString(), what: 'no_answer', fault: 'unreachable ECONNREFUSED' }];
      const tried = { attempts: 3, failures: 3, fault: 'unreachable ECONNREFUSED', history: JSON.stringify(failed) };
      await ground.outbound(id, { state: 'waiting', ago: 1860, ...tried });
      await ground.outbound(id, { state: 'waiting', ago: 60 });
      const [found] = await ground.find({ fault: 'receiver_unreachable' });
      expect(found).toMatchObject({
        state: 'broken',
        words: 'Destination Ward EHR cannot be reached (unreachable ECONNREFUSED)',
        waiting: 2,
        subject: { kind: 'hl7', id },
      });
      expect(agoS(found!.since)).toBeCloseTo(1800, -1);
      expect(agoS(found!.provenAt)).toBeCloseTo(3300, -1);
      expect(agoS(found!.oldestWaitingAt)).toBeCloseTo(1860, -1);
    });

    it('that refuses, with the code of its answer', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'waiting', attempts: 1, refusals: 1, ack_code: 'AE' });
      expect(await ground.find({ fault: 'receiver_refuses' })).toMatchObject([
        { state: 'broken', words: 'Destination Ward EHR refuses what is sent to it (AE)', waiting: 1 },
      ]);
    });

    it('that refused the last for good: broken, though nothing waits for a try', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'delivered', delivered_at: minutesAgo(9), sent_at: minutesAgo(9) });
      const refused = { state: 'parked', parked_for: 'refused', attempts: 1, ack_code: 'AR' };
      await ground.outbound(id, { ...refused, sent_at: minutesAgo(3) });
      await ground.outbound(id, { ...refused, sent_at: minutesAgo(2) });
      const [found] = await ground.find({ fault: 'receiver_refuses' });
      expect(found).toMatchObject({ state: 'broken', words: expect.stringContaining('(AR)') as string });
      expect(agoS(found!.since)).toBeCloseTo(180, -1);
    });

    it('that took others since: a person has to look at what is parked', async () => {
      const id = await ground.destination('Ward EHR');
      const refused = { state: 'parked', parked_for: 'refused', attempts: 1, ack_code: 'AR', sent_at: minutesAgo(3) };
      await ground.outbound(id, refused);
      await ground.outbound(id, { state: 'delivered', delivered_at: minutesAgo(1), sent_at: minutesAgo(1) });
      expect(await ground.find({ part: 'receivers' })).toMatchObject([
        { state: 'waiting', fault: 'deliveries_parked', waiting: 1 },
      ]);
    });

    it('that is connected and silent', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'waiting', attempts: 1, failures: 1, fault: 'timeout' });
      expect(await ground.find({ fault: 'receiver_silent' })).toMatchObject([{ state: 'broken', waiting: 1 }]);
    });

    it('nothing bad of what a person sent again and nobody has tried yet, whatever was answered before', async () => {
      const id = await ground.destination('Ward EHR');
      const again = [
        { at: minutesAgo(50).toISOString(), what: 'refused' },
        { at: minutesAgo(1).toISOString(), what: 'replayed' },
      ];
      const before = { attempts: 1, ack_code: 'AA', delivered_at: minutesAgo(40) };
      await ground.outbound(id, { state: 'waiting', ...before, history: JSON.stringify(again) });
      expect(await ground.find({ part: 'receivers' })).toMatchObject([{ state: 'well' }]);
      const failed = [...again, { at: minutesAgo(0.5).toISOString(), what: 'no_answer' }];
      await ground.query(`update hl7_outbox set failures = 1, fault = 'timeout', history = $1`, [
        JSON.stringify(failed),
      ]);
      const [found] = await ground.find({ fault: 'receiver_silent' });
      expect(agoS(found!.since)).toBeCloseTo(30, -1);
    });

    it('that it still fails while what failed is only tried sooner', async () => {
      const id = await ground.destination('Ward EHR');
      const sooner = [
        { at: minutesAgo(50).toISOString(), what: 'no_answer' },
        { at: minutesAgo(0).toISOString(), what: 'retried' },
      ];
      const tried = { attempts: 4, fault: 'timeout', history: JSON.stringify(sooner) };
      await ground.outbound(id, { state: 'waiting', ...tried });
      const [found] = await ground.find({ fault: 'receiver_silent' });
      expect(agoS(found!.since)).toBeCloseTo(3000, -1);
    });

    it('nothing bad while the first try is under way', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'waiting', attempts: 1, ago: 1 });
      expect(await ground.find({ part: 'receivers' })).toMatchObject([{ state: 'unknown', fault: null }]);
    });

    it('that no process sends to, once something has waited for a minute', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.query('update hl7_senders set lease_token = null, lease_until = null');
      await ground.outbound(id, { state: 'waiting', ago: 90 });
      expect(await ground.find({ fault: 'receiver_not_tried' })).toMatchObject([{ state: 'broken', waiting: 1 }]);
    });

    it('that it is paused by a person, or disabled by the service', async () => {
      await ground.destination('Archive', false);
      await ground.webhook({ disabledFor: 'gone' });
      expect(await ground.find({ fault: 'endpoint_paused' })).toMatchObject([{ state: 'waiting' }]);
      const [disabled] = await ground.find({ fault: 'endpoint_disabled' });
      expect(disabled).toMatchObject({ state: 'broken', subject: { kind: 'webhook' } });
      expect(agoS(disabled!.since)).toBeLessThan(60);
    });

    it('that a webhook fails since the moment that it keeps', async () => {
      await ground.webhook({ failingSince: minutesAgo(4) });
      const [found] = await ground.find({ part: 'receivers' });
      expect(found).toMatchObject({ state: 'broken' });
      expect(agoS(found!.since)).toBeCloseTo(240, -1);
    });
  });

  describe('says of what comes in', () => {
    it('that a listener is served by nobody, since when and why', async () => {
      const id = await ground.listener('ADT North', 2575);
      expect(await ground.find({ fault: 'listener_not_served' })).toMatchObject([{ state: 'broken', since: null }]);
      await ground.query(
        `insert into hl7_served_listeners (listener_id, gateway_id, reason, seen_at, since) values ($1, $1, 'EADDRINUSE', now(), now() - interval '5 minutes')`,
        [id],
      );
      const [found] = await ground.find({ fault: 'listener_not_served' });
      expect(found!.words).toContain('another program has its port');
      expect(agoS(found!.since)).toBeCloseTo(300, -1);
    });

    it('that its certificate ends, and that of a destination', async () => {
      const listenerId = await ground.listener('ADT North', 2575);
      await ground.query(
        `insert into hl7_served_listeners (listener_id, gateway_id, certificate_expires_at, seen_at) values ($1, $1, now() - interval '1 hour', now())`,
        [listenerId],
      );
      const id = await ground.destination('Ward EHR');
      const figures = { ...GOOD_FIGURES, [`sutura_hl7_destination_certificate_days ${id}`]: 3 };
      await ground.process(['hl7'], { figures });
      expect(await ground.find({ fault: 'certificate_ends' })).toMatchObject([
        { state: 'broken', words: expect.stringContaining('listener ADT North has ended') as string },
        { state: 'waiting', words: 'The certificate of destination Ward EHR ends in 3 days' },
      ]);
    });

    it('that messages were refused', async () => {
      await ground.query(
        `insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address, sending_application, sending_facility, control_id, message_type, version, holds_key, sha256, raw, size_bytes, state, lease_until, application_ack)
           values ($1, $2, 'test', $1, 'mllp', now(), 'k', 'a', 's', 'f', 'c', 'ADT^A01', '2.5', false, '\\x00', '\\x00', 1, 'failed', now(), 'now')`,
        [v7(), ground.tenant.organizationId],
      );
      expect(await ground.find({ fault: 'messages_refused' })).toMatchObject([{ state: 'waiting', waiting: 1 }]);
    });

    it('that something is held for a person', async () => {
      ground.held = [{ ...ground.tenant, reason: 'identity_conflict', items: 4, oldestSince: minutesAgo(90) }];
      expect(await ground.find({ fault: 'items_held' })).toMatchObject([
        { state: 'waiting', waiting: 4, words: '4 things wait for a person: identity conflict' },
      ]);
    });
  });

  describe('says of the work', () => {
    it('that a queue is stuck', async () => {
      const { id } = await ground.context.createJob(ground.tenant);
      await ground.query(`update analysis_jobs set created_at = now() - interval '6 minutes' where id = $1`, [id]);
      const [found] = await ground.find({ fault: 'queue_stuck' });
      expect(found).toMatchObject({ state: 'broken', waiting: 1 });
      expect(agoS(found!.since)).toBeCloseTo(360, -1);
    });

    it('nothing of a job that asked to be slow, until its time is over: then as of any other', async () => {
      const { id } = await ground.context.createJob(ground.tenant, { sandbox: 'slow:600s' });
      await ground.query(`update analysis_jobs set created_at = now() - interval '6 minutes' where id = $1`, [id]);
      expect(await ground.find({ fault: 'queue_stuck' })).toEqual([]);
      // A time-out puts it off again, and is no wait that was asked for.
      await ground.query(
        `update analysis_jobs set created_at = now() - interval '16 minutes', not_before = now() + interval '1 minute' where id = $1`,
        [id],
      );
      const [found] = await ground.find({ fault: 'queue_stuck' });
      expect(found).toMatchObject({ state: 'broken', waiting: 1 });
      expect(agoS(found!.since)).toBeCloseTo(360, -1);
    });

    it('nothing of analyses that failed as was asked; another outcome that failed all the same is told', async () => {
      const fail = async (sandbox: string): Promise<void> => {
        const { id } = await ground.context.createJob(ground.tenant, { sandbox });
        await ground.query(
          `update analysis_jobs set status = 'error', error = '{"code":"processing.failed"}', completed_at = now() where id = $1`,
          [id],
        );
      };
      await fail('job_failed');
      expect(await ground.find({ fault: 'jobs_failed' })).toEqual([]);
      await fail('slow:1s');
      expect(await ground.find({ fault: 'jobs_failed' })).toMatchObject([{ waiting: 1 }]);
    });

    it('that analyses failed, and no longer once one of the same photo was made', async () => {
      const job = await ground.context.createJob(ground.tenant);
      await ground.query(
        `update analysis_jobs set status = 'error', error = '{"code":"image.unreadable"}', completed_at = now() where id = $1`,
        [job.id],
      );
      expect(await ground.find({ fault: 'jobs_failed' })).toMatchObject([
        { state: 'waiting', waiting: 1, words: '1 analysis of the last 24 hours failed: image.unreadable' },
      ]);
      await ground.context.createJob(ground.tenant, { imageId: job.imageId });
      expect(await ground.find({ fault: 'jobs_failed' })).toEqual([]);
    });

    it('that the last worker is dead, since it last reported; that one of two is', async () => {
      await ground.process(['worker'], { ago: 300 });
      const [dead] = await ground.find({ fault: 'worker_dead' });
      expect(dead).toMatchObject({ state: 'broken' });
      expect(agoS(dead!.since)).toBeCloseTo(300, -1);
      await ground.process(['worker']);
      expect(await ground.find({ fault: 'worker_dead' })).toMatchObject([{ state: 'waiting' }]);
    });

    it('that no worker has a model', async () => {
      await ground.process(['worker'], { failing: { inference: minutesAgo(2).toISOString() } });
      const [found] = await ground.find({ fault: 'model_missing' });
      expect(found).toMatchObject({ state: 'broken', part: 'models' });
      expect(agoS(found!.since)).toBeCloseTo(120, -1);
      expect(await ground.find({ fault: 'worker_dead' })).toEqual([]);
    });

    it('that the analyses of the day are used up, or nearly', async () => {
      const use = (used: number) =>
        ground.query(
          `insert into quota_usage (organization_id, day, used) values ($1, (now() at time zone 'UTC')::date, $2) on conflict (organization_id, day) do update set used = excluded.used`,
          [ground.tenant.organizationId, used],
        );
      await ground.query('update organizations set daily_limit_override = 10');
      await use(8);
      expect(await ground.find({ fault: 'quota_used' })).toMatchObject([{ state: 'waiting' }]);
      await use(10);
      expect(await ground.find({ fault: 'quota_used' })).toMatchObject([{ state: 'broken' }]);
      await use(7);
      expect(await ground.find({ part: 'quota' })).toMatchObject([{ state: 'well' }]);
    });
  });

  describe('says of the installation', () => {
    it.each([
      ['disk_full', { sutura_data_free_bytes: 400_000_000 }, 'broken'],
      ['disk_full', { sutura_data_free_bytes: 900_000_000 }, 'waiting'],
      ['backup_old', { sutura_backup_age_seconds: 27 * 3600 }, 'broken'],
      ['audit_not_sealed', { sutura_audit_seal_age_seconds: 400 }, 'broken'],
      ['audit_chain_broken', { sutura_audit_chain_breaks: 2 }, 'broken'],
    ] as const)('%s, from the figures of its processes', async (fault, figures, state) => {
      await ground.process(['api', 'worker'], { figures: { ...GOOD_FIGURES, ...figures } });
      expect(await ground.find({ fault })).toMatchObject([{ state }]);
    });

    it('that a process is not ready, and what it lacks', async () => {
      await ground.process(['api'], { failing: { storage: minutesAgo(3).toISOString() } });
      expect(await ground.find({ fault: 'part_failed' })).toMatchObject([
        { state: 'broken', words: 'A process on ward-host (api) is not ready: storage' },
      ]);
    });

    it('that the database takes no writes', async () => {
      const name = new URL(ground.database.url).pathname.slice(1);
      await ground.query(`alter database "${name}" set default_transaction_read_only = on`);
      try {
        const fresh = await StandingGround.beside(ground);
        expect(await fresh.find({ fault: 'database_read_only' })).toMatchObject([{ state: 'broken' }]);
        await fresh.context.close();
      } finally {
        await ground.query(
          `set transaction_read_only = off; alter database "${name}" reset default_transaction_read_only`,
        );
      }
    });
  });

  describe('for a person', () => {
    const of = (role: 'viewer' | 'integrator' | 'admin'): HeldRights => ({
      isInstallationAdmin: false,
      roles: [{ organizationId: ground.tenant.organizationId, role }],
    });

    it('shows nothing of an organization without a role there, and is never well', async () => {
      await ground.process(['api', 'worker', 'hl7']);
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'waiting', attempts: 1, failures: 1, fault: 'timeout' });
      const nobody = { isInstallationAdmin: false, roles: [] };
      const { state, findings, unseen } = await ground.service().read(nobody);
      expect(state).toBe('unknown');
      expect(findings.map(({ part }) => part)).toEqual(['database', 'queue', 'workers', 'models']);
      expect(unseen).toEqual(expect.arrayContaining(['receivers', 'listeners', 'held', 'messages', 'disk', 'backup']));
      expect(await ground.service().connections(nobody)).toMatchObject({ connections: [], isAllSeen: false });
    });

    it('shows a viewer the connections of the organization, and not its refused messages', async () => {
      await ground.process(['api', 'worker', 'hl7']);
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'waiting', attempts: 1, failures: 1, fault: 'timeout' });
      const { state, findings, unseen } = await ground.service().read(of('viewer'));
      expect(state).toBe('broken');
      expect(findings[0]).toMatchObject({ fault: 'receiver_silent', organizationId: ground.tenant.organizationId });
      expect(findings.some(({ part }) => part === 'messages')).toBe(false);
      expect(unseen).toEqual(['disk', 'backup', 'parts', 'audit', 'messages', 'jobs']);
    });

    it('shows an integrator those too, and still not the installation', async () => {
      await ground.process(['api', 'worker', 'hl7']);
      const { state, unseen } = await ground.service().read(of('integrator'));
      expect({ state, unseen }).toEqual({ state: 'unknown', unseen: ['disk', 'backup', 'parts', 'audit'] });
    });
  });

  describe('says of a receiver, as it is now', () => {
    const at = (minutes: number): string => minutesAgo(minutes).toISOString();
    const told = (...history: object[]): string => JSON.stringify(history);
    const receivers = () => ground.find({ part: 'receivers' });

    it('that its handshake was given up, and nothing of it once it is made again', async () => {
      const id = await ground.subscription();
      await ground.notification(id, 1, 'parked');
      await ground.notification(id, 2, 'waiting');
      expect(await receivers()).toMatchObject([{ state: 'broken', fault: 'handshake_given_up' }]);
      await ground.query(`update fhir_subscription_deliveries set state = 'waiting' where number = 1`);
      expect(await ground.find({ fault: 'handshake_given_up' })).toEqual([]);
    });

    it('that it is down, though it took others after it first refused one', async () => {
      const id = await ground.destination('Ward EHR');
      const refused = { at: at(120), what: 'refused', answer: 'AE', times: 2, until: at(55) };
      await ground.outbound(id, {
        state: 'waiting',
        attempts: 3,
        failures: 1,
        refusals: 2,
        fault: 'unreachable ECONNREFUSED',
        history: told(refused, { at: at(40), what: 'no_answer', fault: 'unreachable ECONNREFUSED' }),
      });
      await ground.outbound(id, { state: 'delivered', delivered_at: minutesAgo(60), sent_at: minutesAgo(60) });
      const [found] = await receivers();
      expect(found).toMatchObject({ state: 'broken', fault: 'receiver_unreachable' });
      expect(agoS(found!.since)).toBeCloseTo(3600, -1);
    });

    it('what was heard last, since the first failure of all that nothing was taken after', async () => {
      const id = await ground.destination('Ward EHR');
      const waits = { state: 'waiting', attempts: 1 };
      const refused = told({ at: at(30), what: 'refused', answer: 'AE' });
      await ground.outbound(id, { ...waits, refusals: 1, ack_code: 'AE', history: refused });
      const silent = told({ at: at(20), what: 'no_answer', fault: 'timeout' });
      await ground.outbound(id, { ...waits, failures: 1, fault: 'timeout', history: silent });
      const [found] = await receivers();
      expect(found).toMatchObject({ state: 'broken', fault: 'receiver_silent' });
      expect(agoS(found!.since)).toBeCloseTo(1800, -1);
    });

    it('that it refuses for good since, though one that waits failed before it took others', async () => {
      const id = await ground.destination('Ward EHR');
      const before = told({ at: at(90), what: 'refused', answer: 'AE' });
      await ground.outbound(id, { state: 'waiting', attempts: 1, refusals: 1, ack_code: 'AE', history: before });
      await ground.outbound(id, { state: 'delivered', delivered_at: minutesAgo(60), sent_at: minutesAgo(60) });
      expect(await receivers()).toMatchObject([{ state: 'waiting', fault: 'receiver_refuses' }]);
      const since = told({ at: at(5), what: 'refused', answer: 'AR' });
      const parked = { state: 'parked', parked_for: 'refused', attempts: 1, ack_code: 'AR', sent_at: minutesAgo(70) };
      await ground.outbound(id, { ...parked, history: since });
      const [found] = await receivers();
      expect(found).toMatchObject({ state: 'broken', words: expect.stringContaining('(AR)') as string });
      expect(agoS(found!.since)).toBeCloseTo(300, -1);
    });

    it('that nobody sends to it before that one was refused and others were taken', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.query('update hl7_senders set lease_token = null, lease_until = null');
      const before = told({ at: at(90), what: 'refused', answer: 'AE' });
      await ground.outbound(id, {
        state: 'waiting',
        ago: 5400,
        attempts: 1,
        refusals: 1,
        ack_code: 'AE',
        history: before,
      });
      await ground.outbound(id, { state: 'delivered', delivered_at: minutesAgo(60), sent_at: minutesAgo(60) });
      expect(await receivers()).toMatchObject([{ state: 'broken', fault: 'receiver_not_tried' }]);
    });

    it('that its application refuses what it had accepted: that was not taken', async () => {
      const id = await ground.destination('Ward EHR');
      const accepted = { ack_code: 'CA', attempts: 1 };
      await ground.outbound(id, {
        ...accepted,
        state: 'delivered',
        application_code: 'AA',
        delivered_at: minutesAgo(50),
      });
      const later = told(
        { at: at(10), what: 'delivered', attempt: 1, answer: 'CA' },
        { at: at(9), what: 'refused_later', answer: 'AR' },
      );
      const refused = { ...accepted, application_code: 'AR', delivered_at: minutesAgo(10), sent_at: minutesAgo(10) };
      await ground.outbound(id, { ...refused, state: 'parked', parked_for: 'refused_later', history: later });
      const [found] = await receivers();
      expect(found).toMatchObject({ state: 'broken', fault: 'receiver_refuses' });
      expect(found!.words).toContain('(AR)');
      expect(agoS(found!.since)).toBeCloseTo(540, -1);
      expect(agoS(found!.provenAt)).toBeCloseTo(3000, -1);
      const again = told({ at: at(9), what: 'refused_later', answer: 'AR' }, { at: at(1), what: 'requeued', by: 'it' });
      await ground.query(
        `update hl7_outbox set state = 'waiting', parked_for = null, application_code = null, history = $1 where state = 'parked'`,
        [again],
      );
      const [waits] = await receivers();
      expect(waits).toMatchObject({ state: 'well' });
      expect(agoS(waits!.provenAt)).toBeCloseTo(3000, -1);
    });

    it('what waits and what is parked, each counted for itself, however many are parked before', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'delivered', delivered_at: minutesAgo(1) });
      await ground.outbounds(id, 10_002, 'parked');
      await ground.outbound(id, { state: 'waiting', ago: 30 });
      const { connections } = await ground.service().connections(undefined);
      expect(connections![0]).toMatchObject({ waiting: 1, parked: 10_000 });
      expect(agoS(connections![0]!.oldestWaitingAt)).toBeCloseTo(30, -1);
    });

    it('how many wait and are parked, where more wait than are counted', async () => {
      const id = await ground.destination('Ward EHR');
      await ground.outbound(id, { state: 'parked', parked_for: 'operator' });
      await ground.outbounds(id, 10_002, 'waiting');
      const { connections } = await ground.service().connections(undefined);
      expect(connections![0]).toMatchObject({ waiting: 10_000, parked: 1 });
    });
  });

  describe('says of events that are owed', () => {
    it('nothing of those of a handler that this release does not have', async () => {
      await ground.event('of-another-release', 3600);
      expect(await ground.find({ fault: 'queue_stuck' })).toEqual([]);
    });

    it.each([
      ['that is fanned out to nobody', null, 0],
      ['that its handler was given and did not finish, and is tried again in an hour', 'webhooks', 3600],
    ] as const)('the oldest %s', async (_, handler, nextTryInS) => {
      await ground.event(handler, 600, nextTryInS);
      for (let newer = 0; newer < 3; newer += 1) await ground.event(handler, 5);
      const [found] = await ground.find({ fault: 'queue_stuck' });
      expect(found).toMatchObject({ state: 'broken', words: 'Results that are to be handed on are not worked off' });
      expect(agoS(found!.since)).toBeCloseTo(600, -1);
    });

    it('those of every handler that there is', () => {
      const sources = (readdirSync('src', { recursive: true }) as string[])
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(`src/${file}`, 'utf8'));
      const handlers = sources.filter((source) => / extends DomainEventHandler \{/.test(source));
      const names = handlers.map((source) => /readonly name = '([^']+)'/.exec(source)?.[1]);
      expect(names.sort()).toEqual([...EVENT_HANDLERS].sort());
    });
  });

  it('reckons by the clock of the database, whatever that of the process says', async () => {
    const service = ground.service(() => minutesAgo(600));
    expect(agoS((await service.read(undefined)).at)).toBeLessThan(30);
    expect(agoS((await service.connections(undefined)).at)).toBeLessThan(30);
  });

  it('lists every connection with its last success, what waits and what the other side said', async () => {
    const [one, other] = [await ground.destination('Ward EHR'), await ground.destination('Archive')];
    await ground.listener('ADT North', 2575);
    await ground.outbound(one, { state: 'waiting', attempts: 2, failures: 2, fault: 'unreachable ECONNREFUSED' });
    await ground.outbound(other, { state: 'delivered', delivered_at: minutesAgo(2) });
    const { connections, isAllSeen } = await ground.service().connections(undefined);
    expect(isAllSeen).toBe(true);
    expect(connections!.map(({ name, state, said, waiting }) => ({ name, state, said, waiting }))).toEqual([
      { name: 'Ward EHR', state: 'broken', said: 'unreachable ECONNREFUSED', waiting: 1 },
      { name: 'ADT North', state: 'broken', said: 'no_gateway', waiting: 0 },
      { name: 'Archive', state: 'well', said: null, waiting: 0 },
    ]);
    expect(agoS(connections![2]!.lastWellAt)).toBeCloseTo(120, -1);
  });
});
