import type { DiagnosticReport, Resource, Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { DeliveryQueue, PLAIN_BODIES } from '../kit/index.js';
import type { HttpColumns, HttpQueueDefinition } from '../http/index.js';
import { toNotification, type NotificationFacts } from './notification-bundle.js';
import type { KeptSubscription } from './subscription.js';

/** Notifies senders of new deliveries (payload: the subscription's id) and of changed subscriptions (empty payload). */
export const SUBSCRIPTION_CHANNEL = 'sutura_fhir_subscriptions_out';

/** Columns that a notification has beside those of every delivery. */
export interface NotificationColumns extends HttpColumns {
  readonly type: 'handshake' | 'event-notification';
}

const WRONG_STATE = { code: 'webhook.delivery_state' } as const;

/** The queue of notifications: first the handshake, then the events. The subject of an event is its resource, so that each version is sent once. */
export const SUBSCRIPTION_QUEUE: HttpQueueDefinition<NotificationColumns> = {
  deliveries: 'fhir_subscription_deliveries',
  attempts: 'fhir_subscription_attempts',
  endpoints: 'fhir_subscriptions',
  senders: 'fhir_subscription_senders',
  endpointId: 'subscription_id',
  body: 'body',
  ownColumns: { type: 'type', reportId: 'report_id' },
  attemptColumns: ['status_code', 'duration_ms', 'answer'],
  answerColumns: ['status_code'],
  channel: SUBSCRIPTION_CHANNEL,
  errors: {
    notFound: { code: 'webhook.delivery_not_found' },
    waits: WRONG_STATE,
    notWaiting: WRONG_STATE,
    notParked: WRONG_STATE,
    superseded: WRONG_STATE,
    endpointDeleted: WRONG_STATE,
    wrongEndpoint: WRONG_STATE,
    alreadyThere: WRONG_STATE,
    sealed: WRONG_STATE,
  },
};

/** A version of a resource to notify of. */
export interface ResourceVersion {
  readonly resource: DiagnosticReport | Task;
  readonly version: number;
  readonly occurredAt: Date;
  readonly reportId: string | null;
  /** What the topic's shape includes, of the same version, for Subscriptions that ask for whole resources. */
  readonly included: readonly Resource[];
}

/** Versions to notify one subscription of. */
export interface SubscriptionBatch {
  readonly subscription: KeptSubscription;
  readonly versions: readonly ResourceVersion[];
}

/** Puts notifications into the queue of their subscription, each with the next number. */
@Injectable()
export class SubscriptionQueue extends DeliveryQueue<NotificationColumns> {
  constructor(
    private readonly bundleIds: IdSource,
    private readonly clock: Clock,
  ) {
    super(SUBSCRIPTION_QUEUE, PLAIN_BODIES, bundleIds);
  }

  /** The first delivery of a subscription that was just made. */
  async enqueueHandshake(transaction: TenantTransaction, subscription: KeptSubscription): Promise<void> {
    const write = () => ({
      bytes: this.handshakeOf(subscription),
      columns: { type: 'handshake', report_id: null },
    });
    const { id } = subscription;
    await this.enqueue(transaction, endpointOf(subscription), [
      { subjectId: id, version: 1, lane: id, preliminary: false, write },
    ]);
  }

  /** Skips versions that were enqueued before; returns the others. */
  async enqueueEvents(
    transaction: TenantTransaction,
    batches: readonly SubscriptionBatch[],
  ): Promise<readonly SubscriptionBatch[]> {
    const written = batches.map(({ subscription }) => ({ subscription, versions: [] as ResourceVersion[] }));
    const deliveries = batches.map(({ subscription, versions }, index) => ({
      endpoint: endpointOf(subscription),
      deliveries: versions.map((one) => ({
        subjectId: one.resource.id!,
        version: one.version,
        lane: subscription.id,
        preliminary: false,
        write: (number: number) => {
          written[index]!.versions.push(one);
          return {
            // The handshake has the number 1.
            bytes: this.eventOf(subscription, one, number - 1),
            columns: { type: 'event-notification', report_id: one.reportId },
          };
        },
      })),
    }));
    await this.enqueueAll(transaction, deliveries);
    return written;
  }

  handshakeOf(subscription: KeptSubscription): Buffer {
    return this.bodyOf(subscription, { status: 'requested', type: 'handshake', eventsSinceStart: 0, events: [] });
  }

  /** States the last event's number, so that a receiver sees what it missed. */
  heartbeatOf(subscription: KeptSubscription): Buffer {
    const { eventsSinceStart } = subscription.facts;
    return this.bodyOf(subscription, { status: 'active', type: 'heartbeat', eventsSinceStart, events: [] });
  }

  private eventOf(subscription: KeptSubscription, change: ResourceVersion, number: number): Buffer {
    const { resource, version, occurredAt, included } = change;
    const event = {
      number,
      occurredAt,
      resource,
      included,
      focus: `${resource.resourceType}/${resource.id}`,
      isFirstVersion: version === 1,
    };
    return this.bodyOf(subscription, {
      status: 'active',
      type: 'event-notification',
      eventsSinceStart: number,
      events: [event],
    });
  }

  private bodyOf(
    { id, base, request }: KeptSubscription,
    facts: Pick<NotificationFacts, 'status' | 'type' | 'eventsSinceStart' | 'events'>,
  ): Buffer {
    const all = {
      subscriptionId: id,
      base,
      topic: request.topic.url,
      content: request.channel.content,
      error: null,
      ...facts,
    };
    const stamp = { bundleId: this.bundleIds.next(), statusId: this.bundleIds.next(), timestamp: this.clock.now() };
    return Buffer.from(JSON.stringify(toNotification(all, stamp)));
  }
}

function endpointOf({ id, organizationId, environment }: KeptSubscription) {
  return { id, organizationId, environment, collapse: false };
}
