import type { DescribedRoute } from '../route/api-route.decorator.js';
import {
  deliveryDetailSchema,
  deliveryListSchema,
  deliveryQuerySchema,
  replayedSchema,
  replaySchema,
  rotationSchema,
  webhookChangeSchema,
  webhookListSchema,
  webhookRequestSchema,
  webhookSchema,
  webhookTrialSchema,
  webhookWithSecretSchema,
} from './webhooks.schema.js';
import { wholeList } from '../paging/page.js';

const PATH = '/api/v1/webhooks';
const ID = '019aa000-0000-7000-8000-0000000000a1';
const DELIVERY_ID = '019aa000-0000-7000-8000-0000000000b1';
const AT = '2025-11-20T09:15:00.000Z';

const WEBHOOK_ID = { name: 'webhookId', description: 'The webhook.', example: ID };
const DELIVERY = { name: 'deliveryId', description: 'The delivery.', example: DELIVERY_ID };

export const WEBHOOK_EXAMPLE = {
  id: ID,
  url: 'https://ward.example.org/sutura',
  types: ['report.ready', 'report.amended'],
  content: 'ids',
  signatures: ['v1'],
  state: 'active',
  disabledAt: null,
  disabledFor: null,
  failingSince: null,
  publicKey: 'whpk_MCowBQYDK2VwAyEAexampleexampleexampleexamplA=',
  previousKeysUntil: null,
  createdAt: AT,
};
export const SECRET_EXAMPLE = { ...WEBHOOK_EXAMPLE, secret: 'whsec_c2hvd24gb25jZSwgbm90IGEgc2VjcmV0IG9mIGFueWJvZHk=' };
const deliveryExample = {
  id: DELIVERY_ID,
  eventId: '2f1c8e00-5a00-8000-9000-0000000000c1',
  type: 'report.ready',
  sequence: 12,
  state: 'delivered',
  attempts: 1,
  statusCode: 204,
  fault: null,
  createdAt: AT,
  nextAt: null,
  deliveredAt: AT,
};
const ONE = { tag: 'webhooks' as const, path: `${PATH}/${ID}`, pathParameters: [WEBHOOK_ID] };
const answered = (description: string): DescribedRoute['answers'] => [
  { status: 200, description, schema: webhookSchema, examples: { webhook: WEBHOOK_EXAMPLE } },
];

/** The webhook routes for the OpenAPI document. */
export const CREATE_WEBHOOK: DescribedRoute = {
  operationId: 'createWebhook',
  tag: 'webhooks',
  summary: 'Have an address told of events',
  description:
    'By Standard Webhooks 1.0: signed, in order, with the same webhook-id at every try, for days. What happens from now on is told. The secret is shown this once.',
  path: PATH,
  body: {
    schema: webhookRequestSchema,
    example: { url: WEBHOOK_EXAMPLE.url, types: WEBHOOK_EXAMPLE.types },
    required: true,
  },
  answers: [
    {
      status: 201,
      description: 'The webhook, with its secret',
      schema: webhookWithSecretSchema,
      examples: { webhook: SECRET_EXAMPLE },
      headers: ['Location'],
    },
  ],
  errors: ['webhook.url_refused', 'webhook.too_many'],
};

export const LIST_WEBHOOKS: DescribedRoute = {
  operationId: 'listWebhooks',
  tag: 'webhooks',
  summary: 'The webhooks of the organization',
  path: PATH,
  answers: [
    {
      status: 200,
      description: 'Oldest first',
      schema: webhookListSchema,
      examples: { webhooks: wholeList([WEBHOOK_EXAMPLE], 'webhooks') },
    },
  ],
  errors: [],
};

export const READ_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'readWebhook',
  summary: 'A webhook, and whether it is well',
  answers: answered('The webhook'),
  errors: ['webhook.not_found'],
};

export const CHANGE_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description: 'What waits keeps its body and goes where the webhook points now.',
  body: { schema: webhookChangeSchema, example: { types: ['report.ready'] }, required: true },
  answers: answered('The webhook as it is now'),
  errors: ['webhook.not_found', 'webhook.url_refused'],
};

export const DELETE_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'What waits for it is never sent.',
  answers: [{ status: 204, description: 'There is none any more' }],
  errors: ['webhook.not_found'],
};

export const ROTATE_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'rotateWebhook',
  summary: 'Give a webhook new keys',
  description:
    'For the time of the overlap every event is signed with the old keys as well, a day unless asked otherwise; with the keys of earlier rotations until their own overlap ends. With an overlap of 0 no former keys sign from now on.',
  path: `${PATH}/${ID}/rotate`,
  body: { schema: rotationSchema, example: { overlapS: 86_400 }, required: false },
  answers: [
    {
      status: 200,
      description: 'The webhook, with its new secret',
      schema: webhookWithSecretSchema,
      examples: { webhook: SECRET_EXAMPLE },
    },
  ],
  errors: ['webhook.not_found', 'webhook.too_many_keys'],
};

