/**
 * The small calibration card as its page prints it (docs/calibration-card.md): what the gateway hands out as PDF, here as light.
 * A test compares it with the service's own geometry.
 */
export const CARD = { widthMm: 85.6, heightMm: 53.98 };

const MARKER_MM = 20;
const CELL_MM = MARKER_MM / 6;
const MARKERS = [
  { corner: [4, 4], code: ['1001', '0100', '0111', '0001'] },
  { corner: [61.6, 4], code: ['0011', '1000', '1011', '0010'] },
];
const PATCHES = { at: [28.1, 5], width: 4.9, height: 8.8 };
const RULER = { at: [2.8, 28.2], lengthMm: 80, lineMm: 0.15 };
const BAR = { at: [2.8, 42.6], lengthMm: 80, heightMm: 2.4 };

/** Reflected light, 0 to 1, of red, green and blue. */
export const PAPER = [0.84, 0.84, 0.82];
export const INK = [0.03, 0.03, 0.03];
const GREYS = ['f3f3f2', 'c8c8c8', 'a0a0a0', '7a7a79', '555555', '343434'].map(lightOf);
const COLOURS = ['383d96', '469449', '0885a1', 'e7c71f', '9dbc40', '67bdaa'].map(lightOf);

function lightOf(colour) {
  return [0, 2, 4].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return PAPER[0] * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  });
}

/** What is printed at a place of the card, in millimetres from its upper left corner; null beside the card. */
export function cardLight(x, y) {
  if (x < 0 || y < 0 || x > CARD.widthMm || y > CARD.heightMm) return null;
  if (y < 26) return patchLight(x, y) ?? (MARKERS.some((marker) => isMarkerInk(marker, x, y)) ? INK : PAPER);
  return isRulerInk(x, y) || isBarInk(x, y) ? INK : PAPER;
}

function isMarkerInk({ corner, code }, x, y) {
  const [column, row] = [Math.floor((x - corner[0]) / CELL_MM), Math.floor((y - corner[1]) / CELL_MM)];
  if (column < 0 || row < 0 || column > 5 || row > 5) return false;
  return code[row - 1]?.[column - 1] !== '1';
}

function patchLight(x, y) {
  const [column, row] = [
    Math.floor((x - PATCHES.at[0]) / PATCHES.width),
    Math.floor((y - PATCHES.at[1]) / PATCHES.height),
  ];
  return [GREYS, COLOURS][row]?.[column] ?? null;
}

function isRulerInk(x, y) {
  const [along, down] = [x - RULER.at[0], y - RULER.at[1]];
  if (along < -RULER.lineMm || along > RULER.lengthMm + RULER.lineMm || down < 0) return false;
  if (down < RULER.lineMm) return true;
  const tick = Math.round(along);
  const length = tick % 10 === 0 ? 5 : tick % 5 === 0 ? 3.6 : 2.3;
  return down < length && Math.abs(along - tick) < RULER.lineMm / 2;
}

function isBarInk(x, y) {
  const [along, down] = [x - BAR.at[0], y - BAR.at[1]];
  return along >= 0 && along <= BAR.lengthMm && down >= 0 && down <= BAR.heightMm;
}
