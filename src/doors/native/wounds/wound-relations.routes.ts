import type { DescribedParameter, DescribedRoute } from '../route/api-route.decorator.js';
import { WOUND_ID } from '../route/examples.js';
import { woundPath } from '../route/paths.js';
import {
  relationWithdrawalSchema,
  woundJoinSchema,
  woundRelationSchema,
  woundSplitSchema,
} from './wound-relation.schema.js';

const RELATION_ID = '01997f32-4a10-7e21-9c63-0b7d4f5a2e18';
const OTHER_WOUND_ID = '01997f30-7c45-7b88-9a1e-6f2d8c4b0e57';
const ID: DescribedParameter = { name: 'id', description: 'The wound, by this service’s id', example: WOUND_ID };
const by = { id: 'HCP-0042', name: 'Example Reviewer' };
const at = '2026-03-03T10:15:00Z';
const parts = [WOUND_ID, OTHER_WOUND_ID];
const example = {
  id: RELATION_ID,
  kind: 'joined',
  whole: WOUND_ID,
  parts,
  at: '2026-03-03T10:15:00.000Z',
  note: null,
  by,
  recordedAt: '2026-03-03T10:31:12.004Z',
  enteredBy: null,
  withdrawn: null,
};
const IDEMPOTENCY_KEY: DescribedParameter = {
  name: 'Idempotency-Key',
  description:
    'Quoted or bare, up to 255 printable ASCII characters, kept 24 hours. Repeats with the same body get the first answer.',
  example: '"6f1d2c8a"',
};
const RECORDED = {
  tag: 'follow-up',
  pathParameters: [ID],
  requestHeaders: [IDEMPOTENCY_KEY],
  errors: [
    'request.invalid',
    'wound.not_found',
    'wound.merged',
    'wound.relation_refused',
    'capture.future',
    'idempotency.mismatch',
    'idempotency.in_flight',
  ],
} as const satisfies Partial<DescribedRoute>;

/** The routes of what grew together and fell apart, for the OpenAPI document. */
export const JOIN_WOUNDS: DescribedRoute = {
  ...RECORDED,
  operationId: 'joinWounds',
  summary: 'Say that wounds have grown together',
  description:
    'From then on this wound is what they have become: its area is compared with the sum of theirs, so that the joining is no growth. Two numbers of one and the same wound are a merge instead.',
  path: `${woundPath(WOUND_ID)}/join`,
  body: { schema: woundJoinSchema, example: { from: parts, at, by }, required: true },
  answers: [
    {
      status: 201,
      description: 'The relation; a repeat gets the one that stands',
      schema: woundRelationSchema,
      examples: { joined: example },
      headers: ['Idempotency-Replayed'],
    },
  ],
};

export const SPLIT_WOUND: DescribedRoute = {
  ...RECORDED,
  operationId: 'splitWound',
  summary: 'Say that a wound has fallen into several',
  description:
    'From then on its parts are wounds of their own: together they are compared with what it was, so that no part counts as healing because it is smaller.',
  path: `${woundPath(WOUND_ID)}/split`,
  body: { schema: woundSplitSchema, example: { into: parts, at, by }, required: true },
  answers: [
    {
      status: 201,
      description: 'The relation; a repeat gets the one that stands',
      schema: woundRelationSchema,
      examples: { split: { ...example, kind: 'split' } },
      headers: ['Idempotency-Replayed'],
    },
  ],
};

export const WITHDRAW_RELATION: DescribedRoute = {
  operationId: 'withdrawWoundRelation',
  tag: 'follow-up',
  summary: 'Take a relation of wounds back',
  description:
    'As if it had never been: what had ended with it is open again. It stays in `relations` of its wounds, with who took it back and why. A repeat changes nothing.',
  path: `${woundPath(WOUND_ID)}/relations/${RELATION_ID}`,
  pathParameters: [
    { ...ID, description: 'A wound of it, by this service’s id' },
    { name: 'relationId', description: 'The relation', example: RELATION_ID },
  ],
  body: { schema: relationWithdrawalSchema, example: { note: 'The other leg.', by }, required: false },
  answers: [
    {
      status: 200,
      description: 'The relation',
      schema: woundRelationSchema,
      examples: {
        withdrawn: {
          ...example,
          withdrawn: { withdrawnAt: '2026-03-03T11:02:40.310Z', note: 'The other leg.', by, enteredBy: null },
        },
      },
    },
  ],
  errors: ['request.invalid', 'wound.not_found', 'wound.relation_not_found'],
};
