import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../../core/ports/id-source.js';
import { SystemStatements, toJsonb } from '../../../../platform/database/statements.js';

/** The report of one gateway on one listener. */
export interface ListenerReport {
  readonly listenerId: string;
  /** The reason why it is not served: `EADDRINUSE`, `ENOENT`, `plain_not_allowed`; null: it is. */
  readonly reason: string | null;
  /** null: without TLS, or not served. */
  readonly certificateExpiresAt: Date | null;
}

/** The state of a listener, which has a port and is not paused, over all gateways. */
export interface ListenerStanding {
  readonly listenerId: string;
  /** At least one gateway serves it. */
  readonly served: boolean;
  /** The reason why none does; `no_gateway`: none has reported on it for half a minute. null: it is served. */
  readonly notServedReason: string | null;
  /** Whole days until its first certificate of all gateways expires, negative after that; null: unknown, or none. */
  readonly certificateDays: number | null;
}

/** For how long a listener has taken no message. */
export interface ListenerSilence {
  readonly listenerId: string;
  /** Since its last message that was not refused, or where its operator said what is normal, since it was made if none is kept. null: none is kept, and nobody has said. */
  readonly silentS: number | null;
  /** null: nobody has said. */
  readonly normalS: number | null;
}

/**
 * Gateways report every few seconds; the reports of one that fell silent stop counting after this time, and are
 * removed.
 */
const FRESH = `seen_at > sutura_now() - interval '30 seconds'`;
const FORGET = `delete from hl7_served_listeners where (gateway_id = $1 and not listener_id = any($2::uuid[])) or seen_at < sutura_now() - interval '10 minutes'`;
const TELL = `insert into hl7_served_listeners (listener_id, gateway_id, reason, certificate_expires_at, seen_at, since)
  select l.id, $1, r.reason, r."certificateExpiresAt", sutura_now(), sutura_now()
  from jsonb_to_recordset($2::jsonb) as r ("listenerId" uuid, reason text, "certificateExpiresAt" timestamptz) join hl7_listeners l on l.id = r."listenerId"
  on conflict (listener_id, gateway_id) do update set reason = excluded.reason, certificate_expires_at = excluded.certificate_expires_at, seen_at = excluded.seen_at,
    since = case when hl7_served_listeners.reason is distinct from excluded.reason then excluded.since else hl7_served_listeners.since end`;
const STANDINGS = `select "listenerId", served, case when served then null else coalesce(reason, 'no_gateway') end as "notServedReason",
    floor(extract(epoch from ends - sutura_now()) / 86400)::int as "certificateDays"
  from (select l.id as "listenerId", bool_or(s.listener_id is not null and s.reason is null) as served, min(s.reason) as reason, min(s.certificate_expires_at) as ends
    from hl7_listeners l left join hl7_served_listeners s on s.listener_id = l.id and s.${FRESH}
    where l.deleted_at is null and l.enabled and l.settings ->> 'port' is not null group by l.id) as told order by "listenerId"`;

/**
 * Those for HTTP alone only where their operator said what is normal, paused ones included: POST /hl7v2 is read by them all the same. A sender whose every message is
 * refused gets nothing through. The last message may have gone by age: then its silence is longer than that.
 */
const SILENCES = `select "listenerId", normal * 60 as "normalS",
    extract(epoch from sutura_now() - coalesce(last, case when normal is not null then created_at end))::float8 as "silentS"
  from (select l.id as "listenerId", l.created_at, l.settings ->> 'port' as port, (l.settings ->> 'normalSilenceMinutes')::int as normal, l.enabled,
      (select received_at from hl7_inbound where source_id = l.id and state <> 'failed' order by id desc limit 1) as last
    from hl7_listeners l where l.deleted_at is null and (l.enabled or (l.settings ->> 'http')::boolean)) heard
  where enabled and port is not null or normal is not null order by "listenerId"`;

/**
 * The listeners that gateways serve, reported by each and read by all: the command line runs in a process that serves
 * none.
 */
@Injectable()
export class ServedListeners {
  private readonly gatewayId: string;

  constructor(
    private readonly statements: SystemStatements,
    ids: IdSource,
  ) {
    this.gatewayId = ids.next();
  }

  /** Replaces all reports of this gateway. */
  async tell(reports: readonly ListenerReport[]): Promise<void> {
    await this.statements.run(FORGET, [this.gatewayId, reports.map(({ listenerId }) => listenerId)]);
    if (reports.length > 0) await this.statements.run(TELL, [this.gatewayId, toJsonb(reports)]);
  }

  /** By listener, without those that are paused, deleted or for HTTP alone. */
  async standings(): Promise<ReadonlyMap<string, ListenerStanding>> {
    const { rows } = await this.statements.run<ListenerStanding>(STANDINGS);
    return new Map(rows.map((row) => [row.listenerId, row]));
  }

  /** Without those that are paused, unless they read POST /hl7v2, or deleted. */
  async silences(): Promise<readonly ListenerSilence[]> {
    return (await this.statements.run<ListenerSilence>(SILENCES)).rows;
  }
}
