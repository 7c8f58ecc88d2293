import { useEffect, useState } from 'react';
import { draftOf, keepDraft } from './draft.js';
import type { Point, Polygon, Report, Work } from './types.js';

interface History {
  /** As the report has it. */
  readonly base: Work;
  readonly past: readonly Work[];
  readonly now: Work;
  readonly future: readonly Work[];
}

const startOf = ({ findings }: Report): History => {
  const base = { outlines: findings.outlines, mmPerPixel: null };
  return { base, past: [], now: base, future: [] };
};

/** Outlines and scale while they are edited, with undo and redo. What is not saved outlives the page in this tab. */
export function useWork(report: Report) {
  const [draft] = useState(() => draftOf(report));
  const [history, setHistory] = useState<History>(() => {
    const start = startOf(report);
    return draft === null ? start : { ...start, past: [start.base], now: draft };
  });
  const { base, past, now, future } = history;
  const hasOtherOutlines = now.outlines !== base.outlines;
  const isChanged = past.length > 0 && (hasOtherOutlines || now.mmPerPixel !== null);
  useEffect(() => keepDraft(report, isChanged ? now : null), [report, isChanged, now]);
  const step = (change: (known: Work) => Work) =>
    setHistory((known) => ({ ...known, past: [...known.past, known.now], now: change(known.now), future: [] }));
  return {
    ...now,
    isChanged,
    hasOtherOutlines,
    isRestored: draft !== null && past.length === 1 && future.length === 0 && now === draft,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    change: (outlines: readonly Polygon[]) => step((known) => ({ ...known, outlines })),
    setScale: (mmPerPixel: number | null) => step((known) => ({ ...known, mmPerPixel })),
    /** While a point is dragged: one step of the history in all. */
    replace: (outlines: readonly Polygon[]) => setHistory((known) => ({ ...known, now: { ...known.now, outlines } })),
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
    /** What was saved is what the report has now. */
    settle: (saved: Report) => setHistory(startOf(saved)),
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
