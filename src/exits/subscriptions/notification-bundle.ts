import type { Bundle, BundleEntry, Parameters, ParametersParameter, Resource } from '@medplum/fhirtypes';
import { BACKPORT_DEFINITIONS } from './subscription-topics.js';

/** How much a notification says: that something happened, which resources, or the resources themselves. */
export const PAYLOAD_CONTENTS = ['empty', 'id-only', 'full-resource'] as const;
export type PayloadContent = (typeof PAYLOAD_CONTENTS)[number];

export type SubscriptionStatus = 'requested' | 'active' | 'error' | 'off';
export type NotificationType = 'handshake' | 'heartbeat' | 'event-notification' | 'query-status' | 'query-event';

/** One version of a resource that a subscription tells of. */
export interface SubscriptionEvent {
  /** Counted by the subscription from 1, without gaps. */
  readonly number: number;
  readonly occurredAt: Date;
  /** `Type/id` of what changed. */
  readonly focus: string;
  readonly isFirstVersion: boolean;
  /** For `full-resource`: the resource, or null where it is gone. */
  readonly resource: Resource | null;
  /** For `full-resource`: what the topic's shape includes beside it, of the same version. */
  readonly included: readonly Resource[];
}

/** What the status of a notification states. */
export interface NotificationFacts {
  readonly subscriptionId: string;
  /** This server's address, without a slash at the end: `https://…/fhir`. */
  readonly base: string;
  /** Canonical URL. */
  readonly topic: string;
  readonly content: PayloadContent;
  readonly status: SubscriptionStatus;
  readonly type: NotificationType;
  /** The highest event number so far; 0: none. */
  readonly eventsSinceStart: number;
  readonly events: readonly SubscriptionEvent[];
  /** Why the subscription is in `error`, in words; null: it is not. */
  readonly error: string | null;
}

/** Ids and time of one Bundle, the same at every try. */
export interface BundleStamp {
  readonly bundleId: string;
  readonly statusId: string;
  readonly timestamp: Date;
}

/**
 * A notification of the R4 backport guide 1.1.0: a Bundle of the type `history` whose first entry is the status. bdl-3 and bdl-4 of R4 ask
 * for a request and a response of every entry.
 */
export function toNotification(facts: NotificationFacts, { bundleId, statusId, timestamp }: BundleStamp): Bundle {
  return {
    resourceType: 'Bundle',
    id: bundleId,
    meta: { profile: [`${BACKPORT_DEFINITIONS}/backport-subscription-notification-r4`] },
    type: 'history',
    timestamp: timestamp.toISOString(),
    entry: [statusEntry(facts, statusId), ...(facts.content === 'empty' ? [] : focusEntries(facts))],
  };
}

/** The status of a subscription as Parameters: first entry of a notification, and answer of `$status`. */
export function toStatus(facts: NotificationFacts, id: string): Parameters {
  const { base, subscriptionId, topic, content, status, type, eventsSinceStart, events, error } = facts;
  // The guide forbids it in `empty`, which says nothing but that something happened.
  const saysTopic = content !== 'empty' || type === 'query-status';
  return {
    resourceType: 'Parameters',
    id,
    meta: { profile: [`${BACKPORT_DEFINITIONS}/backport-subscription-status-r4`] },
    parameter: [
      { name: 'subscription', valueReference: { reference: `${base}/Subscription/${subscriptionId}` } },
      ...(saysTopic ? [{ name: 'topic', valueCanonical: topic }] : []),
      { name: 'status', valueCode: status },
      { name: 'type', valueCode: type },
      // R4 has no integer64; the guide's value is a string.
      { name: 'events-since-subscription-start', valueString: String(eventsSinceStart) },
      ...events.map((event) => eventParameter(event, base, content)),
      ...(error === null ? [] : [{ name: 'error', valueCodeableConcept: { text: error } }]),
    ],
  };
}

function eventParameter(event: SubscriptionEvent, base: string, content: PayloadContent): ParametersParameter {
  return {
    name: 'notification-event',
    part: [
      { name: 'event-number', valueString: String(event.number) },
      { name: 'timestamp', valueInstant: event.occurredAt.toISOString() },
      ...(content === 'empty' ? [] : [{ name: 'focus', valueReference: { reference: `${base}/${event.focus}` } }]),
      ...(content === 'full-resource'
        ? event.included.map((one) => ({
            name: 'additional-context',
            valueReference: { reference: `${base}/${addressOf(one)}` },
          }))
        : []),
    ],
  };
}

function statusEntry(facts: NotificationFacts, statusId: string): BundleEntry {
  return {
    fullUrl: `urn:uuid:${statusId}`,
    resource: toStatus(facts, statusId),
    request: { method: 'GET', url: `${facts.base}/Subscription/${facts.subscriptionId}/$status` },
    response: { status: '200' },
  };
}

/** One entry for each resource, with its last event's version (bdl-7: a Bundle has a fullUrl once), each focus before what is included with it. */
function focusEntries({ events, base, content }: NotificationFacts): BundleEntry[] {
  const last = new Map(events.map((event) => [event.focus, event]));
  return [...last.values()].flatMap(({ focus, isFirstVersion, resource, included }) => [
    entryOf(base, focus, isFirstVersion, content === 'full-resource' ? resource : null),
    ...(content === 'full-resource'
      ? included.map((one) => entryOf(base, addressOf(one), one.meta?.versionId === '1', one))
      : []),
  ]);
}

function entryOf(base: string, address: string, isFirstVersion: boolean, resource: Resource | null): BundleEntry {
  return {
    fullUrl: `${base}/${address}`,
    ...(resource === null ? {} : { resource }),
    request: isFirstVersion
      ? { method: 'POST', url: address.split('/', 1)[0] ?? address }
      : { method: 'PUT', url: address },
    response: { status: isFirstVersion ? '201' : '200' },
  };
}

function addressOf({ resourceType, id }: Resource): string {
  return `${resourceType}/${id!}`;
}
