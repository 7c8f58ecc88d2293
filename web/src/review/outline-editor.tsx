import { useRef, type PointerEvent } from 'react';
import { BrushLayer } from './brush-layer.js';
import type { WorkHistory } from './outline-history.js';
import { PointHandles } from './point-handles.js';
import { RulerLayer } from './ruler-layer.js';
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
  readonly handlePx: number;
}

/** The photo with its outlines, and the layer of the tool in hand. */
export function OutlineEditor(props: EditorProps) {
  const { photoUrl, size, view, work, tool, brush, ruler, words, label, theirs, onDrawn } = props;
  const svg = useRef<SVGSVGElement>(null);
  const placeOf: LayerProps['placeOf'] = (event) => within(pixelOf(event, svg.current!, size), size);
  const layer = {
    size,
    view,
    words,
    placeOf,
    handlePx: Math.max(size.widthPx, size.heightPx) / 65 / Math.sqrt(view.zoom),
  };
  return (
    <svg
      ref={svg}
      className="desk-photo"
      viewBox={`0 0 ${size.widthPx} ${size.heightPx}`}
      style={{ width: `calc(${view.zoom} * min(100%, ${(75 * size.widthPx) / size.heightPx}vh))` }}
      role="group"
      aria-label={label}
    >
      <image href={photoUrl} width={size.widthPx} height={size.heightPx} onLoad={onDrawn} />
      <OutlinePaths outlines={work.outlines} />
      <OutlinePaths outlines={theirs} look="desk-theirs" />
      {tool === 'points' ? <PointHandles {...layer} work={work} /> : null}
      {tool === 'add' || tool === 'erase' ? <BrushLayer {...layer} work={work} kind={tool} brush={brush} /> : null}
      {tool === 'ruler' ? <RulerLayer {...layer} {...ruler} /> : null}
    </svg>
  );
}

interface OutlinePathsProps {
  readonly outlines: readonly Polygon[];
  readonly look?: 'desk-outline' | 'desk-theirs';
}

export function OutlinePaths({ outlines, look = 'desk-outline' }: OutlinePathsProps) {
  return outlines.map((polygon, outline) => <path key={outline} className={look} d={pathOf(polygon)} />);
}

export function within([x, y]: Point, { widthPx, heightPx }: PhotoSize): Point {
  return [Math.min(widthPx, Math.max(0, x)), Math.min(heightPx, Math.max(0, y))];
}

function pathOf({ coordinates }: Polygon): string {
  return coordinates.map((ring) => `M${ring.map((point) => point.join(' ')).join('L')}Z`).join('');
}

function pixelOf(
  { clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>,
  svg: SVGSVGElement,
  size: PhotoSize,
): Point {
  const box = svg.getBoundingClientRect();
  return [((clientX - box.left) * size.widthPx) / box.width, ((clientY - box.top) * size.heightPx) / box.height];
}
