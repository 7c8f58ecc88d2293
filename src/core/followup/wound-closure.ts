import type { ClosureReason, WoundEvent } from './wound.js';

/** A person closed the wound, and perhaps opened it again. Both RFC 3339, UTC. */
export interface Closure {
  readonly closedAt: string;
  /** null: not reopened. */
  readonly reopenedAt: string | null;
  /** Absent: not said, which counts as `other`. */
  readonly reason?: ClosureReason;
}

/** The closures that people decided, oldest first. `events`: oldest first. */
export function closuresOf(events: readonly Pick<WoundEvent, 'decision' | 'decidedAt' | 'reason'>[]): Closure[] {
  const closures: Closure[] = [];
  for (const { decision, decidedAt, reason } of events) {
    const last = closures.at(-1);
    if (decision === 'closed') {
      const closedAt = decidedAt.toISOString();
      closures.push({ closedAt, reopenedAt: null, ...(reason === null ? {} : { reason }) });
    }
    if (decision === 'reopened' && last !== undefined)
      closures[closures.length - 1] = { ...last, reopenedAt: last.reopenedAt ?? decidedAt.toISOString() };
  }
  return closures;
}

/** The last closure before that moment; null without one. A photo of the very moment is the one by which the wound was closed. */
export function closureBefore(closures: readonly Closure[], moment: Date): Closure | null {
  return closures.findLast(({ closedAt }) => Date.parse(closedAt) < moment.getTime()) ?? null;
}
