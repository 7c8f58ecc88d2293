import type { DeskSession, Polygon, Report, Work } from './types.js';

/** Unsaved changes of this tab, and the version that they were made to. */
export interface Draft {
  readonly work: Work;
  /** Another one than now stands: somebody decided meanwhile. */
  readonly isOfOtherVersion: boolean;
}

type Person = DeskSession['person'];

/** Each person has a draft of their own: who opens the next link in this tab does not sign another's lines. */
const keyOf = ({ id }: Report, person: Person): string => `sutura-desk ${id} ${person ?? ''}`;

/** null: there are none of this person. */
export function draftOf(report: Report, person: Person): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(report, person)) ?? 'null') as
      (Work & { version?: number }) | null;
    if (kept === null || !Array.isArray(kept.outlines)) return null;
    const isUntouched = JSON.stringify(kept.outlines) === JSON.stringify(report.findings.outlines);
    const outlines: readonly Polygon[] = isUntouched ? report.findings.outlines : kept.outlines;
    const work = { outlines, mmPerPixel: typeof kept.mmPerPixel === 'number' ? kept.mmPerPixel : null };
    return { work, isOfOtherVersion: kept.version !== report.version };
  } catch {
    return null;
  }
}

/** Lines on a picture, under the id of whose they are; gone with the tab. null: nothing is unsaved any more. */
export function keepDraft(report: Report, person: Person, work: Work | null): void {
  try {
    if (work === null) sessionStorage.removeItem(keyOf(report, person));
    else sessionStorage.setItem(keyOf(report, person), JSON.stringify({ ...work, version: report.version }));
  } catch {
    // A browser that keeps nothing for a page in a frame: the page itself still has it.
  }
}
