import type { Subscription } from '@medplum/fhirtypes';
import type { Tenant } from '../../core/tenancy/tenant.js';
import type { DisabledReason } from '../http/index.js';
import type { SubscriptionStatus } from './notification-bundle.js';
import type { SubscriptionRequest } from './subscription-request.js';

/** What the deliveries of a subscription say of it. */
export interface DeliveryFacts {
  /** The handshake: not answered yet, accepted, answered in another way and to be tried again, or not to be tried again. */
  readonly handshake: 'waiting' | 'accepted' | 'failed' | 'given-up';
  /** The highest event number so far; 0: none. */
  readonly eventsSinceStart: number;
  /** The last failure since the last delivery; null: there was none. */
  readonly failure: { readonly statusCode: number | null; readonly fault: string | null } | null;
}

/** A Subscription of a tenant. */
export interface KeptSubscription extends Tenant {
  readonly id: string;
  /** From 1. */
  readonly version: number;
  /** As it was sent, without what the service says itself and without `channel.header`. */
  readonly asked: Subscription;
  readonly request: SubscriptionRequest;
  /** This server as the client addressed it, without a slash at the end. */
  readonly base: string;
  /** Of HMAC-SHA256; 32 bytes. */
  readonly secret: Buffer;
  /** What happened before is not told. */
  readonly eventsFrom: Date;
  readonly updatedAt: Date;
  /** By an operator: notifications are made and wait. */
  readonly isPaused: boolean;
  readonly disabled: DisabledReason | null;
  readonly facts: DeliveryFacts;
}

/** Nothing is told: its owner turned it off, or its end has passed. */
export function isOver({ request }: Pick<KeptSubscription, 'request'>, now: Date): boolean {
  return request.isOff || (request.endsAt !== null && request.endsAt <= now);
}

/** Nothing is sent before the handshake is made again. */
export function isGivenUp({ disabled, facts }: Pick<KeptSubscription, 'disabled' | 'facts'>): boolean {
  return disabled !== null || facts.handshake === 'given-up';
}

/** The status follows from what became of its deliveries. */
export function statusOf(subscription: KeptSubscription, now: Date): SubscriptionStatus {
  if (isOver(subscription, now)) return 'off';
  if (subscription.disabled !== null) return 'error';
  const { handshake } = subscription.facts;
  if (handshake === 'accepted') return 'active';
  return handshake === 'waiting' ? 'requested' : 'error';
}

const BEGIN_ANEW = 'Update the Subscription to begin anew.';

/** `Subscription.error`: what is wrong and what to do, in words; null: nothing is. */
export function errorOf({ disabled, isPaused, facts }: KeptSubscription): string | null {
  if (disabled === 'gone') return `The endpoint answered 410 Gone, so that nothing more is sent. ${BEGIN_ANEW}`;
  if (disabled === null && isPaused)
    return 'The operator of this service holds back what is sent to it. Notifications wait; ask them when it goes on.';
  const { failure, handshake } = facts;
  if (failure === null)
    return handshake === 'given-up' ? `The handshake was put aside, so that nothing more is sent. ${BEGIN_ANEW}` : null;
  const said =
    failure.statusCode === null
      ? `The endpoint did not answer: ${failure.fault ?? 'unknown'}.`
      : `The endpoint answered ${failure.statusCode}.`;
  if (disabled === 'failing') return `${said} It has failed for five days, so that nothing more is sent. ${BEGIN_ANEW}`;
  if (handshake === 'given-up')
    return `${said} The handshake was tried as often as it ever is, so that nothing more is sent. ${BEGIN_ANEW}`;
  return `${said} ${handshake === 'accepted' ? 'Notifications' : 'The handshake and all notifications'} wait and are tried again.`;
}

/** The resource as clients read it: `channel.header` is in no answer. */
export function toResource(subscription: KeptSubscription, now: Date): Subscription {
  const { id, version, updatedAt, asked } = subscription;
  const error = errorOf(subscription);
  const { resourceType, meta, ...rest } = asked;
  return {
    resourceType,
    id,
    meta: { ...meta, versionId: String(version), lastUpdated: updatedAt.toISOString() },
    ...rest,
    status: statusOf(subscription, now),
    ...(error === null ? {} : { error }),
  };
}

/** What is kept of a resource as it was sent. */
export function toAsked(sent: Subscription): Subscription {
  const { id: _id, meta, error: _error, channel, ...rest } = sent;
  const { header: _header, ...shownChannel } = channel ?? {};
  const { versionId: _version, lastUpdated: _lastUpdated, ...keptMeta } = meta ?? {};
  return {
    ...rest,
    ...(Object.keys(keptMeta).length === 0 ? {} : { meta: keptMeta }),
    channel: withoutHeaderExtensions(shownChannel),
  } as Subscription;
}

/** `_header` stands beside the header in JSON and may repeat it. */
function withoutHeaderExtensions(channel: object): object {
  return Object.fromEntries(Object.entries(channel).filter(([name]) => name !== '_header'));
}
