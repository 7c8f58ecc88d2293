import {
  MARKER_CELLS,
  type CalibrationCard,
  type CardMarker,
  type CardPoint,
} from '../../core/calibration/calibration-card.js';
import { BOLD, mm, REGULAR, type Document } from '../pdf/pdf-page.js';

const BLACK = '#000000';
const INK = '#333333';
const HAIRLINE_MM = 0.15;

/**
 * Neutral row and six colours of the classic 24-patch chart, in sRGB: known values to compare a photo's colours with. None is red,
 * pink or brown: where a card is not recognised, such a patch is easily taken for a wound.
 */
const GREYS = ['#f3f3f2', '#c8c8c8', '#a0a0a0', '#7a7a79', '#555555', '#343434'];
const COLOURS = ['#383d96', '#469449', '#0885a1', '#e7c71f', '#9dbc40', '#67bdaa'];

/** Positions on a face besides the markers, in millimetres of the card. */
interface FaceLayout {
  readonly patches: { readonly at: CardPoint; readonly width: number; readonly height: number; readonly gap: number };
  /** The ruler's zero, and how many centimetres it has. */
  readonly ruler: { readonly at: CardPoint; readonly lengthCm: number; readonly figuresPt: number };
  readonly bar: { readonly at: CardPoint; readonly heightMm: number; readonly textPt: number };
}

const LAYOUTS: Readonly<Record<CalibrationCard['size'], FaceLayout>> = {
  a4: {
    patches: { at: [58.5, 9], width: 12, height: 18, gap: 0.2 },
    ruler: { at: [15, 54], lengthCm: 16, figuresPt: 9 },
    bar: { at: [45, 71], heightMm: 3.5, textPt: 8.5 },
  },
  credit_card: {
    patches: { at: [28.1, 5], width: 4.9, height: 8.8, gap: 0 },
    ruler: { at: [2.8, 28.2], lengthCm: 8, figuresPt: 6.5 },
    bar: { at: [2.8, 42.6], heightMm: 2.4, textPt: 6.2 },
  },
};

/** Draws a card as it is cut out and laid beside the wound; `origin` is its upper left corner on the page, in millimetres. */
export function drawCardFace(document: Document, card: CalibrationCard, origin: CardPoint): void {
  document.save().translate(mm(origin[0]), mm(origin[1]));
  drawOutline(document, card);
  for (const marker of card.markers) drawMarker(document, card, marker);
  const layout = LAYOUTS[card.size];
  drawPatches(document, layout.patches);
  drawRuler(document, layout.ruler);
  drawBar(document, card, layout.bar);
  document.restore();
}

/** Along this line the card is cut. */
function drawOutline(document: Document, { widthMm, heightMm }: CalibrationCard): void {
  const radius = mm(3.18);
  document
    .lineWidth(mm(HAIRLINE_MM))
    .dash(mm(1.2), { space: mm(1) })
    .strokeColor('#888888');
  document.roundedRect(0, 0, mm(widthMm), mm(heightMm), radius).stroke().undash();
}

function drawMarker(document: Document, { markerMm }: CalibrationCard, { corner: [x, y], code }: CardMarker): void {
  const cell = markerMm / MARKER_CELLS;
  document.rect(mm(x), mm(y), mm(markerMm), mm(markerMm)).fill(BLACK);
  const columns = code.map((_, column) => code.map((row) => row[column]).join(''));
  const white = (column: number, row: number, width: number, height: number) =>
    document
      .rect(mm(x + (column + 1) * cell), mm(y + (row + 1) * cell), mm(width * cell), mm(height * cell))
      .fill('#ffffff');
  // Along rows and along columns: cells that meet would else be parted by a hair of black, where a viewer softens their edges.
  code.forEach((line, row) => whiteRuns(line).forEach(({ from, length }) => white(from, row, length, 1)));
  columns.forEach((line, column) => whiteRuns(line).forEach(({ from, length }) => white(column, from, 1, length)));
}

function whiteRuns(line: string): { readonly from: number; readonly length: number }[] {
  return [...line.matchAll(/1+/g)].map((run) => ({ from: run.index, length: run[0].length }));
}

function drawPatches(document: Document, { at: [x, y], width, height, gap }: FaceLayout['patches']): void {
  [GREYS, COLOURS].forEach((row, rowIndex) => {
    row.forEach((colour, column) => {
      document
        .rect(mm(x + column * (width + gap)), mm(y + rowIndex * (height + gap)), mm(width), mm(height))
        .fill(colour);
    });
  });
}

/** Millimetre ticks downwards from the line, longer at 5 and 10; figures are centimetres. */
function drawRuler(document: Document, { at: [x, y], lengthCm, figuresPt }: FaceLayout['ruler']): void {
  document.lineWidth(mm(HAIRLINE_MM)).strokeColor(BLACK);
  document
    .moveTo(mm(x), mm(y))
    .lineTo(mm(x + lengthCm * 10), mm(y))
    .stroke();
  for (let millimetre = 0; millimetre <= lengthCm * 10; millimetre += 1) {
    const tick = millimetre % 10 === 0 ? 5 : millimetre % 5 === 0 ? 3.6 : 2.3;
    document
      .moveTo(mm(x + millimetre), mm(y))
      .lineTo(mm(x + millimetre), mm(y + tick))
      .stroke();
  }
  document.font(REGULAR).fontSize(figuresPt).fillColor(BLACK);
  for (let centimetre = 0; centimetre <= lengthCm; centimetre += 1) {
    const text = centimetre === 0 ? 'cm' : String(centimetre);
    // The last figure would stand across the cut.
    const left = x + centimetre * 10 - 5;
    document.text(text, mm(centimetre === 0 ? left + 4.2 : left), mm(y + 5.1), {
      width: mm(10),
      align: centimetre === 0 ? 'left' : 'center',
      lineBreak: false,
    });
  }
}

function drawBar(
  document: Document,
  { barMm }: CalibrationCard,
  { at: [x, y], heightMm, textPt }: FaceLayout['bar'],
): void {
  document.rect(mm(x), mm(y), mm(barMm), mm(heightMm)).fill(BLACK);
  document.font(BOLD).fontSize(textPt).fillColor(INK);
  document.text(`Check bar: ${barMm} mm from end to end when printed at 100 %`, mm(x), mm(y + heightMm + 0.9), {
    width: mm(barMm),
    align: 'center',
    lineBreak: false,
  });
}
