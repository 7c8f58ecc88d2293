import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../statements.js';

/** What a row of the audit trail says of a request. */
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
const NEXT = 'select id::text, recorded_at as at from audit_events where id >= $1 order by id limit 1';
const WRITING = `select ${COLUMNS} from audit_events where organization_id = $1 and environment = $2 and id between $3 and $4
  and action <> 'R' and refusal is null and resources @> array[$5] order by id limit 1`;
const OF_REQUEST = `select ${COLUMNS} from audit_events where id between $1 and $2 and request_id = $3 order by id limit 100`;

/** Rows of other transactions may have lower numbers and later times: a transaction that records an access does not live longer. */
const SLACK_MS = 60_000;
/** A request may take as long, an upload over a slow line. */
const LONGEST_REQUEST_MS = 15 * 60_000;
const NEWEST_ROWS = 500_000n;
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Finds rows of the audit trail by their time: rows are numbered as they are written, so that no index but that of their numbers is needed. */
export class AuditWindow {
  constructor(private readonly statements: SystemStatements) {}

  /** The first access that wrote this resource, about this time; null: the trail does not say. */
  async firstWriting(
    { organizationId, environment }: Tenant,
    resource: string,
    at: Date,
  ): Promise<AuditedRequest | null> {
    const window = await this.between(at.getTime() - SLACK_MS, at.getTime() + SLACK_MS);
    if (window === null) return null;
    const { rows } = await this.statements.run<AuditedRequest>(WRITING, [
      organizationId,
      environment,
      String(window.first),
      String(window.last),
      resource,
    ]);
    return rows[0] ?? null;
  }

  /** What a request did; of ids that others gave only among the newest half a million rows. */
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
    return { first: await this.firstAt(fromMs, ends), last: await this.firstAt(toMs, ends) };
  }

  private async ends(): Promise<Window | null> {
    const { first = null, last = null } =
      (await this.statements.run<{ first: string | null; last: string | null }>(ENDS)).rows[0] ?? {};
    return first === null || last === null ? null : { first: BigInt(first), last: BigInt(last) };
  }

  /** The number of the first row that is not older, by halves; the last row's where all are. */
  private async firstAt(atMs: number, { first, last }: Window): Promise<bigint> {
    let [low, high] = [first, last];
    while (low < high) {
      const middle = (low + high) / 2n;
      const row = (await this.statements.run<{ id: string; at: Date }>(NEXT, [String(middle)])).rows[0];
      if (row === undefined || row.at.getTime() >= atMs) high = middle;
      else low = BigInt(row.id) + 1n;
    }
    return low;
  }
}

/** When an id of ours was made. */
function millisecondsOf(id: string): number | null {
  const [, high, low] = UUID_V7.exec(id) ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16);
}
