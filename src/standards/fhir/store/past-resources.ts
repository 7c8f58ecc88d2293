import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { ScannedResource } from './resource-finder.js';

/** By number, so that nothing but a look-up of each by its own key can be planned, whatever is known of the tables. */
const AT_MOMENT = `select v.content::text as content from unnest($3::bigint[]) with ordinality t (number, place)
    cross join lateral (select held.content, held.last_updated from fhir_versions held
      where held.resource = t.number and held.organization_id = $1 and held.environment = $2 and held.last_updated <= $4
      order by held.resource, held.version desc limit 1) v
  where not v.is_deletion and ($5::timestamptz is null or v.last_updated > $5) and ($6::text is null or v.content #>> array[$6, 'reference'] like 'Patient/%')
  order by t.place`;

/** Resources as they were. */
@Injectable()
export class PastResources {
  /**
   * Those of the resources that were there at the moment, in the version of that moment, as JSON text without a line break.
   * @param only `since`: changed after it; `subject`: the element that must name a Patient
   */
  async at(
    transaction: TenantTransaction,
    resources: readonly ScannedResource[],
    moment: Date,
    only: { readonly since: Date | null; readonly subject: string | null },
  ): Promise<string[]> {
    if (resources.length === 0) return [];
    const { organizationId, environment } = transaction.tenant;
    const numbers = resources.map(({ number }) => number);
    const values = [organizationId, environment, numbers, moment, only.since, only.subject];
    const { rows } = await statementsOf(transaction).runPrepared<{ content: string }>(AT_MOMENT, values);
    return rows.map(({ content }) => (content.includes('\n') ? JSON.stringify(JSON.parse(content)) : content));
  }
}
