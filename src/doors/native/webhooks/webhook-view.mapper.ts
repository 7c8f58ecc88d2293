import type { z } from 'zod';
import {
  stateOf,
  toPublicKeyText,
  toSecretText,
  type AttemptRecord,
  type DeliveryRecord,
  type Webhook,
} from '../../../exits/webhooks/index.js';
import type { webhookSchema, webhookWithSecretSchema } from './webhooks.schema.js';

/** Without its secret. */
export function toWebhookView(webhook: Webhook): z.output<typeof webhookSchema> {
  const { id, url, types, content, schemes, disabled, failingSince, keys, former, createdAt } = webhook;
  return {
    id,
    url,
    types: [...types],
    content,
    signatures: [...schemes],
    state: stateOf(webhook),
    disabledAt: disabled?.at.toISOString() ?? null,
    disabledFor: disabled?.reason ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    publicKey: toPublicKeyText(keys.seed),
    previousKeysUntil: former[0]?.until.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** For the two answers that show the secret: of its creation and of its rotation. */
export function toWebhookWithSecretView(webhook: Webhook): z.output<typeof webhookWithSecretSchema> {
  return { ...toWebhookView(webhook), secret: toSecretText(webhook.keys.secret) };
}

export function toDeliveryView(record: DeliveryRecord): Record<string, unknown> {
  const { id, eventId, type, sequence, state, attempts, statusCode, fault, createdAt, nextAt, deliveredAt } = record;
  return {
    id,
    eventId,
    type,
    sequence,
    state,
    attempts,
    statusCode,
    fault,
    createdAt: createdAt.toISOString(),
    nextAt: state === 'waiting' ? nextAt.toISOString() : null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}

export function toDeliveryDetailView(
  record: DeliveryRecord,
  body: Buffer,
  attempts: readonly AttemptRecord[],
): Record<string, unknown> {
  return {
    ...toDeliveryView(record),
    body: JSON.parse(body.toString('utf8')) as unknown,
    log: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  };
}
