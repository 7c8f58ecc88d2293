import { z } from 'zod';
import { barLimitsMm, CALIBRATION_CARDS, type CardSize } from '../../../core/calibration/calibration-card.js';
import { listFields, olderItems } from '../paging/page.js';

/** The sizes as this door writes them. */
const SIZES = { a4: 'a4', 'credit-card': 'credit_card' } as const satisfies Readonly<Record<string, CardSize>>;
export type SizeText = keyof typeof SIZES;

const SIZE_TEXTS = Object.keys(SIZES) as SizeText[];
const sizeText = z.enum(SIZE_TEXTS);

export function fromSizeText(text: SizeText): CardSize {
  return SIZES[text];
}

export function toSizeText(size: CardSize): SizeText {
  return SIZE_TEXTS.find((text) => SIZES[text] === size)!;
}

export const cardQuerySchema = z.strictObject({
  size: sizeText.optional().describe('One size of card; absent: both.'),
});
export type CardQuery = z.output<typeof cardQuerySchema>;

export const cardMeasurementSchema = z
  .strictObject({
    size: sizeText.describe('Which card was measured.'),
    measuredBarMm: z
      .number()
      .describe(
        `Length of its check bar on paper, in millimetres: within a tenth of ${CALIBRATION_CARDS.a4.barMm} (a4) or ${CALIBRATION_CARDS.credit_card.barMm} (credit-card).`,
      ),
  })
  .superRefine(({ size, measuredBarMm }, context) => {
    const { least, most } = barLimitsMm(fromSizeText(size));
    if (measuredBarMm >= least && measuredBarMm <= most) return;
    context.addIssue({
      code: 'custom',
      path: ['measuredBarMm'],
      message: `must be from ${least} to ${most}; a bar beyond that was scaled to another page: print the card again at 100 %`,
    });
  })
  .meta({ id: 'CalibrationCardMeasurement', description: 'What a ruler says of a printed calibration card.' });
export type CardMeasurement = z.output<typeof cardMeasurementSchema>;

export const calibrationCardSchema = z
  .object({
    size: sizeText,
    barMm: z.number().describe('Length of the check bar when printed at 100 %.'),
    measuredBarMm: z
      .number()
      .nullable()
      .describe('The stored correction; null: none, the card counts as printed at 100 %.'),
    measuredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CalibrationCard', description: 'One size of card, and what was measured on its prints.' });

export const calibrationCardsSchema = z
  .object({ cards: olderItems(calibrationCardSchema), ...listFields(calibrationCardSchema, 'Each size.') })
  .meta({ id: 'CalibrationCards', description: 'Each size of card, and what was measured on its prints.' });
