import { useState } from 'react';
import type { Point, Polygon } from './types.js';

interface History {
  readonly past: readonly (readonly Polygon[])[];
  readonly now: readonly Polygon[];
  readonly future: readonly (readonly Polygon[])[];
}

/** Outlines while they are edited, with undo and redo. */
export function useOutlines(first: readonly Polygon[]) {
  const [history, setHistory] = useState<History>({ past: [], now: first, future: [] });
  return {
    outlines: history.now,
    isChanged: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (next: readonly Polygon[]) =>
      setHistory(({ past, now }) => ({ past: [...past, now], now: next, future: [] })),
    /** While a point is dragged: one step of the history in all. */
    replace: (next: readonly Polygon[]) => setHistory((known) => ({ ...known, now: next })),
    undo: () =>
      setHistory((known) => {
        const before = known.past.at(-1);
        if (before === undefined) return known;
        return { past: known.past.slice(0, -1), now: before, future: [known.now, ...known.future] };
      }),
    redo: () =>
      setHistory((known) => {
        const [after, ...future] = known.future;
        return after === undefined ? known : { past: [...known.past, known.now], now: after, future };
      }),
  };
}

/** The corners of an outline's outer ring, each once. */
export function cornersOf({ coordinates }: Polygon): readonly Point[] {
  return coordinates[0]!.slice(0, -1);
}

export function withCorners({ coordinates }: Polygon, corners: readonly Point[]): Polygon {
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!], ...coordinates.slice(1)] };
}
