import type { CalibrationCard, CardPoint } from '../../core/calibration/calibration-card.js';
import { PAPER_TABLE } from '../documents/paper.js';
import { BOLD, mm, REGULAR, type Document } from '../pdf/pdf-page.js';
import { drawCardFace } from './card-face.js';

const A4 = PAPER_TABLE.a4;
const MARGIN_MM = 20;
const INK = '#222222';
const MUTED = '#666666';
const RULE = '#cccccc';
const CARD_TOP_MM = 44;

interface Advice {
  readonly heading: string;
  readonly steps: readonly string[];
}

/** One A4 page: what it is, the card, and how it is printed, checked and used. */
export function drawCardPage(document: Document, card: CalibrationCard): void {
  drawHeading(document, card);
  const left = (A4.width - card.widthMm) / 2;
  const origin: CardPoint = [left, CARD_TOP_MM];
  drawCardFace(document, card, origin);
  let y = CARD_TOP_MM + card.heightMm + 12;
  for (const advice of adviceFor(card)) y = drawAdvice(document, advice, y);
  drawFooter(document, card);
}

function drawHeading(document: Document, card: CalibrationCard): void {
  document.font(BOLD).fontSize(20).fillColor(INK).text('Calibration card', mm(MARGIN_MM), mm(16), { lineBreak: false });
  document.font(REGULAR).fontSize(10.5).fillColor(MUTED);
  document.text(`${titleOf(card)}. Laid beside a wound, it gives the photo its scale.`, mm(MARGIN_MM), mm(27), {
    lineBreak: false,
  });
  drawRule(document, 36);
}

function titleOf({ size }: CalibrationCard): string {
  return size === 'a4' ? 'Large card, for A4 paper' : 'Small card, the size of a credit card';
}

function adviceFor({ barMm }: CalibrationCard): Advice[] {
  return [
    {
      heading: 'Print',
      steps: [
        'Print on white, matt A4 paper at 100 % (“actual size”). Switch off “fit to page” and “shrink”.',
        'Cut along the dashed line. Do not fold, laminate or copy it: folds bend the scale, shine hides it, copiers resize it.',
      ],
    },
    {
      heading: 'Check',
      steps: [
        `Lay a ruler along the black check bar. It must be ${barMm} mm long. If it is off by more than 1 mm, print again at 100 %.`,
        'If your printer cannot do better, have the measured length stored (see the service’s documentation): it is then taken into account.',
      ],
    },
    {
      heading: 'Photograph',
      steps: [
        'Lay the card flat, beside the wound and level with it, not on it. Both black squares and the whole wound must be in the photo.',
        'Hold the camera straight above. An oblique view is corrected, but beyond 60° the card is not used. Avoid shadows, flash and glare.',
        'Nothing may cover the black squares or the white around them. One card in a photo, never a photo of a card on a screen.',
      ],
    },
    {
      heading: 'Keep clean',
      steps: ['The card is not sterile. Use a fresh print for each patient, and do not let it touch the wound.'],
    },
  ];
}

function drawAdvice(document: Document, { heading, steps }: Advice, top: number): number {
  const column = MARGIN_MM + 28;
  const width = mm(A4.width - MARGIN_MM - column);
  document.font(BOLD).fontSize(10.5).fillColor(INK).text(heading, mm(MARGIN_MM), mm(top), { lineBreak: false });
  document.font(REGULAR).fontSize(10.5);
  let y = mm(top);
  for (const step of steps) {
    document.text(step, mm(column), y, { width, lineGap: 1.5 });
    y = document.y + mm(1.6);
  }
  return y / mm(1) + 3.4;
}

function drawFooter(document: Document, { markers }: CalibrationCard): void {
  const y = A4.height - 17;
  drawRule(document, y - 3);
  const ids = markers.map(({ id }) => id).join(' and ');
  document.font(REGULAR).fontSize(8).fillColor(MUTED);
  document.text(
    `Sutura · markers ${ids} of ArUco 4×4_50 · the colour patches depend on your printer and are for the eye only`,
    mm(MARGIN_MM),
    mm(y),
    { lineBreak: false },
  );
}

function drawRule(document: Document, y: number): void {
  document
    .lineWidth(0.5)
    .strokeColor(RULE)
    .moveTo(mm(MARGIN_MM), mm(y))
    .lineTo(mm(A4.width - MARGIN_MM), mm(y))
    .stroke();
}
