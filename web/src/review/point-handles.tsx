import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { movedByArrow } from './arrow-steps.js';
import { within, type LayerProps } from './editor-parts.js';
import { withMovedCorner, withNewCorner, withoutCorner } from './outline-edits.js';
import { cornersOf, type WorkHistory } from './outline-history.js';
import type { Point, Polygon } from './types.js';
import { fill } from './words/words.js';

/** A finger that moves less has tapped. */
const LEAST_DRAG_PX = 4;

/** Of the screen: a point is 10 across and does not cover the edge; a finger finds it within 24. */
export const DOT_PX = 5;
export const REACH_PX = 12;

/** More handles than this hide the wound: each n-th corner has one. */
const MOST_HANDLES = 24;
/** Of an outline that is small on the screen, whose points would lie over each other; the photo larger shows more. */
const LEAST_HANDLES = 6;

/** The corners of the outlines as handles for pointer, touch and keyboard. */
export function PointHandles({
  work,
  size,
  view,
  placeOf,
  pxPerScreenPx,
  words,
}: LayerProps & { readonly work: WorkHistory }) {
  const { outlines, change } = work;
  const steps = useRef(new Map<string, number>());
  /** Each how many-th corner has a handle. It stays while points move, so that none goes away under the hand that holds it. */
  const everyOf = (outline: number): number => {
    const corners = cornersOf(outlines[outline]!);
    const shown = `${outline} ${corners.length} ${pxPerScreenPx}`;
    const known = steps.current.get(shown);
    if (known !== undefined) return known;
    const roomFor = Math.floor(lengthAround(corners) / pxPerScreenPx / (2 * REACH_PX));
    const every = Math.ceil(corners.length / Math.min(MOST_HANDLES, Math.max(LEAST_HANDLES, roomFor)));
    steps.current.set(shown, every);
    return every;
  };
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
        <g
          key={`${outline}-${corner}`}
          className="desk-handle"
          tabIndex={0}
          role="button"
          aria-label={fill(words.point, { number: corner + 1, count: corners.length, outline: outline + 1 })}
          onKeyDown={(event) => onKey(event, outline, corner)}
          onPointerDown={drag.begin}
          onPointerMove={(event) => drag.follow(event, () => moved(outline, corner, placeOf(event)))}
          onPointerUp={drag.end}
          onPointerCancel={drag.end}
          onLostPointerCapture={drag.end}
        >
          <circle className="desk-reach" cx={x} cy={y} r={REACH_PX * pxPerScreenPx} />
          <circle className="desk-dot" cx={x} cy={y} r={DOT_PX * pxPerScreenPx} />
        </g>
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
      // It was let go where nobody told of it.
      if (event.buttons === 0) return void (held.current = null);
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

function lengthAround(corners: readonly Point[]): number {
  return corners.reduce((length, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!;
    return length + Math.hypot(nextX - x, nextY - y);
  }, 0);
}
