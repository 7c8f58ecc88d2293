import { movedByArrow } from './arrow-steps.js';
import { within, type EditorProps, type LayerProps } from './editor-parts.js';
import { REACH_PX } from './point-handles.js';
import type { Line, Point } from './types.js';
import { fill } from './words/words.js';

/** The two points of a ruler, which pointer, touch and keyboard move. */
export function RulerLayer({
  line,
  move,
  size,
  view,
  placeOf,
  pxPerScreenPx,
  words,
}: LayerProps & EditorProps['ruler']) {
  const moved = (end: 0 | 1, to: Point): Line =>
    end === 0 ? [within(to, size), line[1]] : [line[0], within(to, size)];
  return (
    <>
      <line className="desk-ruler" x1={line[0][0]} y1={line[0][1]} x2={line[1][0]} y2={line[1][1]} />
      {([0, 1] as const).map((end) => (
        <g key={end}>
          <circle
            className="desk-handle ruler"
            cx={line[end][0]}
            cy={line[end][1]}
            r={REACH_PX * pxPerScreenPx}
            tabIndex={0}
            role="button"
            aria-label={fill(words.rulerPoint, { number: end + 1 })}
            onKeyDown={(event) => {
              const to = movedByArrow(event, line[end], Math.max(1, Math.round(size.widthPx / 1600)));
              if (to === null) return;
              move(moved(end, to));
              event.preventDefault();
              event.stopPropagation();
            }}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) =>
              view.isSingle() &&
              event.currentTarget.hasPointerCapture(event.pointerId) &&
              move(moved(end, placeOf(event)))
            }
          />
          <circle className="desk-mark" cx={line[end][0]} cy={line[end][1]} r={pxPerScreenPx} />
        </g>
      ))}
    </>
  );
}
