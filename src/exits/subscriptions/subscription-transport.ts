import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import type { DueDelivery } from '../kit/index.js';
import {
  EndpointCaller,
  HttpTransport,
  sharedSignatureOf,
  type HttpEndpoint,
  type HttpTrial,
  type SignedRequests,
} from '../http/index.js';
import { faultOfHeader } from './caller-headers.js';
import { NotificationDocuments } from './notification-documents.js';
import type { NotificationColumns } from './subscription-queue.js';
import type { KeptSubscription } from './subscription.js';

export type SubscriptionEndpoint = HttpEndpoint<KeptSubscription>;

/** Notifications over HTTP. The id of a message is that of its delivery. */
@Injectable()
export class SubscriptionTransport extends HttpTransport<KeptSubscription, NotificationColumns> {
  constructor(
    caller: EndpointCaller,
    clock: Clock,
    private readonly documents: NotificationDocuments,
  ) {
    super(caller, clock);
  }

  /** One request past the queue: a heartbeat, or to see whether the endpoint answers. */
  ping(subscription: KeptSubscription, body: Buffer, signal?: AbortSignal): Promise<HttpTrial> {
    return this.try(subscription, randomUUID(), body, signal);
  }

  protected requestsTo({ organizationId, request: { channel }, secret }: KeptSubscription): SignedRequests {
    return {
      organizationId,
      url: channel.endpoint,
      headers: {
        'user-agent': 'Sutura-Subscriptions/1.0',
        // Some were accepted by an earlier release, and are not sent.
        ...Object.fromEntries(channel.headers.map(splitHeader).filter(([name]) => faultOfHeader(name) === null)),
        'content-type': 'application/fhir+json',
      },
      timeoutMs: channel.timeoutS * 1000,
      sign: (content) => sharedSignatureOf(content, secret),
    };
  }

  protected override sentOf({ organizationId, environment, request }: KeptSubscription, body: Buffer): Promise<Buffer> {
    if (!request.channel.withDocuments) return Promise.resolve(body);
    return this.documents.fill({ organizationId, environment }, body);
  }

  protected messageIdOf({ id }: DueDelivery<NotificationColumns>): string {
    return id;
  }
}

/** `Name: value`, as it was accepted. */
function splitHeader(header: string): [name: string, value: string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon), header.slice(colon + 1).trim()];
}
