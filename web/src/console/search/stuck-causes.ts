import type { TraceEvent } from '../shared/answers.js';
import { inConsole } from '../shared/console-advice.js';

/** What stands still for one cause. */
export interface StuckCause {
  /** The reason and the next step. */
  readonly cause: string;
  readonly count: number;
  /** `Type/id` of the last thing that stands still for it; null: it has none. */
  readonly resource: string | null;
  readonly isDelivery: boolean;
}

/** "Message 0199…: ", before the reason: the id is what tells one of many from the others. */
const WHICH = /^[A-Z][a-z]+ [0-9a-f-]{36}: /;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Each reason once, in the order in which they first came, with how many stand still for it and the last of them. */
export function stuckByCause(events: readonly TraceEvent[]): StuckCause[] {
  const causes = new Map<string, StuckCause>();
  for (const { next, what, resources } of events) {
    if (next === null) continue;
    const stated = inConsole(next.replace(WHICH, ''));
    // Steps that differ by the id in them alone are one step; what it stands on is linked.
    const key = stated.replaceAll(UUID, '…');
    const before = causes.get(key);
    const count = (before?.count ?? 0) + 1;
    causes.set(key, {
      cause: count === 1 ? capitalized(stated) : capitalized(key),
      count,
      resource: resources[0] ?? before?.resource ?? null,
      isDelivery: what.startsWith('delivery.'),
    });
  }
  return [...causes.values()];
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
