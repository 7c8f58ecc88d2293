import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { movedByArrow } from './arrow-steps.js';
import { within, type LayerProps } from './outline-editor.js';
import { withMovedCorner, withNewCorner, withoutCorner } from './outline-edits.js';
import { cornersOf, type WorkHistory } from './outline-history.js';
import type { Point, Polygon } from './types.js';
import { fill } from './words/words.js';

/** A finger that moves less has tapped. */
const LEAST_DRAG_PX = 4;

/** More handles than this hide the wound: each n-th corner has one. */
const MOST_HANDLES = 24;

/** The corners of the outlines as handles for pointer, touch and keyboard. */
export function PointHandles({
  work,
  size,
  view,
  placeOf,
  handlePx,
  words,
}: LayerProps & { readonly work: WorkHistory }) {
  const { outlines, change } = work;
  const everyOf = (outline: number) => Math.ceil(cornersOf(outlines[outline]!).length / MOST_HANDLES);
  const withOutline = (outline: number, edit: (polygon: Polygon) => Polygon): readonly Polygon[] =>
    outlines.map((polygon, index) => (index === outline ? edit(polygon) : polygon));
  const moved = (outline: number, corner: number, to: Point) =>
    withOutline(outline, (polygon) => withMovedCorner(polygon, corner, within(to, size), everyOf(outline)));
  const drag = useDrag(work, view);
  const onKey = (event: KeyboardEvent, outline: number, corner: number) => {
    const stepPx = Math.max(1, Math.round(size.widthPx / 800));
    const to = movedByArrow(event, cornersOf(outlines[outline]!)[corner]!, stepPx);
    if (to !== null) change(moved(outline, corner, to));
    else if (event.key === 'Insert') change(withOutline(outline, (polygon) => withNewCorner(polygon, corner)));
    else if (event.key === 'Delete')
      change(withOutline(outline, (polygon) => withoutCorner(polygon, corner, everyOf(outline))));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return outlines.map((polygon, outline) => {
    const corners = cornersOf(polygon);
    return corners.map(([x, y], corner) =>
      corner % everyOf(outline) !== 0 ? null : (
        <circle
          key={`${outline}-${corner}`}
          className="desk-handle"
          cx={x}
          cy={y}
          r={handlePx}
          tabIndex={0}
          role="button"
          aria-label={fill(words.point, { number: corner + 1, count: corners.length, outline: outline + 1 })}
          onKeyDown={(event) => onKey(event, outline, corner)}
          onPointerDown={drag.begin}
          onPointerMove={(event) => drag.follow(event, () => moved(outline, corner, placeOf(event)))}
          onPointerUp={drag.end}
          onPointerCancel={drag.end}
        />
      ),
    );
  });
}

/** A point follows one finger. A tap is no change, and a second finger takes the move back: it means the photo, not the outline. */
function useDrag({ outlines, change, replace, forget }: WorkHistory, view: LayerProps['view']) {
  const held = useRef<{ readonly id: number; readonly x: number; readonly y: number; hasMoved: boolean } | null>(null);
  const takeBack = () => {
    if (held.current?.hasMoved === true) forget();
    held.current = null;
  };
  return {
    begin: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      if (!view.isSingle()) takeBack();
      else if (held.current === null)
        held.current = { id: event.pointerId, x: event.clientX, y: event.clientY, hasMoved: false };
    },
    follow: (event: PointerEvent, moved: () => readonly Polygon[]) => {
      const from = held.current;
      if (from === null || from.id !== event.pointerId) return;
      if (!view.isSingle()) return takeBack();
      if (!from.hasMoved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < LEAST_DRAG_PX) return;
      if (!from.hasMoved) change(outlines);
      from.hasMoved = true;
      replace(moved());
    },
    end: ({ pointerId }: PointerEvent) => {
      if (held.current?.id !== pointerId) return;
      if (!view.isSingle()) takeBack();
      held.current = null;
    },
  };
}
