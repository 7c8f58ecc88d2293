import type { PointerEvent } from 'react';
import type { WorkHistory } from './outline-history.js';
import type { Line, Point, Polygon } from './types.js';
import type { View } from './use-view.js';
import type { Words } from './words/en.js';

export type Tool = 'points' | 'add' | 'erase' | 'ruler';

export interface PhotoSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface EditorProps {
  readonly photoUrl: string;
  readonly size: PhotoSize;
  readonly view: View;
  readonly work: WorkHistory;
  /** null: nothing can be changed. */
  readonly tool: Tool | null;
  readonly brush: { readonly radiusPx: number; readonly resize: (steps: number) => void };
  readonly ruler: { readonly line: Line; readonly move: (line: Line) => void };
  readonly words: Words;
  readonly label: string;
  /** Theirs, where somebody else decided meanwhile. */
  readonly theirs: readonly Polygon[];
  /** The photo is on the screen. */
  readonly onDrawn: () => void;
}

/** What a layer over the photo needs to place its parts. */
export interface LayerProps extends Pick<EditorProps, 'size' | 'view' | 'words'> {
  /** The pixel of the photo under a pointer, kept within the photo. */
  readonly placeOf: (event: Pick<PointerEvent, 'clientX' | 'clientY'>) => Point;
  /** So many pixels of the photo are one of the screen, at any zoom. */
  readonly pxPerScreenPx: number;
}

/** The place, or the nearest one of the photo. */
export function within([x, y]: Point, { widthPx, heightPx }: PhotoSize): Point {
  return [Math.min(widthPx, Math.max(0, x)), Math.min(heightPx, Math.max(0, y))];
}
