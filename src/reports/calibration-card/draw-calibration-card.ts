import { CALIBRATION_CARDS, CARD_SIZES, type CardSize } from '../../core/calibration/calibration-card.js';
import { openDocument, printAtFullSize, toBytes } from '../pdf/pdf-page.js';
import { drawCardPage } from './card-page.js';

/** The last change of the cards' look. Not the time of the request, so that it is the same file every time. */
const DESIGNED_AT = new Date('2025-11-20T00:00:00Z');

/** The printable calibration cards as PDF, one A4 page a size. The same sizes always give the same bytes. */
export function drawCalibrationCard(sizes: readonly CardSize[] = CARD_SIZES): Promise<Uint8Array> {
  const document = openDocument({
    title: 'Calibration card',
    subject: 'Print at 100 %, check the bar, lay it beside the wound',
    createdAt: DESIGNED_AT,
  });
  printAtFullSize(document);
  for (const size of sizes) {
    document.addPage();
    drawCardPage(document, CALIBRATION_CARDS[size]);
  }
  return toBytes(document);
}
