import { Injectable } from '@nestjs/common';
import { RetainedVersions, type Removed } from '../../../core/erasure/retention-policy.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { typesWith } from '../types/served-types.js';
import { jsonBytes } from './packed-content.js';

/** Provenance names the versions of reports, and whoever was told of one may ask for it. */
const KEPT = 'DiagnosticReport';
/**
 * $3: before, $4: limit, $5: types, of which the index has the versions by age. None while anybody of the tenant is on hold. By the moment at which
 * the newer version came, which a version may have stood until for years.
 */
const REMOVE = `with old as (
    select p.resource, p.version from unnest($5::text[]) as asked (type) cross join lateral (
      select past.* from fhir_past_versions past where past.organization_id = $1 and past.environment = $2 collate "C" and past.type = asked.type collate "C"
        and past.last_updated < $3 and (select min(newer.last_updated) from fhir_versions newer where newer.resource = past.resource and newer.version > past.version) < $3
      order by past.last_updated limit $4) p
    where not exists (select from legal_holds hold where hold.organization_id = $1 and hold.environment = $2)
    limit $4),
  past as (delete from fhir_past_versions held using old where held.organization_id = $1 and held.environment = $2 collate "C" and held.resource = old.resource and held.version = old.version)
  delete from fhir_versions held using old where held.resource = old.resource and held.version = old.version
  returning ${jsonBytes('held')} as bytes`;

/** Versions of resources that a newer one took the place of. The present version never goes, and no version of a report. */
@Injectable()
export class PastVersions extends RetainedVersions {
  async removeBefore(transaction: TenantTransaction, before: Date, limit: number): Promise<Removed> {
    const { organizationId, environment } = transaction.tenant;
    const types = typesWith('origin', 'store').filter((type) => type !== KEPT);
    const { rows } = await statementsOf(transaction).run<{ bytes: number }>(REMOVE, [
      organizationId,
      environment,
      before,
      limit,
      types,
    ]);
    return { rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
  }
}
