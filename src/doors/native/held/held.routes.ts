import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import { heldListSchema, heldQuerySchema, heldSchema, resolutionSchema, type HeldView } from './held.schema.js';

const PATH = '/api/v1/held';
const HELD_ID = '01997f2e-8888-7000-8000-000000000008';
const ID: DescribedParameter = { name: 'id', description: 'What waits, by its id in the list', example: HELD_ID };

const heldExample: HeldView = {
  id: HELD_ID,
  environment: 'test',
  reason: 'identity_conflict',
  since: '2026-03-15T08:40:05.000Z',
  door: 'hl7v2',
  came: {
    messageIds: ['01997f2e-8888-7000-8000-000000000009'],
    resources: [],
    jobIds: [],
    imageIds: [],
    patientIds: ['01997f2e-8888-7000-8000-00000000000a'],
    orders: [],
  },
  waitsFor: 'Whether it is the person of the record, whose birth date or given names differ.',
  actions: ['same', 'another', 'discard'],
};
const answered = (description: string): DescribedRoute['answers'] => [
  { status: 200, description, schema: heldSchema, examples: { held: heldExample } },
];

export const LIST_HELD: DescribedRoute = {
  operationId: 'listHeld',
  tag: 'held',
  summary: 'What waits for a person',
  description: 'What was accepted and cannot go on by itself: why, since when, and what can be done.',
  path: PATH,
  query: heldQuerySchema,
  answers: [
    {
      status: 200,
      description: 'Oldest first',
      schema: heldListSchema,
      examples: { held: { items: [heldExample], nextCursor: null } },
    },
  ],
  errors: ['request.invalid'],
};

export const READ_HELD: DescribedRoute = {
  operationId: 'readHeld',
  tag: 'held',
  summary: 'One thing that waits',
  path: `${PATH}/${HELD_ID}`,
  pathParameters: [ID],
  answers: answered('What waits'),
  errors: ['held.not_found'],
};

export const RESOLVE_HELD: DescribedRoute = {
  operationId: 'resolveHeld',
  tag: 'held',
  summary: 'Say what is to be done with it',
  description: 'It is done within seconds. X-Sutura-User says who decided, where the key may name a person.',
  path: `${PATH}/${HELD_ID}/resolve`,
  pathParameters: [ID],
  body: {
    schema: resolutionSchema,
    example: { action: 'another', authority: 'urn:oid:2.999.2', note: 'A patient of the southern house.' },
    required: true,
  },
  answers: answered('What waited until now'),
  errors: ['held.not_found', 'held.action'],
};
