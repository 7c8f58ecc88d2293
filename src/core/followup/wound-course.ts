import type { Course } from './course.js';
import { closingsOf } from './wound-closure.js';
import type { Wound, WoundEvent } from './wound.js';

/**
 * The course of a wound as it stands now: that of its last photo, unless a person has closed or reopened it since. null: no photo yet, or its
 * report is by rules that had none.
 * @param events oldest first
 */
export function presentCourse(
  { status, closedAt }: Pick<Wound, 'status' | 'closedAt'>,
  events: readonly Pick<WoundEvent, 'decision' | 'decidedAt' | 'reason'>[],
  last: { readonly capturedAt: string; readonly course: Course | null } | null,
): Course | null {
  const decision = closingsOf(events).at(-1);
  const isNewer = decision !== undefined && (last === null || decision.decidedAt >= new Date(last.capturedAt));
  if (!isNewer) return last?.course ?? null;
  const told = (verdict: Course['verdict'], since: Date): Course => ({
    verdict,
    since: since.toISOString(),
    because: [],
    waitsFor: [],
  });
  if (status !== 'closed') return decision.decision === 'reopened' ? told('reopened', decision.decidedAt) : null;
  return told(decision.reason === 'healed' ? 'closed' : 'ended', closedAt ?? decision.decidedAt);
}
