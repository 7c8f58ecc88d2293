import type { DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { TypeSearches } from '../search-index/parameters/type-searches.js';
import { linkOf } from '../search-index/values/index-key.js';

const SEQUENCE = 'https://sutura.dev/fhir/StructureDefinition/assessment-sequence';
// `offset 0` keeps each of these a look-up of its own, however many resources the tenant has.
const OF_REPORTS = `unnest($3::text[]) with ordinality t (id, at) cross join lateral (select r.number from fhir_resources r
  where r.organization_id = $1 and r.environment = $2 and r.type = 'DiagnosticReport' and r.id = t.id offset 0) r`;
const FIND = `select t.id, q.low as place from ${OF_REPORTS} join fhir_quantities q on q.resource = r.number and q.link = $4`;
const MOVE = `with wanted as (select r.number, ($5::int[])[t.at] as place from ${OF_REPORTS}),
  gone as (delete from fhir_quantities q using wanted w where q.resource = w.number and q.link = $4 and q.low <> w.place
    returning q.*, w.place)
  insert into fhir_quantities (tenant, link, resource, sort_at, low, high, given_low, given_high, code_system, code, unit_system, unit)
  select tenant, link, resource, sort_at, place, place, place, place, code_system, code, unit_system, unit from gone`;

interface PlaceRow {
  readonly id: string;
  readonly place: number;
}

/**
 * The places of reports in the series of their wounds as they stand now: 1, 2, 3 … A photo that comes late, or a withdrawn report, moves
 * those after it. Versions are written once, so the present place stands in the index alone, and answers take it from there.
 */
@Injectable()
export class AssessmentPlaces {
  constructor(private readonly searches: TypeSearches) {}

  /** Brings the kept places up to these, of reports whose present version has one. No version changes by it. */
  async keep(transaction: TenantTransaction, places: ReadonlyMap<string, number>): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, [...places.keys()], this.link(transaction), [...places.values()]];
    await statementsOf(transaction).runPrepared(MOVE, values);
  }

  /** The places of those of these reports that have one. */
  async of(transaction: TenantTransaction, reportIds: readonly string[]): Promise<Map<string, number>> {
    if (reportIds.length === 0) return new Map();
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, [...new Set(reportIds)], this.link(transaction)];
    const { rows } = await statementsOf(transaction).runPrepared<PlaceRow>(FIND, values);
    return new Map(rows.map(({ id, place }) => [id, place]));
  }

  /** The key of the rows that `sequence` is searched by. */
  private link({ tenant }: TenantTransaction): string {
    const { paths } = this.searches.of('DiagnosticReport')!.parameters.get('sequence')!;
    return linkOf(tenant, paths[0]!.key);
  }
}

/** The report with its present place, where it states one. */
export function withPlace<T extends Resource>(resource: T, place: number | undefined): T {
  if (place === undefined || resource.resourceType !== 'DiagnosticReport') return resource;
  const report: DiagnosticReport = resource;
  const extension = report.extension?.map((one) => (one.url === SEQUENCE ? { ...one, valuePositiveInt: place } : one));
  return extension === undefined ? resource : { ...resource, extension };
}
