import type { KeyboardEvent } from 'react';
import { movedByArrow } from './arrow-steps.js';
import { within, type LayerProps } from './outline-editor.js';
import { withMovedCorner, withNewCorner, withoutCorner } from './outline-edits.js';
import { cornersOf, type WorkHistory } from './outline-history.js';
import type { Point, Polygon } from './types.js';
import { fill } from './words/words.js';

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
  const { outlines, change, replace } = work;
  const everyOf = (outline: number) => Math.ceil(cornersOf(outlines[outline]!).length / MOST_HANDLES);
  const withOutline = (outline: number, edit: (polygon: Polygon) => Polygon): readonly Polygon[] =>
    outlines.map((polygon, index) => (index === outline ? edit(polygon) : polygon));
  const moved = (outline: number, corner: number, to: Point) =>
    withOutline(outline, (polygon) => withMovedCorner(polygon, corner, within(to, size), everyOf(outline)));
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
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            if (view.isSingle()) change(outlines);
          }}
          onPointerMove={(event) =>
            view.isSingle() &&
            event.currentTarget.hasPointerCapture(event.pointerId) &&
            replace(moved(outline, corner, placeOf(event)))
          }
        />
      ),
    );
  });
}
