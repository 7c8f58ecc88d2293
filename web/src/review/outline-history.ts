import { useState } from 'react';
import type { Draft, Point, Polygon, Report, Work } from './types.js';

interface History {
  /** As the report has it. */
  readonly base: Work;
  readonly past: readonly Work[];
  readonly now: Work;
  readonly future: readonly Work[];
  /** Brought back over another version than it was made to: its person has to say which goes on. */
  readonly isUnsettled: boolean;
}

const baseOf = ({ findings }: Report): Work => ({ outlines: findings.outlines, mmPerPixel: null });

const startOf = (report: Report): History => {
  const base = baseOf(report);
  return { base, past: [], now: base, future: [], isUnsettled: false };
};

/** One step away from what the report has: undo shows the report's own outlines again. */
const changedFrom = (report: Report, work: Work, isUnsettled = false): History => {
  const base = baseOf(report);
  return { base, past: [base], now: work, future: [], isUnsettled };
};

/** What a draft has of it; null: nothing. Made to another version, it has its own outlines still; what nobody touched is as it stands now. */
function workOf(report: Report, { work, reportVersion }: Pick<Draft, 'work' | 'reportVersion'>): History | null {
  const isOfOther = reportVersion !== report.version;
  if (work.outlines === null && work.mmPerPixel === null)
    return isOfOther ? { ...startOf(report), isUnsettled: true } : null;
  const drawn = work.outlines as readonly Polygon[] | null;
  const isUntouched = drawn === null || JSON.stringify(drawn) === JSON.stringify(report.findings.outlines);
  const outlines = isUntouched ? report.findings.outlines : drawn;
  if (isUntouched && work.mmPerPixel === null && !isOfOther) return null;
  return changedFrom(report, { outlines, mmPerPixel: work.mmPerPixel }, isOfOther);
}

/** Outlines and scale while they are edited, with undo and redo. `draft`: with what it begins. */
export function useWork(report: Report, draft: Pick<Draft, 'work' | 'reportVersion'> | null) {
  const [history, setHistory] = useState<History>(
    () => (draft === null ? null : workOf(report, draft)) ?? startOf(report),
  );
  const { base, past, now, future, isUnsettled } = history;
  const hasOtherOutlines = now.outlines !== base.outlines;
  const isChanged = past.length > 0 && (hasOtherOutlines || now.mmPerPixel !== null);
  const step = (change: (known: Work) => Work) =>
    setHistory((known) => ({ ...known, past: [...known.past, known.now], now: change(known.now), future: [] }));
  return {
    ...now,
    isChanged,
    hasOtherOutlines,
    isUnsettled,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    change: (outlines: readonly Polygon[]) => step((known) => ({ ...known, outlines })),
    setScale: (mmPerPixel: number | null) => step((known) => ({ ...known, mmPerPixel })),
    /** While a point is dragged: one step of the history in all. */
    replace: (outlines: readonly Polygon[]) => setHistory((known) => ({ ...known, now: { ...known.now, outlines } })),
    /** Takes the last step back as if it had not been: a drag that became a gesture of two fingers. */
    forget: () =>
      setHistory((known) => {
        const before = known.past.at(-1);
        return before === undefined ? known : { ...known, past: known.past.slice(0, -1), now: before };
      }),
    undo: () =>
      setHistory((known) => {
        const before = known.past.at(-1);
        if (before === undefined) return known;
        return { ...known, past: known.past.slice(0, -1), now: before, future: [known.now, ...known.future] };
      }),
    redo: () =>
      setHistory((known) => {
        const [after, ...rest] = known.future;
        return after === undefined ? known : { ...known, past: [...known.past, known.now], now: after, future: rest };
      }),
    /** What was saved, or decided by somebody else and seen, is what the screen shows now. */
    settle: (saved: Report) => setHistory(startOf(saved)),
    /** Another draft of the same person, in place of what is on the screen, which undo shows again. */
    bring: (report: Report, other: Pick<Draft, 'work' | 'reportVersion'>) =>
      setHistory((known) => {
        const next = workOf(report, other) ?? startOf(report);
        return { ...next, past: [...next.past, known.now] };
      }),
    /** The own work over what somebody else decided; undo shows theirs. Outlines that nobody touched here are no work: theirs stay. */
    putOver: (theirs: Report) =>
      setHistory(({ base: before, now: own }) =>
        changedFrom(theirs, own.outlines === before.outlines ? { ...own, outlines: theirs.findings.outlines } : own),
      ),
  };
}

export type WorkHistory = ReturnType<typeof useWork>;

/** The corners of an outline's outer ring, each once. */
export function cornersOf({ coordinates }: Polygon): readonly Point[] {
  return coordinates[0]!.slice(0, -1);
}

export function withCorners({ coordinates }: Polygon, corners: readonly Point[]): Polygon {
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!], ...coordinates.slice(1)] };
}
