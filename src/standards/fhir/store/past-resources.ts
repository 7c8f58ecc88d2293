import type { Reference } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { pacer } from '../../../platform/turns/turns.js';
import { elementsOf } from '../types/elements.js';
import { resourceIn, unpackedJson } from './packed-content.js';
import type { ScannedResource } from './resource-finder.js';
import { addressOf } from './stored-row.js';

interface PastRow {
  readonly content: string | null;
  /** null: `content` has it. */
  readonly packed: Buffer | null;
  /** Of the resource. */
  readonly number: string;
  readonly version: number;
}

/** By number, so that nothing but a look-up of each by its own key can be planned, whatever is known of the tables. */
const AT_MOMENT = `select v.content::text as content, v.packed, t.number::text as number, v.version from unnest($3::bigint[]) with ordinality t (number, place)
    cross join lateral (select held.content, held.packed, held.version, held.last_updated, held.is_deletion from fhir_versions held
      where held.resource = t.number and held.organization_id = $1 and held.environment = $2 and held.last_updated <= $4
      order by held.resource, held.version desc limit 1) v
  where not v.is_deletion and ($5::timestamptz is null or v.last_updated > $5)
    and ($6::text is null or v.content is null or v.content #>> array[$6, 'reference'] like 'Patient/%')
  order by t.place`;

/** By the index of changes, of which deletions are few. */
const DELETED = `select r.id, r.number::text as number, (extract(epoch from r.last_updated) * 1000)::double precision::text as ms from fhir_resources r
  where r.organization_id = $1 and r.environment = $2 and r.type = $3 and r.is_deleted and r.last_updated > $4 and r.last_updated <= $5
    and (r.last_updated, r.number) > (to_timestamp($6::double precision / 1000), $7::bigint)
  order by r.last_updated, r.number limit $8`;
const FIRST = '-1~0';

/** Resources as they were. */
@Injectable()
export class PastResources {
  /**
   * Ids of the resources of a type that were deleted in a span of time and are not back, in the order of their deletions, and the place behind the last; null: there
   * are no more. `after`: a place that was given before.
   */
  async deletedIn(
    transaction: TenantTransaction,
    type: string,
    span: { readonly since: Date; readonly until: Date },
    after: string | null,
    limit: number,
  ): Promise<{ readonly ids: readonly string[]; readonly last: string | null }> {
    const { organizationId, environment } = transaction.tenant;
    const [ms, number] = (after ?? FIRST).split('~');
    const values = [organizationId, environment, type, span.since, span.until, ms, number, limit];
    const { rows } = await statementsOf(transaction).run<{ id: string; number: string; ms: string }>(DELETED, values);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { ids: rows.map(({ id }) => id), last: last === undefined ? null : `${last.ms}~${last.number}` };
  }

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
    const { rows } = await statementsOf(transaction).runPrepared<PastRow>(AT_MOMENT, values);
    const lines: string[] = [];
    const pace = pacer();
    for (const { content, packed, number, version } of rows) {
      if (packed === null) lines.push(asLine(content!));
      else {
        // An export that leaves out what it cannot read would be taken for whole.
        const json = unpackedJson(packed, addressOf(number, version));
        // What is not packed was looked into by the statement.
        if (only.subject === null || namesPatient(json, only.subject)) lines.push(asLine(json));
        await pace();
      }
    }
    return lines;
  }
}

/** True where the element names a Patient. */
function namesPatient(json: string, element: string): boolean {
  const named = elementsOf(resourceIn(json))[element] as Reference | undefined;
  return named?.reference?.startsWith('Patient/') === true;
}

/** Some readers of NDJSON break lines at U+2028 and U+2029 as well. */
function asLine(content: string): string {
  const line = content.includes('\n') ? JSON.stringify(JSON.parse(content)) : content;
  return line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
