import type { DeskSession } from './types.js';

/** The next report of the list that waits for a decision, from the shown one on and then from the beginning; null: no other waits. */
export function nextWaiting(list: DeskSession['list'], shown: string): string | null {
  const place = list.findIndex(({ reportId }) => reportId === shown);
  const others = [...list.slice(place + 1), ...list.slice(0, Math.max(0, place))];
  return others.find(({ waits }) => waits)?.reportId ?? null;
}
