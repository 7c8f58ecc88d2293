import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { withMovedCorner, withNewCorner, withoutCorner } from './outline-edits.js';
import { cornersOf, type useOutlines } from './outline-history.js';
import type { Point, Polygon } from './types.js';
import { fill } from './words/words.js';
import type { Words } from './words/en.js';

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** More handles than this hide the wound: each n-th corner has one. */
const MOST_HANDLES = 24;

interface EditorProps {
  readonly photoUrl: string;
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  readonly zoom: number;
  readonly history: ReturnType<typeof useOutlines>;
  readonly isEditable: boolean;
  readonly words: Words;
  readonly label: string;
}

/** The photo with its outlines; each corner is a handle for pointer, touch and keyboard. */
export function OutlineEditor({ photoUrl, size, zoom, history, isEditable, words, label }: EditorProps) {
  const svg = useRef<SVGSVGElement>(null);
  const { outlines, change, replace } = history;
  const radius = Math.max(size.widthPx, size.heightPx) / 65 / Math.sqrt(zoom);
  const within = ([x, y]: Point): Point => [
    Math.min(size.widthPx, Math.max(0, x)),
    Math.min(size.heightPx, Math.max(0, y)),
  ];
  const everyOf = (outline: number) => Math.ceil(cornersOf(outlines[outline]!).length / MOST_HANDLES);
  const withOutline = (outline: number, edit: (polygon: Polygon) => Polygon): readonly Polygon[] =>
    outlines.map((polygon, index) => (index === outline ? edit(polygon) : polygon));
  const moved = (outline: number, corner: number, to: Point) =>
    withOutline(outline, (polygon) => withMovedCorner(polygon, corner, within(to), everyOf(outline)));
  const placeOf = (event: PointerEvent) => pixelOf(event, svg.current!, size);
  const onKey = (event: KeyboardEvent, outline: number, corner: number) => {
    const corners = cornersOf(outlines[outline]!);
    const step = STEPS[event.key];
    const px = (event.shiftKey ? 10 : 1) * Math.max(1, Math.round(size.widthPx / 800));
    const [x, y] = corners[corner]!;
    if (step !== undefined) change(moved(outline, corner, [x + step[0] * px, y + step[1] * px]));
    else if (event.key === 'Insert') change(withOutline(outline, (polygon) => withNewCorner(polygon, corner)));
    else if (event.key === 'Delete')
      change(withOutline(outline, (polygon) => withoutCorner(polygon, corner, everyOf(outline))));
    else return;
    event.preventDefault();
  };
  return (
    <svg
      ref={svg}
      className="desk-photo"
      viewBox={`0 0 ${size.widthPx} ${size.heightPx}`}
      style={{ width: `${100 * zoom}%` }}
      role="group"
      aria-label={label}
    >
      <image href={photoUrl} width={size.widthPx} height={size.heightPx} />
      {outlines.map((polygon, outline) => (
        <path key={outline} className="desk-outline" d={pathOf(polygon)} />
      ))}
      {isEditable &&
        outlines.map((polygon, outline) => {
          const corners = cornersOf(polygon);
          const every = everyOf(outline);
          return corners.map(([x, y], corner) =>
            corner % every !== 0 ? null : (
              <circle
                key={`${outline}-${corner}`}
                className="desk-handle"
                cx={x}
                cy={y}
                r={radius}
                tabIndex={0}
                role="button"
                aria-label={fill(words.point, {
                  number: corner + 1,
                  count: corners.length,
                  outline: outline + 1,
                })}
                onKeyDown={(event) => onKey(event, outline, corner)}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  change(outlines);
                }}
                onPointerMove={(event) =>
                  event.currentTarget.hasPointerCapture(event.pointerId) &&
                  replace(moved(outline, corner, placeOf(event)))
                }
              />
            ),
          );
        })}
    </svg>
  );
}

function pathOf({ coordinates }: Polygon): string {
  return coordinates.map((ring) => `M${ring.map((point) => point.join(' ')).join('L')}Z`).join('');
}

/** The pixel of the photo under the pointer. */
function pixelOf({ clientX, clientY }: PointerEvent, svg: SVGSVGElement, size: EditorProps['size']): Point {
  const box = svg.getBoundingClientRect();
  return [((clientX - box.left) * size.widthPx) / box.width, ((clientY - box.top) * size.heightPx) / box.height];
}
