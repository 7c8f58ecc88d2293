import { Injectable } from '@nestjs/common';
import type { Bundle, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import { Clock } from '../../../core/ports/clock.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { MatchQuery } from '../../../standards/fhir/store/match-statement.js';
import { ResourceFinder, type Page, type ScannedResource } from '../../../standards/fhir/store/resource-finder.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { TypeSearches } from '../../../standards/fhir/search-index/parameters/type-searches.js';
import { ClientIdConditions } from './query/client-id-conditions.js';
import type { Condition, Related } from '../../../standards/fhir/search-index/search-condition.js';
import { badParameter } from './query/search-fault.js';
import { readSearch, type ReadSearch } from './query/search-reader.js';
import { withoutPrefix } from './query/value-reader.js';
import { OrganizationZone } from './organization-zone.js';
import { isLocal } from '../../../core/times/date-interval.js';
import { ResourceSearch, type SearchOptions } from './resource-search.js';
import { IncludedResources } from './results/included-resources.js';
import { readCursor, writeCursor, type PageCursor } from './results/page-cursor.js';
import { toSearchset } from './results/searchset.js';

/** Beyond this number, matches are counted only for `_total=accurate`. */
const TOTAL_LIMIT = 1000;
/** Up to this number, the targets of a chain or the referrers of `_has` are looked up first; beyond it, each resource of the type is checked. */
const RELATED_LIMIT = 1000;

/** Search over the store. */
@Injectable()
export class StoredResourceSearch extends ResourceSearch {
  private readonly including: IncludedResources;
  private readonly clientIds: ClientIdConditions;

  constructor(
    private readonly searches: TypeSearches,
    private readonly finder: ResourceFinder,
    private readonly clock: Clock,
    private readonly zones: OrganizationZone,
    private readonly authorities: AuthorityDirectory,
  ) {
    super();
    this.clientIds = new ClientIdConditions(finder);
    this.including = new IncludedResources(searches, finder);
  }

  async search(
    call: FhirCall,
    type: ResourceType,
    parameters: URLSearchParams,
    options: SearchOptions,
  ): Promise<Bundle> {
    const read = await this.read(call, type, parameters, options.strict);
    const query = await this.toQuery(call, read, options.visible);
    if (read.options.countOnly)
      return toSearchset({
        base: call.base,
        read,
        matches: [],
        included: { resources: [], isCutOff: false },
        total: await this.finder.count(call.transaction, query, null),
        links: [['self', '']],
      });
    const name = nameOf(read);
    const cursor = read.options.cursor === null ? null : readCursor(name, read.order, read.options.cursor);
    const page = await this.finder.page(
      call.transaction,
      query,
      read.options.count,
      cursor?.position,
      cursor?.backwards,
    );
    const total = await this.total(call, query, read, page, cursor);
    const matches = page.matches.map(({ stored }) => stored.resource);
    const included = await this.including.of(call, matches, read.options);
    return toSearchset({
      base: call.base,
      read,
      matches,
      included,
      total,
      links: linksOf(name, read, page, cursor, total),
    });
  }

  async match(call: FhirCall, type: ResourceType, criteria: string, limit: number): Promise<StoredResource[]> {
    const read = await this.read(call, type, new URLSearchParams(criteria), true);
    // Without a condition everything would match.
    if (read.where.length === 0) throw badParameter('_', 'The criteria name no search parameter.');
    return this.finder.first(call.transaction, await this.toQuery(call, read, 'all'), limit);
  }

  /** The next matches in the order of their ids, behind `after`, at most `limit`; strict. `fhir.search`, `auth.scope`. */
  async idsAfter(
    call: FhirCall,
    type: ResourceType,
    parameters: URLSearchParams,
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<ScannedResource[]> {
    const read = await this.read(call, type, parameters, true);
    return this.finder.idsAfter(call.transaction, await this.toQuery(call, read, 'all'), limit, after);
  }

  private async read(call: FhirCall, type: string, parameters: URLSearchParams, strict: boolean): Promise<ReadSearch> {
    if (this.searches.of(type) === undefined) throw new SuturaError('fhir.interaction_not_supported');
    const timeZone = namesLocalDate(parameters) ? await this.zones.of(call.transaction) : 'UTC';
    const authorities = await this.authorities.of(call.transaction.tenant);
    return readSearch(this.searches, call.caller, type, parameters, {
      strict,
      own: {
        base: call.base,
        now: this.clock.now(),
        timeZone,
        spellings: (system) => authorities.spellings(system),
      },
    });
  }

  private async toQuery(call: FhirCall, read: ReadSearch, visible: SearchOptions['visible']): Promise<MatchQuery> {
    const where: Condition[] = [];
    for (const condition of await this.clientIds.resolve(call, read.type, read.where))
      where.push(await this.resolve(call, condition, read.type));
    if (visible === 'own') where.push({ kind: 'author', keyId: call.caller.keyId });
    return { tenant: call.caller, type: read.type, where, order: read.order };
  }

  private resolve(call: FhirCall, condition: Condition, type: string): Condition | Promise<Condition> {
    if (condition.kind === 'targets') return this.resolveTargets(call, condition);
    return condition.kind === 'referrers' ? this.resolveReferrers(call, condition, type) : condition;
  }

  /** A chain to a few resources, such as the one patient with an identifier, becomes a search by reference: one range of an index. */
  private async resolveTargets(call: FhirCall, condition: Extract<Condition, { kind: 'targets' }>): Promise<Condition> {
    const { links, any } = condition;
    const found: { targetType: string; targetId: string }[] = [];
    for (const related of any) {
      const targets = await this.finder.ids(call.transaction, queryOf(call, related), RELATED_LIMIT + 1);
      if (found.length + targets.length > RELATED_LIMIT) return condition;
      found.push(...targets.map((targetId) => ({ targetType: related.type, targetId })));
    }
    return { kind: 'references', any: links.flatMap((link) => found.map((target) => ({ link, ...target }))) };
  }

  /** A few that refer, such as those with a rare code, become the ids of what they refer to. */
  private async resolveReferrers(
    call: FhirCall,
    condition: Extract<Condition, { kind: 'referrers' }>,
    type: string,
  ): Promise<Condition> {
    const ids = await this.finder.referredIds(
      call.transaction,
      queryOf(call, condition.by),
      { links: condition.links, type },
      RELATED_LIMIT,
    );
    return ids === null ? condition : { kind: 'ids', ids };
  }

  private async total(
    call: FhirCall,
    query: MatchQuery,
    { options }: ReadSearch,
    page: Page,
    cursor: PageCursor | null,
  ): Promise<number | null> {
    if (options.total === 'none') return null;
    if (cursor !== null) return cursor.total;
    if (!page.hasMore) return page.matches.length;
    if (options.total === 'estimate')
      return Math.max(page.matches.length + 1, await this.finder.estimate(call.transaction, query));
    if (options.total === 'accurate') return this.finder.count(call.transaction, query, null);
    const counted = await this.finder.count(call.transaction, query, TOTAL_LIMIT + 1);
    return counted > TOTAL_LIMIT ? null : counted;
  }
}

/** Other searches need not know where the organization is. */
function namesLocalDate(parameters: URLSearchParams): boolean {
  return [...parameters.values()].some((value) => value.split(',').some((each) => isLocal(withoutPrefix(each))));
}

function queryOf(call: FhirCall, { type, where }: Related): MatchQuery {
  return { tenant: call.caller, type, where, order: [{ by: 'clinical', descending: true }] };
}

/** The search that a cursor belongs to, without the size of its pages. */
function nameOf({ type, used, order }: ReadSearch): string {
  const filters = used.filter(
    ([name]) => !['_count', '_format', '_pretty', '_summary', '_elements', '_total'].includes(name),
  );
  return JSON.stringify([type, filters, order]);
}

function linksOf(
  name: string,
  { options }: ReadSearch,
  { matches, hasMore }: Page,
  cursor: PageCursor | null,
  total: number | null,
): [string, string][] {
  const [first, last] = [matches[0], matches.at(-1)];
  const backwards = cursor?.backwards ?? false;
  const at = (position: PageCursor['position'], direction: boolean): string =>
    writeCursor(name, { position, backwards: direction, total });
  const hasNext = last !== undefined && (backwards || hasMore);
  const hasPrevious = first !== undefined && cursor !== null && (!backwards || hasMore);
  return [
    ['self', options.cursor ?? ''],
    ['first', ''],
    ...(hasPrevious ? [['previous', at(first.position, true)] as [string, string]] : []),
    ...(hasNext ? [['next', at(last.position, false)] as [string, string]] : []),
  ];
}
