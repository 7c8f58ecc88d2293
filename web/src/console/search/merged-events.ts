import type { TraceEvent } from '../shared/answers.js';

/** The events of several photos as one list, oldest first. What several tell, such as a message with two photos, is told once. */
export function merged(parts: readonly { readonly events: readonly TraceEvent[] }[]): TraceEvent[] {
  const told = new Map<string, TraceEvent>();
  for (const event of parts.flatMap(({ events }) => events)) told.set(JSON.stringify(event), event);
  return [...told.values()].sort((one, other) => one.at.localeCompare(other.at));
}
