import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { typesWith } from '../types/served-types.js';
import { SystemStatements } from '../../platform/database/statements.js';

/** Types whose ids a person may have at hand. */
const TYPES = [...typesWith('trace', 'photo'), ...typesWith('trace', 'id')];
const TENANTS = `organizations tenant cross join (values ('test' collate "C"), ('live' collate "C")) as part (environment) cross join unnest($2::text[]) as asked (type)`;
const OWNED = 'tenant.id as "organizationId", part.environment';
/** Looks up the key of each tenant in turn: without the tenant there is no index, and there are few tenants. */
const FIND = `select ${OWNED}, resource.type, resource.id, photo.content -> 'derivedFrom' -> 0 ->> 'reference' as "derivedFrom"
    from ${TENANTS} cross join lateral (select * from fhir_resources kept where kept.organization_id = tenant.id and kept.environment = part.environment and kept.type = asked.type and kept.id = $1 offset 0) resource
    left join fhir_versions photo on photo.resource = resource.number and photo.version = resource.version and resource.type = 'Observation'
  union all select ${OWNED}, named.type, named.id, null
    from ${TENANTS} cross join lateral (select * from fhir_client_ids kept where kept.organization_id = tenant.id and kept.environment = part.environment and kept.type = asked.type and kept.client_id = $1 offset 0) named`;

/** $3: types, $4: ids, each of which may be of any of them. */
const VERSIONS = `with own as (
    select resource.number, resource.type, resource.id from unnest($3::text[]) as asked (type) cross join unnest($4::text[]) as known (id)
      join fhir_resources resource on resource.organization_id = $1 and resource.environment = $2 and resource.type = asked.type and resource.id = known.id)
  select own.type, own.id, made.version, made.last_updated as at, made.author is null as "isOurs",
      (select coalesce(json_agg(entry ->> 'reference'), '[]') from json_array_elements(case when own.type = 'DiagnosticReport' then made.content -> 'result' end) entry) as results
    from own join fhir_versions made on made.resource = own.number order by made.last_updated limit 200`;

export interface FoundResource extends Tenant {
  readonly type: string;
  /** The id here, where the one that was asked for is its client's. */
  readonly id: string;
  /** For an Observation: the target of its first derivedFrom. */
  readonly derivedFrom: string | null;
}

interface ResourceVersion {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly at: Date;
  /** Written by the service itself, not by a client. */
  readonly isOurs: boolean;
  /** For a DiagnosticReport: references of its results. */
  readonly results: readonly string[];
}

/** Resources by their id alone, over all tenants; for operators, never reached from a caller's key. */
@Injectable()
export class TracedResources {
  constructor(private readonly statements: SystemStatements) {}

  /** Resources of the types of photos, orders and reports; also by the id that a client gave. */
  async find(id: string): Promise<FoundResource[]> {
    if (!/^[A-Za-z0-9.-]{1,64}$/.test(id)) return [];
    return (await this.statements.run<FoundResource>(FIND, [id, TYPES])).rows;
  }

  /** All versions of the resources of these types with any of these ids, oldest first, at most 200. */
  async versions(
    { organizationId, environment }: Tenant,
    types: readonly string[],
    ids: readonly string[],
  ): Promise<ResourceVersion[]> {
    return (await this.statements.run<ResourceVersion>(VERSIONS, [organizationId, environment, [...types], [...ids]]))
      .rows;
  }
}
