import { BASE } from '../route/examples.js';
import { modelCardPath } from '../route/paths.js';
import type { DescribedRoute } from '../route/api-route.decorator.js';
import { modelListSchema } from './models.schema.js';

const weights = {
  name: 'wound-segmentation-fast',
  version: '0.8.0',
  sha256: '25feff42e3cb1d4cd60016f63d22e75c97872e837847d0ab072bab1317a7e225',
};
const example = {
  items: [
    {
      ...weights,
      task: 'wound-segmentation',
      variant: 'fast',
      active: true,
      researchOnly: true,
      licence: 'Research and evaluation only; the training data state no licence for commercial use.',
      metrics: { outOfFold: { pictures: 822, dataSetDice: 0.881, meanDice: 0.834 } },
      card: '# Wound segmentation 0.8.0\n\nOutlines open wounds in a photograph.',
      links: { fhirModelCard: `${BASE}${modelCardPath(weights)}` },
    },
  ],
  nextCursor: null,
};

/** The model routes for the OpenAPI document. */
export const LIST_MODELS: DescribedRoute = {
  operationId: 'listModels',
  tag: 'models',
  summary: 'List the models of this installation',
  description: 'Those that jobs are analysed with, and others that lie beside them; with licence, figures and card. Read when the service starts.',
  path: '/api/v1/models',
  answers: [{ status: 200, description: 'The models', schema: modelListSchema, examples: { models: example } }],
  errors: [],
};
