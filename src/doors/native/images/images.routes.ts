import { ANSWER_HEADERS } from '../route/answer-headers.js';
import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import {
  awaitedImageExample,
  IMAGE_ID,
  storedImageExample,
  uploadRequestExample,
  uploadTicketExample,
} from '../route/examples.js';
import { imageMetadataSchema, uploadRequestSchema, uploadTicketSchema } from './images.schema.js';

const THE_IMAGE: DescribedParameter = { name: 'imageId', description: 'The image', example: IMAGE_ID };

/** The image routes for the OpenAPI document. */
export const REQUEST_UPLOAD: DescribedRoute = {
  operationId: 'requestUploadUrl',
  tag: 'images',
  summary: 'Ask for a signed upload URL',
  description:
    'The first step. PUT the bytes of the photo to `uploadUrl` with the `headers` given, then create a job with `imageId`. Costs no analysis.',
  path: '/api/v1/images/upload-url',
  requestHeaders: [
    {
      name: 'Idempotency-Key',
      description: 'Repeats with the same key and body get the first answer, for 24 hours.',
      example: '"b2f1c9e4"',
    },
  ],
  body: { schema: uploadRequestSchema, example: uploadRequestExample, required: false },
  answers: [
    {
      status: 201,
      description: 'The signed address',
      schema: uploadTicketSchema,
      examples: { ticket: uploadTicketExample },
      headers: ['Idempotency-Replayed'],
    },
  ],
  errors: ['image.too_large', 'storage.limit', 'idempotency.mismatch', 'idempotency.in_flight'],
};

export const READ_IMAGE: DescribedRoute = {
  operationId: 'getImage',
  tag: 'images',
  summary: 'Read what is known of a photo',
  description:
    'Where `links.image` of a job leads: whether the photo came, its type, size and digest, and whether it can be analysed. Never the photo itself. 410 once it was erased.',
  path: `/api/v1/images/${IMAGE_ID}`,
  pathParameters: [THE_IMAGE],
  requestHeaders: [
    { name: 'If-None-Match', description: 'ETag of the answer that you have.', example: ANSWER_HEADERS.ETag.example },
  ],
  answers: [
    {
      status: 200,
      description: 'The metadata',
      schema: imageMetadataSchema,
      examples: { stored: storedImageExample, awaited: awaitedImageExample },
      headers: ['ETag'],
    },
    { status: 304, description: 'You have this answer already', headers: ['ETag'] },
  ],
  errors: ['image.not_found', 'image.unavailable'],
};

export const DELETE_IMAGE: DescribedRoute = {
  operationId: 'deleteImage',
  tag: 'images',
  summary: 'Erase a photo',
  description:
    'Erases the bytes and every picture derived from them, also in HL7 v2 messages that were kept. Results stay.',
  path: `/api/v1/images/${IMAGE_ID}`,
  pathParameters: [THE_IMAGE],
  answers: [{ status: 204, description: 'Erased' }],
  errors: ['image.not_found', 'image.in_use', 'patient.on_hold', 'hl7.sealed'],
};
