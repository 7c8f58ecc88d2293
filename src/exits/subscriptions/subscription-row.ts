import type { Subscription } from '@medplum/fhirtypes';
import type { Environment } from '../../core/tenancy/tenant.js';
import type { DisabledReason } from '../http/index.js';
import type { PayloadContent } from './notification-bundle.js';
import type { SubscriptionFilter } from './subscription-filters.js';
import { topicOf } from './subscription-topics.js';
import type { KeptSubscription } from './subscription.js';

/** Everything about subscriptions `s` that meet `where`. Number 1 is the handshake, so that events are counted from the second delivery on. */
export function selectSubscriptions(where: string): string {
  return `select s.*, h.state as handshake_state, h.failures as handshake_failures, greatest(coalesce(q.last_number, 1) - 1, 0)::int as events,
      failure.id as failure_id, failure.status_code as failure_status, failure.fault as failure_fault
    from fhir_subscriptions s
    left join fhir_subscription_deliveries h on h.subscription_id = s.id and h.number = 1
    left join fhir_subscription_senders q on q.subscription_id = s.id
    left join lateral (select id, status_code, fault from fhir_subscription_attempts
      where subscription_id = s.id and not delivered and s.failing_since is not null order by at desc, id desc limit 1) failure on true
    where ${where}`;
}

export interface SubscriptionRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly version: number;
  readonly asked: Subscription;
  readonly base: string;
  readonly topic: string;
  readonly filters: SubscriptionFilter[];
  readonly content: PayloadContent;
  readonly url: string;
  readonly headers: string[];
  readonly timeout_s: number;
  readonly heartbeat_s: number | null;
  readonly max_count: number;
  readonly secret: Buffer;
  readonly is_off: boolean;
  readonly paused: boolean;
  readonly ends_at: Date | null;
  readonly told_from: Date;
  readonly disabled_for: DisabledReason | null;
  readonly updated_at: Date;
  readonly handshake_state: string | null;
  readonly handshake_failures: number | null;
  readonly events: number;
  readonly failure_id: string | null;
  readonly failure_status: number | null;
  readonly failure_fault: string | null;
}

export function toKept(row: SubscriptionRow): KeptSubscription {
  const topic = topicOf(row.topic);
  if (topic === undefined) throw new Error(`The database has a subscription of an unknown topic: ${row.id}.`);
  const { id, environment, version, asked, base, secret, filters, content, headers } = row;
  return {
    id,
    organizationId: row.organization_id,
    environment,
    version,
    asked,
    base,
    secret,
    request: {
      topic,
      filters: filters.map(asRead),
      channel: {
        endpoint: row.url,
        content,
        headers,
        timeoutS: row.timeout_s,
        heartbeatS: row.heartbeat_s,
        maxCount: row.max_count,
      },
      endsAt: row.ends_at,
      isOff: row.is_off,
    },
    eventsFrom: row.told_from,
    updatedAt: row.updated_at,
    isPaused: row.paused,
    disabled: row.disabled_for,
    facts: {
      handshake: handshakeOf(row),
      eventsSinceStart: row.events,
      failure: row.failure_id === null ? null : { statusCode: row.failure_status, fault: row.failure_fault },
    },
  };
}

function handshakeOf({ handshake_state: state, handshake_failures: failures }: SubscriptionRow) {
  if (state === 'delivered') return 'accepted';
  if (state !== 'waiting') return 'given-up';
  return failures === 0 ? 'waiting' : 'failed';
}

/** JSON leaves `system: undefined` out, which means any system. */
function asRead(filter: SubscriptionFilter): SubscriptionFilter {
  if (filter.by !== 'code') return filter;
  return { by: 'code', any: filter.any.map(({ system, code }) => ({ system, code })) };
}
