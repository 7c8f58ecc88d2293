import { BASE } from '../route/examples.js';
import { modelCardPath } from '../route/paths.js';
import type { DescribedRoute } from '../route/api-route.decorator.js';
import { modelListSchema } from './models.schema.js';

const weights = {
  name: 'wound-segmentation-fast',
  version: '0.6.0',
  sha256: '56fa3f712a2289cfbd9efd9bdfc917bf0e16af9828f0a16a4b788af293eeb4f0',
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
      metrics: { fusegHeldOut: { pictures: 120, dataSetDice: 0.871, meanDice: 0.826 } },
      card: '# Wound segmentation 0.6.0\n\nOutlines open wounds in a photograph.',
      links: { fhirModelCard: `${BASE}${modelCardPath(weights)}` },
    },
  ],
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
