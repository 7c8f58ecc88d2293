import type { DiagnosticReport, Observation, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { typesWith } from '../types/served-types.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { contentColumns, contentOf } from './packed-content.js';

/** Types whose ids a person may have at hand. */
const TYPES = [...typesWith('trace', 'photo'), ...typesWith('trace', 'id')];
const TENANTS = `organizations tenant cross join (values ('test' collate "C"), ('live' collate "C")) as part (environment) cross join unnest($2::text[]) as asked (type)`;
const OWNED = 'tenant.id as "organizationId", part.environment';
/** Looks up the key of each tenant in turn: without the tenant there is no index, and there are few tenants. */
const FIND = `select ${OWNED}, resource.type, resource.id, ${contentColumns('photo')}
    from ${TENANTS} cross join lateral (select * from fhir_resources kept where kept.organization_id = tenant.id and kept.environment = part.environment and kept.type = asked.type and kept.id = $1 offset 0) resource
    left join fhir_versions photo on photo.resource = resource.number and photo.version = resource.version and resource.type = 'Observation'
  union all select ${OWNED}, named.type, named.id, null, null
    from ${TENANTS} cross join lateral (select * from fhir_client_ids kept where kept.organization_id = tenant.id and kept.environment = part.environment and kept.type = asked.type and kept.client_id = $1 offset 0) named`;

/** Each id may be of any of the types; at most so many versions of each. */
const MOST_VERSIONS = 200;
const VERSIONS = `select resource.type, resource.id, made.version, made.last_updated as at, made.author is null as "isOurs",
      case when resource.type = 'DiagnosticReport' then made.content end as content, case when resource.type = 'DiagnosticReport' then made.packed end as packed
    from unnest($1::uuid[], $2::text[], $3::text[]) as asked (organization_id, environment, id) cross join unnest($4::text[]) as wanted (type)
      join fhir_resources resource on resource.organization_id = asked.organization_id and resource.environment = asked.environment and resource.type = wanted.type and resource.id = asked.id
      cross join lateral (select * from fhir_versions kept where kept.resource = resource.number order by kept.version limit ${MOST_VERSIONS}) made
    order by made.last_updated`;

export interface FoundResource extends Tenant {
  readonly type: string;
  /** The id here, where the one that was asked for is its client's. */
  readonly id: string;
  /** For an Observation: the target of its first derivedFrom. */
  readonly derivedFrom: string | null;
}

export interface ResourceVersion {
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
    const { rows } = await this.statements.run<Omit<FoundResource, 'derivedFrom'> & MaybeContent>(FIND, [id, TYPES]);
    return rows.map(({ content, packed, ...row }) => {
      const observation = kept({ content, packed }) as Observation | null;
      return { ...row, derivedFrom: observation?.derivedFrom?.[0]?.reference ?? null };
    });
  }

  /** The versions of the resources of these types with any of these ids, oldest first, the first 200 of each. */
  async versions(
    types: readonly string[],
    asked: readonly { readonly tenant: Tenant; readonly id: string }[],
  ): Promise<ResourceVersion[]> {
    if (asked.length === 0) return [];
    const { rows } = await this.statements.run<Omit<ResourceVersion, 'results'> & MaybeContent>(VERSIONS, [
      asked.map(({ tenant }) => tenant.organizationId),
      asked.map(({ tenant }) => tenant.environment),
      asked.map(({ id }) => id),
      [...types],
    ]);
    return rows.map(({ content, packed, ...row }) => {
      const report = kept({ content, packed }) as DiagnosticReport | null;
      return { ...row, results: (report?.result ?? []).flatMap(({ reference }) => reference ?? []) };
    });
  }
}

/** A version, where the statement read one. */
type MaybeContent = Readonly<{ content: Resource | null; packed: Buffer | null }>;

function kept({ content, packed }: MaybeContent): Resource | null {
  return content === null && packed === null ? null : contentOf({ content: content!, packed });
}
