import type { DescribedRoute } from '../route/api-route.decorator.js';
import { wholeList } from '../paging/page.js';
import { calibrationCardsSchema, cardMeasurementSchema, cardQuerySchema } from './calibration.schema.js';

const cardsExample = wholeList(
  [
    { size: 'a4', barMm: 100, measuredBarMm: 98.5, measuredAt: '2025-11-20T09:15:00.000Z' },
    { size: 'credit-card', barMm: 80, measuredBarMm: null, measuredAt: null },
  ],
  'cards',
);

/** The calibration routes for the OpenAPI document. */
export const DOWNLOAD_CARD: DescribedRoute = {
  operationId: 'downloadCalibrationCard',
  tag: 'calibration',
  summary: 'The calibration card to print',
  description:
    'A PDF page for each size: two markers, a ruler, patches, a check bar, and how to print, check and use it. Laid beside the wound it gives a photo its scale. Any valid key may have it.',
  path: '/api/v1/calibration-card.pdf',
  query: cardQuerySchema,
  answers: [
    { status: 200, description: 'The card', bytes: ['application/pdf'], headers: ['ETag'] },
    { status: 304, description: 'Unchanged since the ETag in If-None-Match' },
  ],
  errors: ['request.invalid'],
};

export const READ_CARDS: DescribedRoute = {
  operationId: 'readCalibrationCards',
  tag: 'calibration',
  summary: 'Stored corrections of printed cards',
  path: '/api/v1/calibration-card',
  answers: [
    {
      status: 200,
      description: 'Each size with its correction',
      schema: calibrationCardsSchema,
      examples: { cards: cardsExample },
    },
  ],
  errors: [],
};

export const MEASURE_CARD: DescribedRoute = {
  operationId: 'storeCalibrationCardMeasurement',
  tag: 'calibration',
  summary: 'Store the length of a printed check bar',
  description:
    'For a printer that does not print at 100 %. Applies to analyses of this environment that start from now on; each result names the bar length it was made with. Replaces an earlier one of the same size.',
  path: '/api/v1/calibration-card',
  body: { schema: cardMeasurementSchema, example: { size: 'a4', measuredBarMm: 98.5 }, required: true },
  answers: [
    {
      status: 200,
      description: 'Each size with its correction',
      schema: calibrationCardsSchema,
      examples: { cards: cardsExample },
    },
  ],
  errors: [],
};

export const FORGET_CARD: DescribedRoute = {
  operationId: 'deleteCalibrationCardMeasurement',
  tag: 'calibration',
  summary: 'Remove stored corrections',
  description: 'Cards count as printed at 100 % again. Results stay as they are.',
  path: '/api/v1/calibration-card',
  query: cardQuerySchema,
  answers: [{ status: 204, description: 'None is stored any more' }],
  errors: ['request.invalid'],
};
