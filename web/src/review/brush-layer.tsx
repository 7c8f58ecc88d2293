import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { movedByArrow } from './arrow-steps.js';
import { withStroke } from './brush.js';
import { within, type EditorProps, type LayerProps } from './editor-parts.js';
import type { WorkHistory } from './outline-history.js';
import type { Point } from './types.js';
import { fill } from './words/words.js';

interface BrushLayerProps extends LayerProps {
  readonly work: WorkHistory;
  readonly kind: 'add' | 'erase';
  readonly brush: EditorProps['brush'];
}

/** A ground that takes strokes, and the brush itself, which a keyboard can move and press. One stroke is one step of the history. */
export function BrushLayer({ work, kind, brush, size, view, placeOf, words }: BrushLayerProps) {
  const { radiusPx, resize } = brush;
  const [path, setPath] = useState<readonly Point[]>([]);
  const [place, setPlace] = useState<Point>([size.widthPx / 2, size.heightPx / 2]);
  const drawing = useRef<number | null>(null);
  /** What was drawn so far, ahead of what is shown of it. */
  const line = useRef<readonly Point[]>([]);
  const paint = (along: readonly Point[]) => {
    if (along.length === 0) return;
    const outlines = withStroke(work.outlines, { path: along, radiusPx, kind }, size);
    if (outlines !== work.outlines) work.change(outlines);
  };
  const begin = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    // A second finger moves the photo: what the first one painted meanwhile is no stroke.
    if (drawing.current !== null || !view.isSingle()) return stop();
    event.currentTarget.setPointerCapture(event.pointerId);
    drawing.current = event.pointerId;
    extend([placeOf(event)]);
  };
  const extend = (further: readonly Point[]) => {
    line.current = [...line.current, ...further];
    setPath(line.current);
  };
  const stop = () => {
    drawing.current = null;
    line.current = [];
    setPath([]);
  };
  const draw = (event: PointerEvent) => {
    setPlace(placeOf(event));
    if (drawing.current !== event.pointerId) return;
    if (!view.isSingle()) return stop();
    const between = event.nativeEvent.getCoalescedEvents?.() ?? [];
    extend((between.length === 0 ? [event] : between).map(placeOf));
  };
  const end = (event: PointerEvent) => {
    if (drawing.current !== event.pointerId) return;
    paint(line.current);
    stop();
  };
  const onKey = (event: KeyboardEvent) => {
    const to = movedByArrow(event, place, Math.max(1, radiusPx / 2));
    if (to !== null) setPlace(within(to, size));
    else if (event.key === ' ' || event.key === 'Enter') paint([place]);
    else if (event.key === '[') resize(-1);
    else if (event.key === ']') resize(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <g className="desk-ground" onPointerDown={begin} onPointerMove={draw} onPointerUp={end} onPointerCancel={stop}>
      <rect className="desk-paper" width={size.widthPx} height={size.heightPx} />
      {path.length === 0 ? null : (
        <polyline
          className={`desk-stroke ${kind}`}
          points={[...path, path.at(-1)!].map((point) => point.join(',')).join(' ')}
          strokeWidth={2 * radiusPx}
        />
      )}
      <circle
        className={`desk-brush ${kind}`}
        cx={place[0]}
        cy={place[1]}
        r={radiusPx}
        tabIndex={0}
        role="button"
        aria-label={fill(words.brushPlace, { x: Math.round(place[0]), y: Math.round(place[1]) })}
        onKeyDown={onKey}
      />
    </g>
  );
}
