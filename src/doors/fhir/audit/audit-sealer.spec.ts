/** @jest-environment node */
import { register } from 'prom-client';
import type { AuditLog } from '../../../core/audit/audit-log.js';
import type { TrailCheck } from '../../../core/audit/trail-check.js';
import type { RemovedRows } from '../../../core/audit/audit-witness.js';
import type { OperatorAct, OperatorTrail } from '../../../core/audit/operator-trail.js';
import { Logger } from '../../../platform/logging/logger.js';
import { AuditSealer } from './audit-sealer.js';

const DAY_MS = 24 * 60 * 60_000;

describe('AuditSealer', () => {
  const lines: string[] = [];
  const removed: RemovedRows[] = [];
  const acts: OperatorAct[] = [];
  let seal: () => Promise<number>;
  let sealer: AuditSealer;
  /** NaN: it shows nothing. */
  const figure = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await register.metrics())?.[1]);

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    register.clear();
    lines.length = 0;
    acts.length = 0;
    seal = () => Promise.resolve(1);
    const log = { seal: () => seal() } as unknown as AuditLog;
    const check = {
      run: () =>
        Promise.resolve({
          rows: 3,
          seals: 1,
          breaks: [{ organizationId: 'o', environment: 'test', seal: 1, reason: 'row_changed_or_missing' }],
        }),
    } as unknown as TrailCheck;
    const witness = { removed: () => Promise.resolve(removed.splice(0)) };
    const trail = {
      record: (_: unknown, act: OperatorAct) => Promise.resolve(void acts.push(act)),
    } as unknown as OperatorTrail;
    sealer = new AuditSealer(
      log,
      check,
      witness,
      trail,
      Logger.create('info', { write: (line: string) => void lines.push(line) }),
    );
    sealer.onApplicationBootstrap();
  });
  afterEach(async () => {
    jest.useRealTimers();
    await sealer.beforeApplicationShutdown();
  });

  it('shows no age of a seal that it never made, and then since when it could not', async () => {
    seal = () => Promise.reject(new Error('away'));
    await jest.advanceTimersByTimeAsync(240_000);
    expect(await figure('sutura_audit_seal_age_seconds')).toBeNaN();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await figure('sutura_audit_seal_age_seconds')).toBeCloseTo(300);
  });

  it('shows how long nothing could be sealed', async () => {
    seal = () => Promise.reject(new Error('away'));
    await jest.advanceTimersByTimeAsync(600_000);
    expect(await figure('sutura_audit_seal_age_seconds')).toBeCloseTo(600);
    seal = () => Promise.resolve(1);
    await jest.advanceTimersByTimeAsync(90_000);
    expect(await figure('sutura_audit_seal_age_seconds')).toBeCloseTo(30);
  });

  it('writes down what was removed before it was sealed, in the log and in the trail, and checks the chain at once', async () => {
    const of = { organizationId: 'o', environment: 'live' as const };
    await jest.advanceTimersByTimeAsync(60_000);
    expect([acts, await figure('sutura_audit_chain_breaks')]).toEqual([[], NaN]);
    removed.push({ ...of, ids: ['7', '9'] });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lines.filter((line) => line.includes('"audit.rows_removed"'))).toHaveLength(1);
    expect(acts).toEqual([
      { interaction: '$audit-rows-removed', action: 'E', of, resources: [], query: 'rows=2&ids=7,9' },
    ]);
    expect(await figure('sutura_audit_chain_breaks')).toBe(1);
  });

  it('says nothing of the chain before it was checked, ten minutes after the start, and checks it again each day', async () => {
    const broken = () => lines.filter((line) => line.includes('audit.chain_broken'));
    await jest.advanceTimersByTimeAsync(540_000);
    expect(await figure('sutura_audit_chain_breaks')).toBeNaN();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await figure('sutura_audit_chain_breaks')).toBe(1);
    await jest.advanceTimersByTimeAsync(DAY_MS - 60_000);
    expect(broken()).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(broken()).toHaveLength(2);
  });
});
