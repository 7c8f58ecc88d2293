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
  /** Of a delivery with `delivered_at`: it was not refused later. */
  readonly isTaken: string;
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
    // One that was accepted, refused later and sent again keeps the time of the first acceptance until there is another.
    isTaken: `(application_code is null or application_code not in ('AE', 'AR')) and (state = 'delivered' or not history @> '[{"what": "refused_later"}]')`,
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
    isTaken: 'true',
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
    isTaken: 'true',
    isMeant: 'not endpoint.is_off and (endpoint.ends_at is null or endpoint.ends_at > sutura_now())',
  },
  {
    exit: 'ehr',
    endpoints: 'ehrs',
    deliveries: 'ehr_deliveries',
    senders: 'ehr_senders',
    endpointId: 'ehr_id',
    name: 'endpoint.name',
    address: 'endpoint.fhir_base_url',
    isPaused: `(endpoint.push_paused or (endpoint.push ->> 'enabled')::boolean is not true)`,
    hasCertificates: 'false',
    disabledFor: 'null::text',
    disabledAt: 'null::timestamptz',
    failingSince: 'null::timestamptz',
    answer: 'coalesce(held_for, answer_codes)',
    isTaken: 'true',
    // What is left where push was switched off may be the withdrawal of what stands in a chart.
    isMeant: `((endpoint.push ->> 'enabled')::boolean is true or queue.waiting > 0 or queue.parked > 0)`,
  },
];

/**
 * Failures since a person sent it again: the first, the last, and the first after the receiver last took something. Of one that was sent again and
 * not tried since there is none, whatever the answer before; one that is only tried sooner goes on failing. Of several in a row that are kept as
 * one, the first after the acceptance is not kept: it is then the acceptance that they began after.
 */
const FAILURES = `(select min(began) as first_at, max(ended) as last_at, min(greatest(began, taken.at)) filter (where ended > coalesce(taken.at, '-infinity')) as after_at
  from (select (entry.said ->> 'at')::timestamptz as began, coalesce(entry.said ->> 'until', entry.said ->> 'at')::timestamptz as ended
    from jsonb_array_elements(history) with ordinality entry (said, place)
    where entry.said ->> 'what' in ('refused', 'no_answer', 'refused_later') and entry.place > coalesce((select max(again.place)
      from jsonb_array_elements(history) with ordinality again (said, place) where again.said ->> 'what' in ('replayed', 'requeued')), 0)) entries) failures`;
/** As the index of what waits alone has it: however many are parked before. */
const OF_WAITING = 'number + 0';
const HAS_FAILED = `(failures > 0 or refusals > 0 or history -> -1 ->> 'what' = 'retried')`;

/** Each by the index of what waits or is parked, or of what was taken: a long history costs nothing. */
function receiversOf(tables: ExitTables): string {
  const { exit, endpoints, deliveries, senders, endpointId, name, address, isTaken, isMeant } = tables;
  return `select endpoint.id, '${exit}' as exit, endpoint.organization_id as "organizationId", endpoint.environment, ${name} as name, ${address} as address,
      ${tables.isPaused} as "isPaused", ${tables.hasCertificates} as "hasCertificates", ${tables.disabledFor} as "disabledFor", ${tables.disabledAt} as "disabledAt",
      queue.waiting, queue."oldestWaitingAt", queue.parked, queue."oldestParkedAt",
      coalesce(${tables.failingSince}, failed.since) as "failingSince", failed.fault as "lastFault", failed.answer as "lastAnswer",
      taken.at as "lastAcceptedAt", coalesce(sender.lease_until > sutura_now(), false) as "isServed"
    from ${endpoints} endpoint
    left join ${senders} sender on sender.${endpointId} = endpoint.id
    ${queueOf(tables)}
    left join lateral (select delivered_at as at from (select delivered_at, ${isTaken} as is_taken from ${deliveries}
        where ${endpointId} = endpoint.id and delivered_at is not null order by delivered_at desc limit ${MOST_COUNTED}) newest
      where is_taken order by delivered_at desc limit 1) taken on true
    left join lateral (${failureOf(tables)}) failed on true
    where endpoint.deleted_at is null and ${isMeant}`;
}

/**
 * What waits and what is parked, each up to a bound of its own. Both are counted by their indexes alone; none has what is parked by itself, which is
 * therefore the rest, or, where more waits than is counted, what is found among the oldest.
 */
function queueOf({ deliveries, endpointId }: ExitTables): string {
  const pending = (state: string) => `from ${deliveries} where ${endpointId} = endpoint.id and state ${state}`;
  const both = pending(`in ('waiting', 'parked')`);
  const oldest = (state: string, order: string) =>
    `select created_at ${pending(`= '${state}'`)} order by ${order} limit 1`;
  return `cross join lateral (select (select count(*)::int from (select 1 ${pending(`= 'waiting'`)} limit ${MOST_COUNTED}) one) as waiting,
        (select count(*)::int from (select 1 ${both} limit ${2 * MOST_COUNTED}) one) as pending) counted
    cross join lateral (select case when counted.waiting < ${MOST_COUNTED} then least(counted.pending - counted.waiting, ${MOST_COUNTED})
        else (select count(*) filter (where state = 'parked')::int from (select state ${both} order by number limit ${MOST_COUNTED}) one) end as parked) rest
    cross join lateral (select counted.waiting, rest.parked, case when counted.waiting > 0 then (${oldest('waiting', OF_WAITING)}) end as "oldestWaitingAt",
        case when rest.parked > 0 then (${oldest('parked', 'number')}) end as "oldestParkedAt") queue`;
}

/**
 * What was tried last of what waits, and of what is parked where nothing was taken since; since the first failure of all that failed after the last
 * acceptance, so that an old one that others passed does not hide that nothing is taken any more.
 */
function failureOf({ deliveries, endpointId, answer }: ExitTables): string {
  const pending = (state: string, order: string) =>
    `(select * from ${deliveries} where ${endpointId} = endpoint.id and state = '${state}' order by ${order} limit ${LOOKED_AT})`;
  const shown = `number, fault, ${answer} as answer, coalesce(after_at, first_at, sent_at, created_at) as since, coalesce(last_at, sent_at, created_at) as latest`;
  return `select fault, answer, min(since) over (partition by latest > coalesce(taken.at, '-infinity')) as since
      from (select ${shown} from ${pending('waiting', OF_WAITING)} oldest cross join lateral ${FAILURES} where attempts > 0 and ${HAS_FAILED}
        union all select ${shown} from ${pending('parked', 'number desc')} newest cross join lateral ${FAILURES}
          where queue.parked > 0 and parked_for in ('refused', 'refused_later') and coalesce(last_at, sent_at, created_at) > coalesce(taken.at, '-infinity')) tried
      order by latest desc, number limit 1`;
}

/** Every endpoint that is meant to be sent to, of all exits, in one statement. */
export const RECEIVERS = EXITS.map(receiversOf).join('\n  union all ');
