import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../statements.js';

/** The part of an audit row that describes a request. */
export interface AuditedRequest {
  readonly organizationId: string;
  readonly environment: Tenant['environment'];
  readonly at: Date;
  readonly door: 'rest' | 'fhir' | 'hl7v2' | 'admin' | 'cli';
  readonly interaction: string;
  readonly keyId: string;
  readonly requestId: string | null;
  readonly resources: readonly string[];
  readonly refusal: string | null;
}

/** A range of rows by their numbers, both included. */
interface Window {
  readonly first: bigint;
  readonly last: bigint;
}

const COLUMNS = `organization_id as "organizationId", environment, recorded_at as at, door, interaction, key_id as "keyId", request_id as "requestId", resources, refusal`;
const ENDS = 'select min(id)::text as first, max(id)::text as last from audit_events';
/** From $1 to $2, not older than $3, by bisection: one round trip, however long the trail is. */
const FIRST_AT = `with recursive step (low, high) as (
    select $1::bigint, $2::bigint
    union all select case when found.id is null or found.recorded_at >= $3 then step.low else found.id + 1 end,
        case when found.id is null or found.recorded_at >= $3 then (step.low + step.high) / 2 else step.high end
      from step left join lateral (select id, recorded_at from audit_events where id >= (step.low + step.high) / 2 order by id limit 1) found on true
      where step.low < step.high)
  select low::text as id from step where low >= high limit 1`;
const WRITING = `select ${COLUMNS} from audit_events where organization_id = $1 and environment = $2 and id between $3 and $4
  and action <> 'R' and refusal is null and resources @> array[$5] order by id limit 1`;
const DELETING = WRITING.replace("action <> 'R'", "action = 'D'");
const OF_REQUEST = `select ${COLUMNS} from audit_events where id between $1 and $2 and request_id = $3 order by id limit 100`;

/** Longest transaction that records an access: so much later may a row with a lower number be written. */
const SLACK_MS = 60_000;
/** Longest request, such as an upload over a slow line. */
const LONGEST_REQUEST_MS = 15 * 60_000;
const NEWEST_ROWS = 500_000n;
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Finds rows of the audit trail by their time. Rows are numbered as they are written, so the index of their numbers
 * is enough.
 */
export class AuditWindow {
  constructor(private readonly statements: SystemStatements) {}

  /** The first access that wrote this resource about this time; null if the trail has none. */
  firstWriting({ organizationId, environment }: Tenant, resource: string, at: Date): Promise<AuditedRequest | null> {
    return this.about(WRITING, { organizationId, environment }, resource, at);
  }

  /** The access that deleted this resource about this time; null if the trail has none. */
  deleting(tenant: Tenant, resource: string, at: Date): Promise<AuditedRequest | null> {
    return this.about(DELETING, tenant, resource, at);
  }

  private async about(
    sql: string,
    { organizationId, environment }: Tenant,
    resource: string,
    at: Date,
  ): Promise<AuditedRequest | null> {
    const window = await this.between(at.getTime() - SLACK_MS, at.getTime() + SLACK_MS);
    if (window === null) return null;
    const { rows } = await this.statements.run<AuditedRequest>(sql, [
      organizationId,
      environment,
      String(window.first),
      String(window.last),
      resource,
    ]);
    return rows[0] ?? null;
  }

  /** The accesses of a request. An id given by a caller is looked for in the newest half million rows only. */
  async ofRequest(requestId: string): Promise<AuditedRequest[]> {
    const begunMs = millisecondsOf(requestId);
    const window =
      begunMs === null ? await this.newest() : await this.between(begunMs - SLACK_MS, begunMs + LONGEST_REQUEST_MS);
    if (window === null) return [];
    return (
      await this.statements.run<AuditedRequest>(OF_REQUEST, [String(window.first), String(window.last), requestId])
    ).rows;
  }

  private async newest(): Promise<Window | null> {
    const ends = await this.ends();
    return ends === null ? null : { first: ends.last - NEWEST_ROWS, last: ends.last };
  }

  private async between(fromMs: number, toMs: number): Promise<Window | null> {
    const ends = await this.ends();
    if (ends === null) return null;
    const [first, last] = await Promise.all([this.firstAt(fromMs, ends), this.firstAt(toMs, ends)]);
    return { first, last };
  }

  private async ends(): Promise<Window | null> {
    const { first = null, last = null } =
      (await this.statements.run<{ first: string | null; last: string | null }>(ENDS)).rows[0] ?? {};
    return first === null || last === null ? null : { first: BigInt(first), last: BigInt(last) };
  }

  /** The number of the first row that is not older; the last row's if all are. */
  private async firstAt(atMs: number, { first, last }: Window): Promise<bigint> {
    const values = [String(first), String(last), new Date(atMs)];
    const { rows } = await this.statements.run<{ id: string }>(FIRST_AT, values);
    return rows[0] === undefined ? last : BigInt(rows[0].id);
  }
}

/** The time at which an id of this service was made. */
function millisecondsOf(id: string): number | null {
  const [, high, low] = UUID_V7.exec(id) ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16);
}
