import { inGroups } from '../../core/trace/in-groups.js';
import type { Environment, Tenant } from '../../core/tenancy/tenant.js';
import type { SystemStatements } from '../../platform/database/statements.js';

/** The part of an audit row that describes a request. */
export interface AuditedRequest {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly at: Date;
  readonly door: 'rest' | 'fhir' | 'hl7v2' | 'ehr' | 'admin' | 'cli';
  readonly interaction: string;
  readonly keyId: string;
  readonly requestId: string | null;
  readonly resources: readonly string[];
  readonly refusal: string | null;
}

/** A resource, and the time at which its own record says that it was written or deleted. */
interface DatedResource {
  readonly tenant: Tenant;
  readonly resource: string;
  readonly at: Date;
}

const COLUMNS = `organization_id as "organizationId", environment, recorded_at as at, door, interaction, key_id as "keyId", request_id as "requestId", resources, refusal`;
const MOST_ROWS = 100;
const OF_REQUESTS = `select row.* from unnest($1::text[]) as asked (request_id) cross join lateral (
    select ${COLUMNS} from audit_events kept where kept.request_id = asked.request_id order by id limit ${MOST_ROWS}) row`;
/** Longest transaction that records an access. */
const SLACK = `interval '60 s'`;
/** In the order of time, so that the index of a tenant's times gives the first and stops there. */
const about = (what: string): string => `select asked.resource as "about", row.*
  from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as asked (organization_id, environment, resource, at) cross join lateral (
    select ${COLUMNS} from audit_events kept where kept.organization_id = asked.organization_id and kept.environment = asked.environment
      and kept.recorded_at between asked.at - ${SLACK} and asked.at + ${SLACK} and kept.refusal is null and ${what} and kept.resources @> array[asked.resource]
    order by kept.recorded_at, kept.id limit 1) row`;
const WRITING = about(`kept.action <> 'R'`);
const DELETING = about(`kept.action = 'D'`);

/** Rows of the audit trail that tell of a request, or of the birth and the end of a resource. */
export class TracedRequests {
  constructor(private readonly statements: SystemStatements) {}

  /** The accesses of each request, oldest first, at most 100. What is unknown is absent. */
  async ofRequests(requestIds: readonly string[]): Promise<ReadonlyMap<string, readonly AuditedRequest[]>> {
    if (requestIds.length === 0) return new Map();
    const { rows } = await this.statements.run<AuditedRequest & { readonly requestId: string }>(OF_REQUESTS, [
      [...requestIds],
    ]);
    return inGroups(rows, ({ requestId }) => requestId);
  }

  /** By resource, the first access that wrote it about its time. Absent: the trail has none. */
  firstWritings(resources: readonly DatedResource[]): Promise<ReadonlyMap<string, AuditedRequest>> {
    return this.about(WRITING, resources);
  }

  /** By resource, the access that deleted it about its time. Absent: the trail has none. */
  deletings(resources: readonly DatedResource[]): Promise<ReadonlyMap<string, AuditedRequest>> {
    return this.about(DELETING, resources);
  }

  private async about(sql: string, resources: readonly DatedResource[]): Promise<ReadonlyMap<string, AuditedRequest>> {
    if (resources.length === 0) return new Map();
    const { rows } = await this.statements.run<AuditedRequest & { readonly about: string }>(sql, [
      resources.map(({ tenant }) => tenant.organizationId),
      resources.map(({ tenant }) => tenant.environment),
      resources.map(({ resource }) => resource),
      resources.map(({ at }) => at),
    ]);
    return new Map(rows.map((row) => [row.about, row]));
  }
}
