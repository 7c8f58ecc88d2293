import { asksForDocuments } from './subscription-channel.js';
import { topicOf } from './subscription-topics.js';
import type { SubscriptionFilter } from './subscription-filters.js';
import type { SubscriptionRequest } from './subscription-request.js';
import type { DeliveryFacts, KeptSubscription } from './subscription.js';

/** Everything about subscriptions `s` that meet `where`. Number 1 is the handshake, so that events are counted from the second delivery on. */
export function selectSubscriptions(where: string): string {
  return `select s.id, s.organization_id as "organizationId", s.environment, s.version, s.asked, s.base, s.secret, s.told_from as "eventsFrom",
      s.updated_at as "updatedAt", s.paused as "isPaused", s.disabled_for as disabled, s.topic, s.filters, s.ends_at as "endsAt", s.is_off as "isOff",
      json_build_object('endpoint', s.url, 'content', s.content, 'headers', s.headers, 'timeoutS', s.timeout_s, 'heartbeatS', s.heartbeat_s,
        'maxCount', s.max_count) as channel,
      h.state as "handshakeState", h.failures as "handshakeFailures", greatest(coalesce(q.last_number, 1) - 1, 0)::int as "eventsSinceStart",
      case when failure.id is not null then json_build_object('statusCode', failure.status_code, 'fault', failure.fault) end as failure
    from fhir_subscriptions s
    left join fhir_subscription_deliveries h on h.subscription_id = s.id and h.number = 1
    left join fhir_subscription_senders q on q.subscription_id = s.id
    left join lateral (select id, status_code, fault from fhir_subscription_attempts
      where subscription_id = s.id and not delivered and s.failing_since is not null order by at desc, id desc limit 1) failure on true
    where ${where}`;
}

export interface SubscriptionRow
  extends
    Omit<KeptSubscription, 'request' | 'facts'>,
    Omit<SubscriptionRequest, 'topic' | 'channel'>,
    Omit<DeliveryFacts, 'handshake'> {
  readonly topic: string;
  /** Without what stands in `asked` alone. */
  readonly channel: Omit<SubscriptionRequest['channel'], 'withDocuments'>;
  readonly handshakeState: string | null;
  readonly handshakeFailures: number | null;
}

export function toKept(row: SubscriptionRow): KeptSubscription {
  const { topic: name, filters, channel: columns, endsAt, isOff, eventsSinceStart, failure, ...rest } = row;
  const channel = { ...columns, withDocuments: asksForDocuments(row.asked.channel ?? {}) };
  const { handshakeState, handshakeFailures, ...subscription } = rest;
  const topic = topicOf(name);
  if (topic === undefined) throw new Error(`The database has a subscription of an unknown topic: ${row.id}.`);
  return {
    ...subscription,
    request: { topic, filters: filters.map(asRead), channel, endsAt, isOff },
    facts: { handshake: handshakeOf(handshakeState, handshakeFailures), eventsSinceStart, failure },
  };
}

function handshakeOf(state: string | null, failures: number | null): DeliveryFacts['handshake'] {
  if (state === 'delivered') return 'accepted';
  if (state !== 'waiting') return 'given-up';
  return failures === 0 ? 'waiting' : 'failed';
}

/** JSON leaves `system: undefined` out, which means any system. */
function asRead(filter: SubscriptionFilter): SubscriptionFilter {
  if (filter.by !== 'code') return filter;
  return { by: 'code', any: filter.any.map(({ system, code }) => ({ system, code })) };
}
