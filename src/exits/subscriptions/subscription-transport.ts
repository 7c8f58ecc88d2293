import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import type { Columns, Connection, DueDelivery, Outcome, SendingEndpoint, Silence, Transport } from '../kit/index.js';
import {
  EndpointCaller,
  NoAnswerError,
  KeptConnections,
  meaningOf,
  sharedSignatureOf,
  type EndpointAnswer,
  type EndpointCall,
} from '../http/index.js';
import { presentTraceparent } from '../../platform/tracing/spans.js';
import type { NotificationColumns } from './subscription-queue.js';
import type { KeptSubscription } from './subscription.js';

/** A subscription as its sender knows it. */
export interface SubscriptionEndpoint extends SendingEndpoint {
  readonly subscription: KeptSubscription;
}

/** The part of an answer that is kept. */
export interface NotificationAnswer extends Pick<EndpointAnswer, 'status' | 'beginning'> {
  readonly durationMs: number;
}

/** What became of one request past the queue. */
export interface NotificationTrial {
  readonly reached: boolean;
  /** null: there was no answer. */
  readonly status: number | null;
  /** The status, or why there was none. */
  readonly said: string;
}

/** Notifications over HTTP, signed by Standard Webhooks 1.0.0: the id is that of the delivery, the same at every try. */
@Injectable()
export class SubscriptionTransport implements Transport<SubscriptionEndpoint, NotificationColumns, NotificationAnswer> {
  constructor(
    private readonly caller: EndpointCaller,
    private readonly clock: Clock,
  ) {}

  open({ subscription }: SubscriptionEndpoint): Promise<Connection<NotificationColumns, NotificationAnswer>> {
    const abort = new AbortController();
    const way = { signal: abort.signal, kept: new KeptConnections() };
    return Promise.resolve({
      send: async ({ id, bytes }) => {
        const began = performance.now();
        const { retryAfterMs, status, beginning } = await this.post(subscription, id, bytes, way);
        const durationMs = Math.round(performance.now() - began);
        const asked = retryAfterMs === null ? {} : { retryAfterMs };
        return { meaning: meaningOf(status), answer: { status, beginning, durationMs }, ...asked };
      },
      close: () => {
        abort.abort();
        way.kept.close();
      },
    });
  }

  /** One request past the queue: a heartbeat, or to see whether the endpoint answers. */
  async try(
    subscription: KeptSubscription,
    body: Buffer,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<NotificationTrial> {
    try {
      const { status } = await this.post(subscription, randomUUID(), body, { signal });
      return { reached: meaningOf(status) === 'accepted', status, said: String(status) };
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      return { reached: false, status: null, said: error.fault };
    }
  }

  private post(
    { request: { channel }, secret }: KeptSubscription,
    id: string,
    body: Buffer,
    way: Pick<EndpointCall, 'signal' | 'kept'>,
  ): Promise<EndpointAnswer> {
    const timestampS = Math.floor(this.clock.now().getTime() / 1000);
    const traceparent = presentTraceparent();
    return this.caller.post({
      url: channel.endpoint,
      body,
      headers: {
        'user-agent': 'Sutura-Subscriptions/1.0',
        ...Object.fromEntries(channel.headers.map(splitHeader)),
        'content-type': 'application/fhir+json',
        'webhook-id': id,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': sharedSignatureOf({ id, timestampS, body }, secret),
        ...(traceparent === null ? {} : { traceparent }),
      },
      timeoutMs: channel.timeoutS * 1000,
      ...way,
    });
  }

  silenceOf(error: unknown): Silence {
    if (!(error instanceof NoAnswerError)) return { kind: 'silent', fault: 'not_sent', mayHaveArrived: false };
    return { kind: 'silent', fault: error.fault, mayHaveArrived: error.mayHaveArrived };
  }

  reportOf({ reportId }: DueDelivery<NotificationColumns>): string | null {
    return reportId;
  }

  columnsOf(_deliveryId: string, outcome: Outcome<NotificationAnswer>): Columns {
    if (outcome.kind === 'silent') return { status_code: null, duration_ms: null, answer: null };
    const { status, durationMs, beginning } = outcome.answer;
    return { status_code: status, duration_ms: durationMs, answer: beginning };
  }
}

/** `Name: value`, as it was accepted. */
function splitHeader(header: string): [name: string, value: string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon), header.slice(colon + 1).trim()];
}
