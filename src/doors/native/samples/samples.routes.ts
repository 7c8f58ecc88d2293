import { ANSWER_HEADERS } from '../route/answer-headers.js';
import type { DescribedRoute } from '../route/api-route.decorator.js';
import { BASE } from '../route/examples.js';
import { samplePath } from '../route/paths.js';
import { sampleListSchema } from './samples.schema.js';

const NAME = 'clean-wound';

const example = {
  items: [
    {
      name: NAME,
      shows: 'One wound with the small calibration card: a first result.',
      contentType: 'image/jpeg',
      sizeBytes: 80046,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      width: 960,
      height: 720,
      drawnAreaCm2: 8.3,
      series: null,
      seen: {
        job: 'completed',
        refusedWith: null,
        woundDetected: true,
        acceptable: true,
        outlineReliable: true,
        outlines: 1,
        areaCm2: 8.3,
        necrosisShare: null,
        warnings: [],
        attention: [],
      },
      links: { photo: `${BASE}${samplePath(NAME)}` },
    },
  ],
  nextCursor: null,
  series: [{ name: 'healing', daysApart: 7, seen: { verdict: 'improving', flags: [] } }],
  seenWith: [
    {
      name: 'wound-segmentation-fast',
      version: '0.8.0',
      sha256: '25feff42e3cb1d4cd60016f63d22e75c97872e837847d0ab072bab1317a7e225',
    },
  ],
  seenOn: '2026-12-01',
  seenWithActiveModels: true,
};

/** The routes of sample photos for the OpenAPI document. */
export const LIST_SAMPLES: DescribedRoute = {
  operationId: 'listSamples',
  tag: 'samples',
  summary: 'Photos to test an integration with',
  description:
    'Drawn, so that nobody is shown; each with what the models that come with this release were seen to make of it. They are analysed as any photo is: in live they would make records that look like a patient’s.',
  path: '/api/v1/samples',
  answers: [{ status: 200, description: 'The samples', schema: sampleListSchema, examples: { samples: example } }],
  errors: [],
};

export const READ_SAMPLE: DescribedRoute = {
  operationId: 'readSample',
  tag: 'samples',
  summary: 'One of these photos',
  path: samplePath(NAME),
  pathParameters: [{ name: 'name', description: 'As in the list', example: NAME }],
  requestHeaders: [
    { name: 'If-None-Match', description: 'ETag of the answer that you have.', example: ANSWER_HEADERS.ETag.example },
  ],
  answers: [
    { status: 200, description: 'The photo', bytes: ['image/jpeg'], headers: ['ETag', 'Content-Disposition'] },
    { status: 304, description: 'You have this answer already', headers: ['ETag'] },
  ],
  errors: ['sample.not_found'],
};
