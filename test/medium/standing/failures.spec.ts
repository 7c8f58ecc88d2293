import { v7 } from 'uuid';
import { FailureService, MOST_AT_ONCE } from '../../../src/core/failures/failure.service.js';
import type { ChosenFailure, FailureGroup, FailureSelection } from '../../../src/core/failures/failure-group.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { SqlFailureRecords } from '../../../src/records/standing/sql-failure-records.js';
import { StandingGround } from './standing-ground.js';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const error = (code: string) => ({ severity: 'error', condition: '207', place: null, code, text: 'Doe, Jane' });
const warning = { ...error('value.unknown'), severity: 'warning' };

describe('failures by cause', () => {
  let ground: StandingGround;
  let records: SqlFailureRecords;
  let listenerId: string;

  beforeAll(async () => {
    ground = await StandingGround.open();
    records = new SqlFailureRecords(ground.context.get(SystemStatements));
  });
  beforeEach(async () => {
    await ground.clear();
    listenerId = await ground.listener('Ward 7', 2576);
  });
  afterAll(() => ground?.close());

  async function message(problems: readonly object[], ago: number, state = 'failed'): Promise<string> {
    const id = v7();
    await ground.query(
      `insert into hl7_inbound (id, organization_id, environment, source_id, transport, received_at, key_id, address, sending_application, sending_facility, control_id, message_type, version, holds_key, sha256, raw, size_bytes, state, lease_until, application_ack, problems)
         values ($1, $2, 'test', $3, 'mllp', $4, 'k', 'a', 's', 'f', 'c', 'ADT^A01', '2.5', false, '\\x00', '\\x00', 1, $5, now(), 'now', $6)`,
      [id, ground.tenant.organizationId, listenerId, minutesAgo(ago), state, JSON.stringify(problems)],
    );
    return id;
  }
  async function failedJob(code: string, imageId?: string): Promise<{ id: string; imageId: string }> {
    const job = await ground.context.createJob(ground.tenant, imageId === undefined ? {} : { imageId });
    await ground.query(`update analysis_jobs set status = 'error', error = $2, completed_at = now() where id = $1`, [
      job.id,
      JSON.stringify({ code }),
    ]);
    return job;
  }
  const range = () => ({ from: minutesAgo(24 * 60), to: minutesAgo(-1) });
  const groups = (filter: object = {}): Promise<readonly FailureGroup[]> => records.groups({ ...range(), ...filter });

  it('are not those of another organization, the other environment, or another time', async () => {
    await message([error('order.unknown')], 5);
    const { organizationId } = ground.tenant;
    expect(await groups({ organizationId: v7() })).toEqual([]);
    expect(await groups({ organizationId, environment: 'live' })).toEqual([]);
    expect(await groups({ to: minutesAgo(10) })).toEqual([]);
    expect(await groups({ from: minutesAgo(1) })).toEqual([]);
    expect(await groups({ organizationId, environment: 'test' })).toHaveLength(1);
  });

  it('of messages are told by the first error and the listener, never by words or warnings', async () => {
    const first = await message([warning, error('order.unknown'), error('value.unknown')], 90);
    await message([error('order.unknown')], 30);
    await message([error('value.unknown')], 60);
    await message([], 50, 'sealed');
    await message([warning], 1, 'processed');
    const found = await groups();
    expect(found.map(({ cause, count, subjectId }) => [cause, count, subjectId])).toEqual([
      ['order.unknown', 2, listenerId],
      ['hl7.sealed', 1, listenerId],
      ['value.unknown', 1, listenerId],
    ]);
    expect(found[0]).toMatchObject({ kind: 'message', ...ground.tenant });
    expect(found[0]!.firstAt.getTime()).toBeCloseTo(minutesAgo(90).getTime(), -4);
    expect(found[0]!.examples).toContain(first);
    expect(JSON.stringify(found)).not.toContain('Doe');
  });

  it('of deliveries are told by why they are parked, what the receiver answered, and the receiver', async () => {
    const destination = await ground.destination('Ward EHR');
    const refused = { state: 'parked', parked_for: 'refused', ack_code: 'AE', ack_condition: '207' };
    await ground.outbound(destination, refused);
    await ground.outbound(destination, refused);
    await ground.outbound(destination, { state: 'parked', parked_for: 'operator' });
    await ground.outbound(destination, { state: 'waiting', fault: 'unreachable ECONNREFUSED' });
    const found = await groups();
    expect(found.map(({ kind, cause, count, subjectId }) => [kind, cause, count, subjectId]).sort()).toEqual([
      ['hl7', 'operator', 1, destination],
      ['hl7', 'refused AE 207', 2, destination],
    ]);
  });

  it('of analyses are gone once the photo was analysed again, and counted once where that failed, too', async () => {
    const { imageId } = await failedJob('processing.timeout');
    expect(await groups()).toMatchObject([{ kind: 'job', cause: 'processing.timeout', count: 1, subjectId: null }]);
    await failedJob('processing.failed', imageId);
    expect(await groups()).toMatchObject([{ kind: 'job', cause: 'processing.failed', count: 1 }]);
    await ground.context.createJob(ground.tenant, { imageId });
    expect(await groups()).toEqual([]);
  });

  describe('done again', () => {
    const selected = (changes: Partial<FailureSelection> = {}): FailureSelection => ({
      tenant: ground.tenant,
      kind: 'message',
      subjectId: listenerId,
      cause: 'order.unknown',
      after: null,
      ...range(),
      ...changes,
    });
    function service(
      refused: readonly string[] = [],
      left: readonly string[] = [],
      before: (failure: ChosenFailure) => void = () => undefined,
    ) {
      const done: string[] = [];
      const again = (_: unknown, failure: ChosenFailure) =>
        Promise.resolve().then(() => {
          before(failure);
          if (refused.includes(failure.id)) throw new SuturaError('hl7.erased');
          if (left.includes(failure.id)) return 'ehr_outcome_unknown';
          done.push(failure.id);
          return null;
        });
      const kinds = { message: again, job: again, hl7: again, webhook: again, subscription: again, ehr: again };
      return { done, failures: new FailureService(records, kinds) };
    }

    it('are none of another cause, listener or organization', async () => {
      await message([error('order.unknown')], 5);
      const { failures } = service();
      const others = [
        { cause: 'value.unknown' },
        { subjectId: v7() },
        { subjectId: null },
        { kind: 'hl7' as const },
        { tenant: { ...ground.tenant, organizationId: v7() } },
        { tenant: { ...ground.tenant, environment: 'live' as const } },
        { subjectId: 'no id' },
      ];
      for (const other of others) expect(await failures.choose(selected(other))).toEqual({ failures: [], after: null });
    });

    it('are all of the cause, oldest first; one that is refused or left as it is is named, and holds up no other', async () => {
      const ids = [
        await message([error('order.unknown')], 30),
        await message([error('order.unknown')], 20),
        await message([error('order.unknown')], 15),
        await message([error('order.unknown')], 10),
      ];
      await message([error('value.unknown')], 5);
      const { failures, done } = service([ids[1]!], [ids[2]!]);
      const chosen = await failures.choose(selected());
      expect(chosen).toEqual({ failures: ids.map((id) => ({ id, attempts: null })), after: null });
      expect(await failures.retry(selected(), chosen, 'user:ada')).toEqual({
        after: null,
        retried: 2,
        skipped: [
          { id: ids[1], code: 'hl7.erased' },
          { id: ids[2], code: 'ehr_outcome_unknown' },
        ],
      });
      expect(done).toEqual([ids[0], ids[3]]);
    });

    it('leave one that is failed for another cause by now, and give the receiver’s attempts of when they were chosen', async () => {
      const destination = await ground.destination('Ward EHR');
      await ground.outbounds(destination, 2, 'parked');
      const parked = selected({ kind: 'hl7', subjectId: destination, cause: 'refused' });
      const done: ChosenFailure[] = [];
      const { failures } = service([], [], (failure) => done.push(failure));
      const chosen = await failures.choose(parked);
      const [first, second] = chosen.failures;
      await ground.query(`update hl7_outbox set parked_for = 'operator' where id = $1`, [first!.id]);
      await ground.query('update hl7_outbox set attempts = attempts + 1 where id = $1', [second!.id]);
      expect(await failures.retry(parked, chosen, 'user:ada')).toEqual({
        retried: 1,
        skipped: [{ id: first!.id, code: 'operator' }],
        after: null,
      });
      expect(done).toEqual([second]);
    });

    it('end behind one that the database cannot do at the moment, and the next call goes on there', async () => {
      const ids = [
        await message([error('order.unknown')], 30),
        await message([error('order.unknown')], 20),
        await message([error('order.unknown')], 10),
      ];
      const { done, failures } = service([], [], ({ id }) => {
        if (id === ids[1]) throw new SuturaError('service.unavailable');
      });
      const skipped = [{ id: ids[1], code: 'service.unavailable' }];
      const first = await failures.retry(selected(), await failures.choose(selected()), 'user:ada');
      expect(first).toEqual({ retried: 1, skipped, after: ids[1] });
      expect(done).toEqual([ids[0]]);
      const rest = selected({ after: first.after });
      expect(await failures.retry(rest, await failures.choose(rest), 'user:ada')).toEqual({
        retried: 1,
        skipped: [],
        after: null,
      });
      expect(done).toEqual([ids[0], ids[2]]);
    });

    it('go on behind the last of a call, where there are more than are done at once', async () => {
      const destination = await ground.destination('Ward EHR');
      await ground.outbounds(destination, MOST_AT_ONCE + 2, 'parked');
      const { failures } = service();
      const parked = selected({ kind: 'hl7', subjectId: destination, cause: 'refused' });
      const first = await failures.choose(parked);
      expect(first.failures).toHaveLength(MOST_AT_ONCE);
      expect(first.after).toBe(first.failures.at(-1)!.id);
      const rest = await failures.choose({ ...parked, after: first.after });
      expect(rest).toMatchObject({ after: null });
      expect(rest.failures).toHaveLength(2);
      expect(new Set([...first.failures, ...rest.failures].map(({ id }) => id)).size).toBe(MOST_AT_ONCE + 2);
    });
  });
});
