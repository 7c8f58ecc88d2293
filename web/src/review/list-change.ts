import type { DeskSession } from './types.js';

/** The desk after something was decided about a report. Of a list only that report was read: the others stand as they were, and one that has left goes. */
export function withDecided(known: DeskSession, read: DeskSession, reportId: string): DeskSession {
  if (known.of !== 'list') return read;
  const entry = read.list.find((one) => one.reportId === reportId);
  const list = known.list.flatMap((one) => (one.reportId === reportId ? (entry ?? []) : one));
  return { ...read, reportId: known.reportId, list };
}
