import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import type {
  Columns,
  Connection,
  DueDelivery,
  Outcome,
  SendingEndpoint,
  Silence,
  Transport,
} from '../../kit/index.js';
import {
  EndpointCaller,
  NoAnswerError,
  KeptConnections,
  meaningOf,
  signaturesOf,
  type EndpointAnswer,
  type EndpointCall,
} from '../../http/index.js';
import { presentTraceparent } from '../../../platform/tracing/spans.js';
import { signingKeysOf, type Webhook } from '../endpoints/webhook.js';
import type { WebhookColumns } from '../queue/webhook-queue.js';

/** An endpoint as its sender knows it. */
export interface WebhookEndpoint extends SendingEndpoint {
  readonly webhook: Webhook;
}

/** The part of an answer that is kept. */
export interface WebhookAnswer extends Pick<EndpointAnswer, 'status' | 'beginning'> {
  readonly durationMs: number;
}

/** Webhooks over HTTP, as the senders of deliveries need it. */
@Injectable()
export class WebhookTransport implements Transport<WebhookEndpoint, WebhookColumns, WebhookAnswer> {
  constructor(
    private readonly caller: EndpointCaller,
    private readonly clock: Clock,
  ) {}

  open({ webhook }: WebhookEndpoint): Promise<Connection<WebhookColumns, WebhookAnswer>> {
    const abort = new AbortController();
    const way = { signal: abort.signal, kept: new KeptConnections() };
    return Promise.resolve({
      send: async ({ subjectId, bytes }) => {
        const { retryAfterMs, ...answer } = await this.post(webhook, subjectId, bytes, way);
        const asked = retryAfterMs === null ? {} : { retryAfterMs };
        return { meaning: meaningOf(answer.status), answer, ...asked };
      },
      close: () => {
        abort.abort();
        way.kept.close();
      },
    });
  }

  /** One signed request. Rejects with NoAnswerError where there was no answer. */
  async post(
    webhook: Webhook,
    eventId: string,
    body: Buffer,
    way: Pick<EndpointCall, 'signal' | 'kept'> = {},
  ): Promise<WebhookAnswer & Pick<EndpointAnswer, 'retryAfterMs'>> {
    const began = performance.now();
    const now = this.clock.now();
    const timestampS = Math.floor(now.getTime() / 1000);
    const traceparent = presentTraceparent();
    const answer = await this.caller.post({
      url: webhook.url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Sutura-Webhooks/1.0',
        'webhook-id': eventId,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': signaturesOf(
          { id: eventId, timestampS, body },
          webhook.schemes,
          signingKeysOf(webhook, now),
        ),
        ...(traceparent === null ? {} : { traceparent }),
      },
      ...way,
    });
    return { ...answer, durationMs: Math.round(performance.now() - began) };
  }

  silenceOf(error: unknown): Silence {
    if (!(error instanceof NoAnswerError)) return { kind: 'silent', fault: 'not_sent', mayHaveArrived: false };
    return { kind: 'silent', fault: error.fault, mayHaveArrived: error.mayHaveArrived };
  }

  reportOf({ reportId }: DueDelivery<WebhookColumns>): string | null {
    return reportId;
  }

  columnsOf(_deliveryId: string, outcome: Outcome<WebhookAnswer>): Columns {
    if (outcome.kind === 'silent') return { status_code: null, duration_ms: null, answer: null };
    const { status, durationMs, beginning } = outcome.answer;
    return { status_code: status, duration_ms: durationMs, answer: beginning };
  }
}
