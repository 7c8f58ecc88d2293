import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../core/ports/id-source.js';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import { DeliveryControl, DeliveryQueue, Handover, PLAIN_BODIES } from '../../kit/index.js';
import type { HttpColumns, HttpQueueDefinition } from '../../http/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import { WEBHOOK_CHANNEL, type Webhook, type WebhookContent } from '../endpoints/webhook.js';

/** Columns that a webhook's delivery has beside those of every delivery. */
export interface WebhookColumns extends HttpColumns {
  readonly type: WebhookEventType;
}

const WRONG_STATE = { code: 'webhook.delivery_state' } as const;

/** The queue of webhooks. The subject of a delivery is its event, so that an endpoint gets each once. */
export const WEBHOOK_QUEUE: HttpQueueDefinition<WebhookColumns> = {
  deliveries: 'webhook_deliveries',
  attempts: 'webhook_attempts',
  endpoints: 'webhooks',
  senders: 'webhook_senders',
  endpointId: 'webhook_id',
  body: 'body',
  ownColumns: { type: 'type', reportId: 'report_id' },
  attemptColumns: ['status_code', 'duration_ms', 'answer'],
  answerColumns: ['status_code'],
  channel: WEBHOOK_CHANNEL,
  errors: {
    notFound: { code: 'webhook.delivery_not_found' },
    waits: WRONG_STATE,
    notWaiting: WRONG_STATE,
    notParked: WRONG_STATE,
    superseded: WRONG_STATE,
    endpointDeleted: { code: 'webhook.not_found' },
    wrongEndpoint: WRONG_STATE,
    alreadyThere: WRONG_STATE,
    sealed: WRONG_STATE,
  },
};

/** An event for one endpoint. */
export interface WebhookEvent {
  /** The same for every endpoint and at every try. */
  readonly id: string;
  readonly type: WebhookEventType;
  readonly timestamp: Date;
  readonly reportId: string | null;
  /** `data` but for `sequence`: ids of this service, codes and figures. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Beside it in `data` for endpoints with the content `full`: the caller's own ids, names and clinical text. */
  readonly text: Readonly<Record<string, unknown>>;
}

/** Events for one endpoint. */
export interface WebhookBatch {
  readonly webhook: Webhook;
  readonly events: readonly WebhookEvent[];
}

/** Puts events into the queue of their endpoints. */
@Injectable()
export class WebhookQueue extends DeliveryQueue<WebhookColumns> {
  constructor(ids: IdSource) {
    super(WEBHOOK_QUEUE, PLAIN_BODIES, ids, new Handover());
  }

  /** Skips events that were enqueued before; returns the others. `data.sequence` rises with each delivery of the endpoint. */
  async enqueueEvents(transaction: Transaction, batches: readonly WebhookBatch[]): Promise<readonly WebhookBatch[]> {
    const written = batches.map(({ webhook }) => ({ webhook, events: [] as WebhookEvent[] }));
    const queued = batches.map(({ webhook, events }, index) => {
      const { id, organizationId, environment, content } = webhook;
      const deliveries = events.map((event) => ({
        subjectId: event.id,
        version: 1,
        lane: id,
        preliminary: false,
        write: (number: number) => {
          written[index]!.events.push(event);
          return { bytes: bodyOf(event, content, number), columns: { type: event.type, report_id: event.reportId } };
        },
      }));
      return { endpoint: { id, organizationId, environment, collapse: false }, deliveries };
    });
    await this.enqueueAll(transaction, queued);
    return written;
  }
}

/** Receivers may refuse a larger body (Standard Webhooks, "Payload structure"). */
const MOST_BODY_BYTES = 20_000;

function bodyOf({ type, timestamp, data, text }: WebhookEvent, content: WebhookContent, sequence: number): Buffer {
  const bytesOf = (more: Readonly<Record<string, unknown>>): Buffer =>
    Buffer.from(JSON.stringify({ type, timestamp: timestamp.toISOString(), data: { ...data, sequence, ...more } }));
  if (content === 'ids') return bytesOf({});
  const full = bytesOf(text);
  return full.length <= MOST_BODY_BYTES ? full : bytesOf({ truncated: true });
}

/** What people do with single deliveries, over all tenants: callers reach it through WebhookService alone. */
@Injectable()
export class WebhookControl extends DeliveryControl<WebhookColumns> {
  constructor(statements: SystemStatements, unitOfWork: UnitOfWork, queue: WebhookQueue) {
    super(WEBHOOK_QUEUE, statements, unitOfWork, queue, PLAIN_BODIES);
  }
}
