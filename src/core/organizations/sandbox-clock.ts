import { SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ClockMove } from '../times/clinical-timeline.js';

/** How far ahead of real time a clock may go in all. */
export const FURTHEST_AHEAD_DAYS = 3650;
/** How often the clock of an organization may be moved: each move is kept, as what was written between two of them is translated by it. */
export const MOST_CLOCK_MOVES = 2000;

/** A process may go by the clock as it was for so long after it was moved; who moves it is answered when that is over. */
export const CLOCK_SETTLES_MS = 200;

const FURTHEST_AHEAD_MS = FURTHEST_AHEAD_DAYS * 86_400_000;

/** The clock of an organization's test environment as it stands. */
export interface SandboxTime {
  readonly now: Date;
  readonly aheadMs: number;
  /** The latest moment to which it can be set at present. */
  readonly latest: Date;
}

/** To where a clock is moved. */
export type ClockChange = { readonly now: Date } | { readonly advanceMs: number };

/** What is kept of a clock, with the database's own time. */
export interface KeptClock {
  readonly realNow: Date;
  /** Oldest first. */
  readonly moves: readonly ClockMove[];
}

/** What is kept of the clocks of test environments. */
export abstract class SandboxClocks {
  /** As it stands, unlocked. */
  abstract read(transaction: TenantTransaction): Promise<KeptClock>;
  /** Until the end of the transaction nobody else moves it. */
  abstract lock(transaction: TenantTransaction): Promise<KeptClock>;
  /** Also brings the end of links to the review desk nearer by `stepMs`. Of a locked clock. */
  abstract move(transaction: TenantTransaction, move: ClockMove, stepMs: number): Promise<void>;
}

/** The clock that an organization moves in its test environment, forward only. Nothing resets it. */
export class SandboxClock {
  constructor(private readonly clocks: SandboxClocks) {}

  /** `sandbox.clock_live`. */
  async read(transaction: TenantTransaction): Promise<SandboxTime> {
    refuseLive(transaction.tenant);
    return toTime(await this.clocks.read(transaction));
  }

  /** One after the other where several move it at once. `sandbox.clock_live`, `sandbox.clock_back`, `sandbox.clock_limit`. */
  async change(transaction: TenantTransaction, change: ClockChange): Promise<SandboxTime> {
    refuseLive(transaction.tenant);
    const { realNow, moves } = await this.clocks.lock(transaction);
    const before = toTime({ realNow, moves });
    const stepMs = 'now' in change ? change.now.getTime() - before.now.getTime() : change.advanceMs;
    if (stepMs < 0) throw backward(before);
    const aheadMs = before.aheadMs + stepMs;
    if (aheadMs > FURTHEST_AHEAD_MS) throw tooFar(before);
    if (stepMs === 0) return before;
    if (moves.length >= MOST_CLOCK_MOVES) throw movedTooOften();
    const move = { at: realNow, aheadMs };
    await this.clocks.move(transaction, move, stepMs);
    return toTime({ realNow, moves: [move] });
  }
}

function refuseLive({ environment }: Tenant): void {
  if (environment === 'live') throw new SuturaError('sandbox.clock_live');
}

function toTime({ realNow, moves }: KeptClock): SandboxTime {
  const aheadMs = moves.at(-1)?.aheadMs ?? 0;
  return {
    now: new Date(realNow.getTime() + aheadMs),
    aheadMs,
    latest: new Date(realNow.getTime() + FURTHEST_AHEAD_MS),
  };
}

function backward({ now }: SandboxTime): SuturaError {
  return new SuturaError('sandbox.clock_back', {
    detail: `The clock stands at ${now.toISOString()} and goes forward only. State a later moment, or "advance"; for an earlier one take a new organization.`,
    errors: [{ pointer: '/now', detail: 'lies before the time of the clock' }],
  });
}

function tooFar({ now, latest }: SandboxTime): SuturaError {
  return new SuturaError('sandbox.clock_limit', {
    detail: `The clock stands at ${now.toISOString()} and can be set to ${latest.toISOString()} at most, ${FURTHEST_AHEAD_DAYS} days ahead. Move it less far, or take a new organization.`,
  });
}

function movedTooOften(): SuturaError {
  return new SuturaError('sandbox.clock_limit', {
    detail: `The clock was moved ${MOST_CLOCK_MOVES} times, which is all that there is. Take a new organization, and move its clock in larger steps.`,
  });
}
