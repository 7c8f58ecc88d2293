import { Injectable } from '@nestjs/common';
import type { Bundle, DiagnosticReport, ResourceType } from '@medplum/fhirtypes';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import { PresentedAnswer } from '../intake/presented-answer.js';
import { StoredResourceSearch } from '../search/stored-resource.search.js';
import type { ScannedResource } from '../../../standards/fhir/store/resource-finder.js';
import { PastResources } from '../../../standards/fhir/store/past-resources.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { ExportWork } from './bulk-export.js';

/** Resources that are read at once: of the largest 27 MiB, of ordinary ones a few hundred KiB. */
const AT_ONCE = 100;

export interface ExportPage {
  /** Each a resource, as JSON without a line break. */
  readonly lines: readonly string[];
  /** The id after which the next page begins; null: this was the last. */
  readonly last: string | null;
}

/** Reads the resources of an export as of its moment. */
@Injectable()
export class ExportPages {
  constructor(
    private readonly search: StoredResourceSearch,
    private readonly past: PastResources,
    private readonly presented: PresentedAnswer,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The page of a type behind an id. */
  async read(work: ExportWork, type: string, after: string | null): Promise<ExportPage> {
    const { transactionTime, options } = work;
    const found = await this.unitOfWork.inTenant(work, async (transaction) => {
      const { found: scanned, last } = await this.scanned({ ...callOf(work), transaction }, work, type, after);
      const lines = await this.past.at(transaction, scanned, transactionTime!, {
        since: options.since === null ? null : new Date(options.since),
        subject: options.level === 'patient' ? (rowOf(type)?.subject ?? null) : null,
      });
      return { lines, last };
    });
    return type === 'DiagnosticReport' ? { ...found, lines: await this.asSearched(work, found.lines) } : found;
  }

  /** Of a type, what was deleted since the moment that the export reaches back to: Bundles of deletions, by the guide's `deleted`. */
  async deleted(
    { transactionTime, options, ...work }: ExportWork,
    type: string,
    after: string | null,
  ): Promise<ExportPage> {
    if (options.since === null) return { lines: [], last: null };
    const span = { since: new Date(options.since), until: transactionTime! };
    const { ids, last } = await this.unitOfWork.inTenant(work, (transaction) =>
      this.past.deletedIn(transaction, type, span, after, AT_ONCE),
    );
    if (ids.length === 0) return { lines: [], last };
    const entry = ids.map((id) => ({ request: { method: 'DELETE', url: `${type}/${id}` } }));
    return { lines: [JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry })], last };
  }

  private async scanned(
    call: FhirCall,
    { options }: ExportWork,
    type: string,
    after: string | null,
  ): Promise<{ found: ScannedResource[]; last: string | null }> {
    const queries = options.filters.filter((filter) => filter.type === type).map(({ query }) => query);
    const pages: ScannedResource[][] = [];
    for (const query of queries.length === 0 ? [''] : queries) {
      const parameters = new URLSearchParams(query);
      if (options.since !== null) parameters.append('_lastUpdated', `gt${options.since}`);
      pages.push(await this.search.idsAfter(call, type as ResourceType, parameters, { limit: AT_ONCE, after }));
    }
    // Beyond the end of one query's page, it may have more between those of another.
    const ends = pages.flatMap((page) => (page.length < AT_ONCE ? [] : [page.at(-1)!.id]));
    const last = ends.length === 0 ? null : ends.reduce((least, end) => (end < least ? end : least));
    const byId = new Map(pages.flat().map((one) => [one.id, one]));
    const found = [...byId.values()].filter(({ id }) => last === null || id <= last).sort(byCode);
    return { found, last };
  }

  /** Reports as a search shows them: with their present place in the series and the size of their documents. */
  private async asSearched(work: ExportWork, lines: readonly string[]): Promise<string[]> {
    const entry = lines.map((line) => ({ resource: JSON.parse(line) as DiagnosticReport }));
    const bundle: Bundle<DiagnosticReport> = { resourceType: 'Bundle', type: 'collection', entry };
    const { body } = await this.presented.state(tenantOf(work), { status: 200, body: bundle });
    return ((body as typeof bundle).entry ?? []).map(({ resource }) => JSON.stringify(resource));
  }
}

/** As the caller who asked, with the rights at that time. */
function callOf({ id, askedBy, rights, options, ...tenant }: ExportWork): Omit<FhirCall, 'transaction'> {
  return { caller: { ...tenantOf(tenant), keyId: askedBy, ...rights }, base: options.base, requestId: id };
}

/** As PostgreSQL's collation "C" does: ids are ASCII. */
function byCode(left: ScannedResource, right: ScannedResource): number {
  return left.id < right.id ? -1 : Number(left.id > right.id);
}
