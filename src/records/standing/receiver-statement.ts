import { MOST_COUNTED } from '../../core/standing/standing-facts.js';

/** Of the deliveries that wait longest, and of those that were parked last, so many are looked at for one that was tried. */
const LOOKED_AT = 100;

/** The tables of one exit; all have the columns of the delivery kit. */
interface ExitTables {
  readonly exit: string;
  readonly endpoints: string;
  readonly deliveries: string;
  readonly senders: string;
  readonly endpointId: string;
  readonly name: string;
  readonly address: string;
  readonly isPaused: string;
  readonly hasCertificates: string;
  readonly disabledFor: string;
  readonly disabledAt: string;
  /** The exit's own mark of a failure; null: it has none, and the queue tells. */
  readonly failingSince: string;
  readonly answer: string;
  /** Endpoints that are meant to be sent to. */
  readonly isMeant: string;
}

/** By its number, which is always the first: by its type all deliveries of a Subscription would be read. */
const HANDSHAKE_GIVEN_UP = `exists (select from fhir_subscription_deliveries handshake where handshake.subscription_id = endpoint.id
    and handshake.number = 1 and handshake.state in ('parked', 'discarded'))`;

const EXITS: readonly ExitTables[] = [
  {
    exit: 'hl7',
    endpoints: 'hl7_destinations',
    deliveries: 'hl7_outbox',
    senders: 'hl7_senders',
    endpointId: 'destination_id',
    name: 'endpoint.name',
    address: `concat_ws(':', endpoint.settings ->> 'host', endpoint.settings ->> 'port')`,
    isPaused: 'not endpoint.enabled',
    hasCertificates: `coalesce(endpoint.settings -> 'tls' ->> 'certFile', endpoint.settings -> 'tls' ->> 'caFile') is not null`,
    disabledFor: 'null::text',
    disabledAt: 'null::timestamptz',
    failingSince: 'null::timestamptz',
    answer: 'coalesce(application_code, ack_code)',
    isMeant: 'true',
  },
  {
    exit: 'webhook',
    endpoints: 'webhooks',
    deliveries: 'webhook_deliveries',
    senders: 'webhook_senders',
    endpointId: 'webhook_id',
    name: 'null::text',
    address: 'endpoint.url',
    isPaused: 'endpoint.paused',
    hasCertificates: 'false',
    disabledFor: 'endpoint.disabled_for',
    disabledAt: 'endpoint.disabled_at',
    failingSince: 'endpoint.failing_since',
    answer: 'status_code::text',
    isMeant: 'true',
  },
  {
    exit: 'subscription',
    endpoints: 'fhir_subscriptions',
    deliveries: 'fhir_subscription_deliveries',
    senders: 'fhir_subscription_senders',
    endpointId: 'subscription_id',
    name: 'null::text',
    address: 'endpoint.url',
    isPaused: 'endpoint.paused',
    hasCertificates: 'false',
    disabledFor: `coalesce(endpoint.disabled_for, case when ${HANDSHAKE_GIVEN_UP} then 'handshake' end)`,
    disabledAt: 'endpoint.disabled_at',
    failingSince: 'endpoint.failing_since',
    answer: 'status_code::text',
    isMeant: 'not endpoint.is_off and (endpoint.ends_at is null or endpoint.ends_at > sutura_now())',
  },
];

/**
 * The first failure since a person sent it again. Of one that was sent again and not tried since there is none, whatever the answer before; one
 * that is only tried sooner goes on failing.
 */
const FIRST_FAILURE = `(select min((entry.said ->> 'at')::timestamptz) from jsonb_array_elements(history) with ordinality entry (said, place)
    where entry.said ->> 'what' in ('refused', 'no_answer') and entry.place > coalesce((select max(again.place)
      from jsonb_array_elements(history) with ordinality again (said, place) where again.said ->> 'what' in ('replayed', 'requeued')), 0))`;
const HAS_FAILED = `(failures > 0 or refusals > 0 or history -> -1 ->> 'what' = 'retried')`;

/** Each by the index of what waits or is parked, or of what was taken: a long history costs nothing. */
function receiversOf(tables: ExitTables): string {
  const { exit, endpoints, deliveries, senders, endpointId, name, address, answer, isMeant } = tables;
  const pending = (state: string) => `from ${deliveries} where ${endpointId} = endpoint.id and state ${state}`;
  return `select endpoint.id, '${exit}' as exit, endpoint.organization_id as "organizationId", endpoint.environment, ${name} as name, ${address} as address,
      ${tables.isPaused} as "isPaused", ${tables.hasCertificates} as "hasCertificates", ${tables.disabledFor} as "disabledFor", ${tables.disabledAt} as "disabledAt",
      queue.waiting, queue."oldestWaitingAt", queue.parked, queue."oldestParkedAt",
      coalesce(${tables.failingSince}, tried.since, refused.since) as "failingSince",
      case when tried.since is null then refused.fault else tried.fault end as "lastFault",
      case when tried.since is null then refused.answer else tried.answer end as "lastAnswer",
      taken.at as "lastAcceptedAt", coalesce(sender.lease_until > sutura_now(), false) as "isServed"
    from ${endpoints} endpoint
    left join ${senders} sender on sender.${endpointId} = endpoint.id
    cross join lateral (select count(*) filter (where state = 'waiting')::int as waiting, min(created_at) filter (where state = 'waiting') as "oldestWaitingAt",
        count(*) filter (where state = 'parked')::int as parked, min(created_at) filter (where state = 'parked') as "oldestParkedAt"
      from (select state, created_at ${pending(`in ('waiting', 'parked')`)} order by number limit ${MOST_COUNTED}) counted) queue
    left join lateral (select max(delivered_at) as at from ${deliveries} where ${endpointId} = endpoint.id and delivered_at is not null) taken on true
    left join lateral (select fault, ${answer} as answer, coalesce(${FIRST_FAILURE}, sent_at, created_at) as since
      from (select * ${pending(`= 'waiting'`)} order by number limit ${LOOKED_AT}) oldest
      where attempts > 0 and ${HAS_FAILED} order by number limit 1) tried on true
    left join lateral (select fault, ${answer} as answer, coalesce(sent_at, created_at) as since
      from (select * ${pending(`= 'parked'`)} order by number desc limit ${LOOKED_AT}) newest
      where parked_for = 'refused' and coalesce(sent_at, created_at) > coalesce(taken.at, '-infinity') order by number limit 1) refused on true
    where endpoint.deleted_at is null and ${isMeant}`;
}

/** Every endpoint that is meant to be sent to, of all exits, in one statement. */
export const RECEIVERS = EXITS.map(receiversOf).join('\n  union all ');
