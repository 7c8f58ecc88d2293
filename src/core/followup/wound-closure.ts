import type { ClosureReason, WoundDecision, WoundEvent, WoundStatus } from './wound.js';

/** A person closed the wound, and perhaps opened it again. Both RFC 3339, UTC. */
export interface Closure {
  readonly closedAt: string;
  /** null: not reopened. */
  readonly reopenedAt: string | null;
  /** Absent: not said, which counts as `other`. */
  readonly reason?: ClosureReason;
}

type Decided = Pick<WoundEvent, 'decision' | 'decidedAt' | 'reason'>;

/** Ends that relations brought, as what they are for the series: closings that a person may take back. */
const ENDS: Readonly<Partial<Record<WoundDecision, ClosureReason>>> = { joined: 'merged', split: 'other' };
const UNDOING: readonly WoundDecision[] = ['unjoined', 'unsplit'];

/**
 * The closings and reopenings that count: with those by which a wound ended in a relation, and without what was taken back.
 * @param events oldest first by when they were recorded; answered oldest first by when they hold
 */
export function closingsOf<Event extends Decided>(events: readonly Event[]): Event[] {
  const counted: Event[] = [];
  for (const event of events) {
    const { decision } = event;
    const reason = ENDS[decision];
    if (reason !== undefined) counted.push({ ...event, decision: 'closed', reason });
    else if (decision === 'closed' || decision === 'reopened') counted.push(event);
    else if (UNDOING.includes(decision)) {
      const at = counted.findLastIndex((one) => one.decision === 'closed' && +one.decidedAt === +event.decidedAt);
      if (at >= 0) counted.splice(at, 1);
    }
  }
  // A reopening of what was never closed is none.
  return counted.filter(({ decision }, at) => decision === 'closed' || counted[at - 1]?.decision === 'closed');
}

/** What became of a wound's standing at the time, whatever was taken back since. `events`: oldest first by when they were recorded. */
export function standingChangesOf<Event extends Pick<WoundEvent, 'decision' | 'decidedAt'>>(
  events: readonly Event[],
): { readonly event: Event; readonly status: WoundStatus }[] {
  const changes: { readonly event: Event; readonly status: WoundStatus }[] = [];
  let closing: Event | null = null;
  for (const event of events) {
    const { decision } = event;
    if (decision === 'closed' || ENDS[decision] !== undefined) {
      closing = event;
      changes.push({ event, status: 'closed' });
    } else if (
      decision === 'reopened' ||
      (UNDOING.includes(decision) && +event.decidedAt === +(closing?.decidedAt ?? NaN))
    ) {
      closing = null;
      changes.push({ event, status: 'open' });
    }
  }
  return changes;
}

/** The closures that people decided, oldest first. `events`: oldest first. */
export function closuresOf(events: readonly Decided[]): Closure[] {
  const closures: Closure[] = [];
  for (const { decision, decidedAt, reason } of closingsOf(events)) {
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

/** All that were ever decided or came by a relation, whatever was taken back since: what an older copy of the wound may still say. */
export function closuresEverOf(events: readonly Decided[]): Closure[] {
  return closuresOf(events.filter(({ decision }) => !UNDOING.includes(decision)));
}

/** The last closure before that moment; null without one. A photo of the very moment is the one by which the wound was closed. */
export function closureBefore(closures: readonly Closure[], moment: Date): Closure | null {
  return closures.findLast(({ closedAt }) => Date.parse(closedAt) < moment.getTime()) ?? null;
}
