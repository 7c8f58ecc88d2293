import type { OpenAPIObject } from '@nestjs/swagger';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import { schemaReference } from '../route/json-schema.js';
import { EVENTS, eventSchemaOf } from './event.schemas.js';

const HEADERS = {
  'webhook-id': 'Of the event: the same at every try, and for every webhook.',
  'webhook-timestamp': 'Unix seconds of this attempt; refuse what is older than five minutes.',
  'webhook-signature': 'One or more signatures of id.timestamp.body, separated by spaces.',
};
const RESPONSES = {
  '2XX': { description: 'You have it.' },
  410: { description: 'You never want an event again: the webhook is disabled.' },
  default: { description: 'It is sent again for three days; Retry-After is kept.' },
};

/** The `webhooks` of OpenAPI 3.1: requests that this service makes, by the type of the event. */
export const EVENT_PATHS: NonNullable<OpenAPIObject['webhooks']> = Object.fromEntries(
  Object.entries(EVENTS).map(([type, { summary }]) => [
    type,
    {
      post: {
        operationId: `on.${type}`,
        tags: ['webhooks'],
        summary,
        security: [],
        parameters: Object.entries(HEADERS).map(([name, description]) => ({
          name,
          in: 'header' as const,
          required: true,
          description,
          schema: { type: 'string' as const },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaReference(eventSchemaOf(type as WebhookEventType)) } },
        },
        responses: RESPONSES,
      },
    },
  ]),
);
