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
import { ResourceXml } from '../../standards/fhir/xml/resource-xml.js';
import { faultOfHeader } from './caller-headers.js';
import { JSON_PAYLOAD, XML_PAYLOAD } from './subscription-channel.js';
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
    private readonly xml: ResourceXml,
    private readonly documents: NotificationDocuments,
  ) {
    super(caller, clock);
  }

  /** One request past the queue: a heartbeat, or to see whether the endpoint answers. */
  ping(subscription: KeptSubscription, body: Buffer, signal?: AbortSignal): Promise<HttpTrial> {
    return this.try(subscription, randomUUID(), body, signal);
  }

  protected requestsTo({ organizationId, asked, request: { channel }, secret }: KeptSubscription): SignedRequests {
    return {
      organizationId,
      url: channel.endpoint,
      headers: {
        'user-agent': 'Sutura-Subscriptions/1.0',
        // Some were accepted by an earlier release, and are not sent.
        ...Object.fromEntries(channel.headers.map(splitHeader).filter(([name]) => faultOfHeader(name) === null)),
        'content-type': asked.channel?.payload ?? JSON_PAYLOAD,
      },
      timeoutMs: channel.timeoutS * 1000,
      sign: (content) => sharedSignatureOf(content, secret),
    };
  }

  /** Notifications are kept as JSON, without their documents. */
  protected override async sentOf(
    { organizationId, environment, asked, request }: KeptSubscription,
    kept: Buffer,
  ): Promise<Buffer> {
    const whole = request.channel.withDocuments
      ? await this.documents.fill({ organizationId, environment }, kept)
      : kept;
    if (asked.channel?.payload !== XML_PAYLOAD) return whole;
    return Buffer.from(this.xml.writeAtOnce(JSON.parse(whole.toString('utf8')) as object));
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
