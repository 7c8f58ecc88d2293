import { z } from 'zod';
import { DELIVERY_STATES } from '../../../exits/kit/index.js';
import { WEBHOOK_EVENT_TYPES } from '../../../core/deliveries/webhook-events.js';
import { SIGNATURE_SCHEMES, WEBHOOK_CONTENTS } from '../../../exits/webhooks/index.js';
import { limitText, listFields, olderItems } from '../paging/page.js';

const LONGEST_URL = 2048;
const LONGEST_OVERLAP_S = 7 * 86_400;
const DAY_S = 86_400;

const types = z
  .array(z.enum(WEBHOOK_EVENT_TYPES))
  .max(WEBHOOK_EVENT_TYPES.length)
  .describe('The types of events that are told; empty: all, those of later releases too.');
const content = z
  .enum(WEBHOOK_CONTENTS)
  .describe(
    'ids: ids of this service, codes and figures. full: the caller’s own ids, names and clinical text as well.',
  );
const signatures = z
  .array(z.enum(SIGNATURE_SCHEMES))
  .min(1)
  .max(SIGNATURE_SCHEMES.length)
  .describe('v1: HMAC-SHA256 with the secret. v1a: ed25519, checked with the public key.');
const url = z
  .url()
  .max(LONGEST_URL)
  .describe('https; http only within a network that the operator opened for deliveries.');

export const webhookRequestSchema = z
  .strictObject({
    url,
    types: types.default([]),
    content: content.default('ids'),
    signatures: signatures.default(['v1']),
  })
  .meta({ id: 'WebhookRequest', description: 'An address that is to be told of events.' });
export type WebhookRequest = z.output<typeof webhookRequestSchema>;

export const webhookChangeSchema = z
  .strictObject({
    url: url.optional(),
    types: types.optional(),
    content: content.optional(),
    signatures: signatures.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'must change something' })
  .meta({ id: 'WebhookChange', description: 'Changes of a webhook; what is not named stays.', minProperties: 1 });
export type WebhookChange = z.output<typeof webhookChangeSchema>;

export const rotationSchema = z
  .strictObject({
    overlapS: z
      .int()
      .min(0)
      .max(LONGEST_OVERLAP_S)
      .default(DAY_S)
      .describe('Seconds for which the old keys sign as well.'),
  })
  .meta({ id: 'WebhookRotation', description: 'How long the old keys sign beside the new ones.' });
/** Without a body: a day. */
export const rotationBody = rotationSchema.optional().transform((body) => body ?? { overlapS: DAY_S });
export type WebhookRotation = z.output<typeof rotationSchema>;

export const replaySchema = z
  .strictObject({
    since: z.iso.datetime({ offset: true }).describe('Of the deliveries, when they were made.'),
    until: z.iso.datetime({ offset: true }).optional().describe('Not included; absent: until now.'),
  })
  .meta({ id: 'WebhookReplay', description: 'The deliveries that are to be sent again.' });
export type WebhookReplay = z.output<typeof replaySchema>;

export const deliveryQuerySchema = z.strictObject({
  state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state.'),
  limit: limitText.optional(),
  cursor: z.string().optional().describe('nextCursor of the page before.'),
});
export type DeliveryQuery = z.output<typeof deliveryQuerySchema>;

const webhookFields = {
  id: z.string(),
  url: z.string(),
  types,
  content,
  signatures,
  state: z
    .enum(['active', 'paused', 'disabled'])
    .describe('paused: by its owner; disabled: by the service. Deliveries are made and wait until it is resumed.'),
  disabledAt: z.iso.datetime().nullable(),
  disabledFor: z.enum(['gone', 'failing']).nullable().describe('gone: answered 410; failing: five days of failures.'),
  failingSince: z.iso.datetime().nullable().describe('The first failure since the last delivery.'),
  publicKey: z.string().describe('Of v1a, as whpk_ and base64.'),
  previousKeysUntil: z.iso.datetime().nullable().describe('The keys before the last rotation sign until then.'),
  createdAt: z.iso.datetime(),
};

export const webhookSchema = z
  .object(webhookFields)
  .meta({ id: 'Webhook', description: 'An address that is told of events.' });
export const webhookWithSecretSchema = z
  .object({ ...webhookFields, secret: z.string().describe('Of v1, as whsec_ and base64. Shown this once.') })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its new secret.' });
export const webhookListSchema = z
  .object({ webhooks: olderItems(webhookSchema), ...listFields(webhookSchema, 'Oldest first; all of them.') })
  .meta({ id: 'WebhookList', description: 'The webhooks of the organization in this environment, oldest first.' });
export const webhookTrialSchema = z
  .object({
    delivered: z.boolean(),
    statusCode: z.int().nullable(),
    fault: z.string().nullable().describe('Why there was no answer, as a code.'),
    durationMs: z.int(),
  })
  .meta({ id: 'WebhookTrial', description: 'How the endpoint answered a test event.' });

const deliveryFields = {
  id: z.string(),
  eventId: z.string().describe('webhook-id of every attempt.'),
  type: z.string(),
  sequence: z.int(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  statusCode: z.int().nullable(),
  fault: z.string().nullable(),
  createdAt: z.iso.datetime(),
  nextAt: z.iso.datetime().nullable().describe('While it waits: when it is tried again, at the earliest.'),
  deliveredAt: z.iso.datetime().nullable(),
};

const deliverySchema = z
  .object(deliveryFields)
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to a webhook.' });
export const deliveryListSchema = z
  .object({ deliveries: olderItems(deliverySchema), ...listFields(deliverySchema, 'Newest first.') })
  .meta({ id: 'WebhookDeliveryList', description: 'Deliveries, newest first.' });
export const deliveryDetailSchema = z
  .object({
    ...deliveryFields,
    body: z.record(z.string(), z.unknown()).describe('The body, as it is sent.'),
    log: z.array(
      z.object({
        at: z.iso.datetime(),
        statusCode: z.int().nullable(),
        fault: z.string().nullable(),
        durationMs: z.int(),
        delivered: z.boolean(),
        answer: z.string().nullable().describe('The first 2 KiB of what the receiver answered.'),
      }),
    ),
  })
  .meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with its body and every attempt, oldest first.' });
export const replayedSchema = z
  .object({ replayed: z.int() })
  .meta({ id: 'WebhookReplayed', description: 'How many deliveries are sent again.' });

export const WEBHOOK_SCHEMAS = [
  webhookRequestSchema,
  webhookChangeSchema,
  rotationSchema,
  replaySchema,
  webhookSchema,
  webhookWithSecretSchema,
  webhookListSchema,
  webhookTrialSchema,
  deliverySchema,
  deliveryListSchema,
  deliveryDetailSchema,
  replayedSchema,
];