export const TEST_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'testWebhook',
  summary: 'Send a test event now',
  description: 'One signed event of the type webhook.test, past the queue; also where the webhook is paused.',
  path: `${PATH}/${ID}/test`,
  answers: [
    {
      status: 200,
      description: 'How the endpoint answered',
      schema: webhookTrialSchema,
      examples: { trial: { delivered: true, statusCode: 204, fault: null, durationMs: 31 } },
    },
  ],
  errors: ['webhook.not_found'],
};

export const PAUSE_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'pauseWebhook',
  summary: 'Stop delivering for a while',
  description: 'Events are kept and wait; one that is on its way is answered for.',
  path: `${PATH}/${ID}/pause`,
  answers: answered('The webhook, paused'),
  errors: ['webhook.not_found'],
};

export const RESUME_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'resumeWebhook',
  summary: 'Deliver again',
  description: 'After a pause, or after the service disabled it. What waited is delivered in its order.',
  path: `${PATH}/${ID}/resume`,
  answers: answered('The webhook, active'),
  errors: ['webhook.not_found'],
};

export const LIST_DELIVERIES: DescribedRoute = {
  ...ONE,
  operationId: 'listWebhookDeliveries',
  summary: 'What was delivered, waits or is parked',
  path: `${PATH}/${ID}/deliveries`,
  query: deliveryQuerySchema,
  answers: [
    {
      status: 200,
      description: 'Newest first',
      schema: deliveryListSchema,
      examples: { deliveries: wholeList([deliveryExample], 'deliveries') },
    },
  ],
  errors: ['webhook.not_found', 'request.invalid'],
};

export const READ_DELIVERY: DescribedRoute = {
  ...ONE,
  operationId: 'readWebhookDelivery',
  summary: 'A delivery with its body and every attempt',
  path: `${PATH}/${ID}/deliveries/${DELIVERY_ID}`,
  pathParameters: [WEBHOOK_ID, DELIVERY],
  answers: [
    {
      status: 200,
      description: 'The delivery',
      schema: deliveryDetailSchema,
      examples: {
        delivery: {
          ...deliveryExample,
          body: { type: 'report.ready', timestamp: AT, data: { reportId: ID, version: 1, sequence: 12 } },
          log: [{ at: AT, statusCode: 204, fault: null, durationMs: 31, delivered: true, answer: '' }],
        },
      },
    },
  ],
  errors: ['webhook.not_found', 'webhook.delivery_not_found'],
};

export const REPLAY_DELIVERY: DescribedRoute = {
  ...ONE,
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again',
  description: 'With the same webhook-id and the same body.',
  path: `${PATH}/${ID}/deliveries/${DELIVERY_ID}/replay`,
  pathParameters: [WEBHOOK_ID, DELIVERY],
  answers: [{ status: 202, description: 'It waits for its turn' }],
  errors: ['webhook.not_found', 'webhook.delivery_not_found', 'webhook.delivery_state'],
};

export const PARK_DELIVERY: DescribedRoute = {
  ...ONE,
  operationId: 'parkWebhookDelivery',
  summary: 'Let a delivery that waits step aside',
  description: 'What waits behind it goes on. It can be sent again, or given up.',
  path: `${PATH}/${ID}/deliveries/${DELIVERY_ID}/park`,
  pathParameters: [WEBHOOK_ID, DELIVERY],
  answers: [{ status: 204, description: 'It is parked' }],
  errors: ['webhook.not_found', 'webhook.delivery_not_found', 'webhook.delivery_state'],
};

export const DISCARD_DELIVERY: DescribedRoute = {
  ...ONE,
  operationId: 'discardWebhookDelivery',
  summary: 'Give a parked delivery up for good',
  path: `${PATH}/${ID}/deliveries/${DELIVERY_ID}/discard`,
  pathParameters: [WEBHOOK_ID, DELIVERY],
  answers: [{ status: 204, description: 'It is never sent' }],
  errors: ['webhook.not_found', 'webhook.delivery_not_found', 'webhook.delivery_state'],
};

export const REPLAY_WEBHOOK: DescribedRoute = {
  ...ONE,
  operationId: 'replayWebhook',
  summary: 'Send the deliveries of a time again',
  description: 'All that were delivered or are parked, in their order.',
  path: `${PATH}/${ID}/replay`,
  body: { schema: replaySchema, example: { since: AT }, required: true },
  answers: [
    {
      status: 202,
      description: 'How many wait for their turn',
      schema: replayedSchema,
      examples: { replayed: { replayed: 12 } },
    },
  ],
  errors: ['webhook.not_found'],
};
