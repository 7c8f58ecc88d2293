import type { Polygon, Report, Work } from './types.js';

const keyOf = ({ id }: Report): string => `sutura-desk ${id}`;

/** Unsaved changes of this tab to the version that stands; null: none. */
export function draftOf(report: Report): Work | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(report)) ?? 'null') as (Work & { version?: number }) | null;
    if (kept === null || kept.version !== report.version || !Array.isArray(kept.outlines)) return null;
    const isUntouched = JSON.stringify(kept.outlines) === JSON.stringify(report.findings.outlines);
    const outlines: readonly Polygon[] = isUntouched ? report.findings.outlines : kept.outlines;
    return { outlines, mmPerPixel: typeof kept.mmPerPixel === 'number' ? kept.mmPerPixel : null };
  } catch {
    return null;
  }
}

/** Lines on a picture, without whose they are; gone with the tab. null: nothing is unsaved any more. */
export function keepDraft(report: Report, work: Work | null): void {
  try {
    if (work === null) sessionStorage.removeItem(keyOf(report));
    else sessionStorage.setItem(keyOf(report), JSON.stringify({ ...work, version: report.version }));
  } catch {
    // A browser that keeps nothing for a page in a frame: the page itself still has it.
  }
}
