import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** `offset 0` keeps each a look-up of its own, as in sql-resource.store.ts. */
const AT_MOMENT = `select v.content::text as content from unnest($4::text[]) with ordinality t (id, place)
    cross join lateral (select r.number from fhir_resources r
      where r.organization_id = $1 and r.environment = $2 and r.type = $3 and r.id = t.id offset 0) r
    cross join lateral (select held.content, held.last_updated from fhir_versions held
      where held.resource = r.number and held.last_updated <= $5 order by held.version desc limit 1) v
  where ($6::timestamptz is null or v.last_updated > $6) and ($7::text is null or v.content #>> array[$7, 'reference'] like 'Patient/%')
  order by t.place`;

/** Resources as they were. */
@Injectable()
export class PastResources {
  /**
   * Those of the ids that were there at the moment, in the version of that moment, as JSON text without a line break.
   * @param only `since`: changed after it; `subject`: the element that must name a Patient
   */
  async at(
    transaction: TenantTransaction,
    type: string,
    ids: readonly string[],
    moment: Date,
    only: { readonly since: Date | null; readonly subject: string | null },
  ): Promise<string[]> {
    if (ids.length === 0) return [];
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, type, ids, moment, only.since, only.subject];
    const { rows } = await statementsOf(transaction).runPrepared<{ content: string }>(AT_MOMENT, values);
    return rows.map(({ content }) => (content.includes('\n') ? JSON.stringify(JSON.parse(content)) : content));
  }
}
