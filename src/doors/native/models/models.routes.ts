import { BASE } from '../route/examples.js';
import { modelCardPath } from '../route/paths.js';
import type { DescribedRoute } from '../route/api-route.decorator.js';
import { modelListSchema } from './models.schema.js';

const weights = {
  name: 'wound-segmentation-fast',
  version: '0.7.1',
  sha256: '66322178b84ea39b2837c163faca1ce1723c3cc571f4fc1cde617bb2f5941905',
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
      metrics: { outOfFold: { pictures: 822, dataSetDice: 0.865, meanDice: 0.822 } },
      card: '# Wound segmentation 0.7.1\n\nOutlines open wounds in a photograph.',
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
