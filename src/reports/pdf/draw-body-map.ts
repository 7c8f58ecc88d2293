import type { BodyMap, BodyMapView } from '../body-map/body-map.js';
import { BODY, INK, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

const HEIGHT_MM = 46;
/** Smaller ones show no place. */
const LEAST_DENSITY = 0.75;
const LINE = '#5a5a5a';
const MARKER_RADIUS = 6.5;
const CAPTION: TextStyle = { ...BODY, size: 7.5, colour: MUTED };
const SIDE: TextStyle = { ...STRONG, size: 8, colour: MUTED };

export function bodyMapHeight(flow: PageFlow): number {
  return drawnHeight(flow) + flow.lineHeight(CAPTION) + mm(1.5);
}

function drawnHeight(flow: PageFlow): number {
  return mm(HEIGHT_MM) * Math.max(LEAST_DENSITY, flow.density);
}

/** Outlines of the body with the wound's place marked, side by side. */
export function drawBodyMap(flow: PageFlow, map: BodyMap): void {
  const height = drawnHeight(flow);
  flow.ensure(bodyMapHeight(flow));
  const slot = flow.width / map.views.length;
  const figure = flow.element('Figure', undefined, { alt: map.alt });
  const placed = map.views.map((view, index) => {
    const { width, height: tall } = view.drawing;
    const scale = Math.min(height / tall, slot / width);
    const left = flow.left + index * slot + (slot - width * scale) / 2;
    return { view, placing: { left, top: flow.y + (height - tall * scale) / 2, scale } };
  });
  flow.tagged(figure, 'Figure', () => placed.forEach(({ view, placing }) => drawView(flow, view, placing)));
  flow.tagged(figure, 'Figure', () => placed.forEach(({ view, placing }) => nameSides(flow, view, placing, map.sides)));
  flow.tagged(flow.element('Caption'), 'Caption', () =>
    map.views.forEach(({ caption }, index) => {
      const [line] = flow.lines(caption, CAPTION, slot);
      flow.use(CAPTION);
      const x = flow.left + index * slot + (slot - flow.pdf.widthOfString(line!)) / 2;
      flow.write([line!], CAPTION, x, flow.y + height);
    }),
  );
  flow.y += bodyMapHeight(flow);
}

interface Placing {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

function drawView({ pdf }: PageFlow, { drawing, markers }: BodyMapView, { left, top, scale }: Placing): void {
  pdf.save().translate(left, top).scale(scale);
  pdf.lineJoin('round');
  for (const path of drawing.outlines)
    pdf
      .lineWidth(0.8 / scale)
      .path(path)
      .fillAndStroke('#ffffff', LINE);
  for (const path of drawing.details)
    pdf
      .lineWidth(0.45 / scale)
      .path(path)
      .stroke(LINE);
  for (const { x, y } of markers) {
    pdf
      .lineWidth(1.8 / scale)
      .circle(x, y, MARKER_RADIUS)
      .stroke(INK);
    pdf.circle(x, y, MARKER_RADIUS * 0.36).fill(INK);
  }
  pdf.restore();
}

function nameSides(
  flow: PageFlow,
  { drawing }: BodyMapView,
  { left, top, scale }: Placing,
  sides: BodyMap['sides'],
): void {
  for (const side of ['right', 'left'] as const) {
    const { x, y } = drawing[side];
    flow.use(SIDE);
    const width = flow.pdf.widthOfString(sides[side]);
    flow.write([sides[side]], SIDE, left + x * scale - width / 2, top + y * scale);
  }
}
