import { useEffect, useRef, useState, type CSSProperties, type PointerEvent, type RefObject } from 'react';
import { ringBoundingBox } from '../../../src/core/measurement/polygon.js';
import { BrushLayer } from './brush-layer.js';
import { within, type EditorProps, type LayerProps, type PhotoSize } from './editor-parts.js';
import { numberPlace } from './number-place.js';
import { PointHandles } from './point-handles.js';
import { RulerLayer } from './ruler-layer.js';
import type { Point, Polygon } from './types.js';

/** Of the screen. */
const NUMBER_PX = 18;
/** Until the browser says how wide the photo is on the screen. */
const USUAL_WIDTH_PX = 560;

interface ShownSize extends CSSProperties {
  readonly '--zoom': number;
  readonly '--aspect': number;
}

/** The photo with its outlines, and the layer of the tool in hand. */
export function OutlineEditor(props: EditorProps) {
  const { photoUrl, size, view, work, tool, brush, ruler, words, label, theirs, onDrawn } = props;
  const svg = useRef<SVGSVGElement>(null);
  const placeOf: LayerProps['placeOf'] = (event) => within(pixelOf(event, svg.current!, size), size);
  const layer = { size, view, words, placeOf, pxPerScreenPx: size.widthPx / useShownWidth(svg) };
  const shown: ShownSize = { '--zoom': view.zoom, '--aspect': size.widthPx / size.heightPx };
  return (
    <svg
      ref={svg}
      className="desk-photo"
      viewBox={`0 0 ${size.widthPx} ${size.heightPx}`}
      style={shown}
      role="group"
      aria-label={label}
    >
      <image href={photoUrl} width={size.widthPx} height={size.heightPx} onLoad={onDrawn} />
      <OutlinePaths outlines={work.outlines} />
      <OutlinePaths outlines={theirs} look="desk-theirs" />
      {work.outlines.length > 1 ? <OutlineNumbers outlines={work.outlines} {...layer} /> : null}
      {tool === 'points' ? <PointHandles {...layer} work={work} /> : null}
      {tool === 'add' || tool === 'erase' ? <BrushLayer {...layer} work={work} kind={tool} brush={brush} /> : null}
      {tool === 'ruler' ? <RulerLayer {...layer} {...ruler} /> : null}
    </svg>
  );
}

/** In pixels of the screen. */
function useShownWidth(svg: RefObject<SVGSVGElement | null>): number {
  const [width, setWidth] = useState(USUAL_WIDTH_PX);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      // While another panel has its place, nothing of it is shown.
      if (entry!.contentRect.width > 0) setWidth(entry!.contentRect.width);
    });
    watcher.observe(svg.current!);
    return () => watcher.disconnect();
  }, [svg]);
  return width;
}

interface OutlinePathsProps {
  readonly outlines: readonly Polygon[];
  readonly look?: 'desk-outline' | 'desk-theirs';
}

export function OutlinePaths({ outlines, look = 'desk-outline' }: OutlinePathsProps) {
  return outlines.map((polygon, outline) => <path key={outline} className={look} d={pathOf(polygon)} />);
}

/** As the figures and the report name them. */
function OutlineNumbers({
  outlines,
  size,
  pxPerScreenPx,
}: OutlinePathsProps & Pick<LayerProps, 'size' | 'pxPerScreenPx'>) {
  const fontSize = NUMBER_PX * pxPerScreenPx;
  return outlines.map(({ coordinates }, index) => {
    const place = numberPlace(ringBoundingBox(coordinates[0]!), String(index + 1), fontSize, size);
    return (
      <text key={index} className="desk-number" {...place} {...{ fontSize }} aria-hidden="true">
        {index + 1}
      </text>
    );
  });
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
