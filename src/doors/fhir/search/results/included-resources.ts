import type { Resource } from '@medplum/fhirtypes';
import { reachOf } from '../../../../standards/fhir/types/type-access.js';
import type { FhirCall } from '../../call/fhir-call.js';
import type { Found, ResourceFinder } from '../../../../standards/fhir/store/resource-finder.js';
import type { StoredResource } from '../../../../standards/fhir/store/resource-store.js';
import { targetOf, type LiteralTarget } from '../../../../standards/fhir/search-index/rows/element-values.js';
import type {
  CompiledParameter,
  TypeSearches,
} from '../../../../standards/fhir/search-index/parameters/type-searches.js';
import type { Include, ResultOptions } from '../query/result-options.js';
import { linkOf } from '../../../../standards/fhir/search-index/values/index-key.js';

export const INCLUDE_LIMIT = 1000;
const DEPTH_LIMIT = 3;

export interface Included {
  readonly resources: readonly Resource[];
  /** True where more belong to the page than one takes. */
  readonly isCutOff: boolean;
}

/** The included resources of a page: `_include` and `_revinclude`, and from those the ones with `:iterate`, three steps at most. Only resources that the caller may read. */
export class IncludedResources {
  constructor(
    private readonly searches: TypeSearches,
    private readonly finder: ResourceFinder,
  ) {}

  async of(
    call: FhirCall,
    matches: readonly Resource[],
    { includes, revIncludes }: Pick<ResultOptions, 'includes' | 'revIncludes'>,
  ): Promise<Included> {
    const known = new Set(matches.map(addressOf));
    const found: Resource[] = [];
    let isCutOff = false;
    let fresh: readonly Resource[] = matches;
    for (let depth = 0; depth < DEPTH_LIMIT && fresh.length > 0 && !isCutOff; depth += 1) {
      const applies = ({ iterate }: Include): boolean => depth === 0 || iterate;
      const reached = [
        await this.follow(call, fresh, includes.filter(applies), known),
        ...(await this.refer(call, fresh, revIncludes.filter(applies))),
      ];
      const next = reached
        .flatMap(({ stored }) => stored)
        .filter((stored) => !known.has(addressOf(stored.resource)) && mayRead(call, stored))
        .map(({ resource }) => resource);
      const distinct = [...new Map(next.map((resource) => [addressOf(resource), resource])).values()];
      isCutOff = found.length + distinct.length > INCLUDE_LIMIT || reached.some((each) => each.isCutOff);
      fresh = distinct.slice(0, INCLUDE_LIMIT - found.length);
      found.push(...fresh);
      for (const resource of fresh) known.add(addressOf(resource));
    }
    return { resources: found, isCutOff };
  }

  private async follow(
    call: FhirCall,
    from: readonly Resource[],
    includes: readonly Include[],
    known: ReadonlySet<string>,
  ): Promise<Found> {
    const targets = from.flatMap((resource) => includes.flatMap((include) => this.targetsOf(resource, include)));
    const addresses = new Map(targets.map((target) => [`${target.type}/${target.id}`, target]));
    for (const address of known) addresses.delete(address);
    // One more than the limit, to tell whether there are too many.
    return this.finder.atAddresses(
      call.transaction,
      [...addresses.values()].slice(0, INCLUDE_LIMIT + 1),
      INCLUDE_LIMIT,
    );
  }

  private targetsOf(resource: Resource, { type, parameter, targetType }: Include): LiteralTarget[] {
    if (type !== resource.resourceType && parameter !== '*') return [];
    if (parameter === '*' && type !== resource.resourceType && !this.searches.of(type)) return [];
    return this.referencesOf(resource.resourceType, parameter).flatMap(({ paths }) =>
      paths.flatMap((path) =>
        path.walk(resource).flatMap(({ value }) => {
          const target = targetOf(value);
          return target === null || target.type === '' || (targetType !== null && target.type !== targetType)
            ? []
            : [target];
        }),
      ),
    );
  }

  private referencesOf(type: string, parameter: string): CompiledParameter[] {
    const parameters = this.searches.of(type)?.parameters;
    if (parameters === undefined) return [];
    if (parameter === '*') return [...parameters.values()].filter((each) => each.type === 'reference');
    const one = parameters.get(parameter);
    return one === undefined ? [] : [one];
  }

  private async refer(call: FhirCall, to: readonly Resource[], revIncludes: readonly Include[]): Promise<Found[]> {
    const found: Found[] = [];
    for (const { type, parameter, targetType } of revIncludes) {
      if (reachOf(call.caller, type, 'search') === 'none') continue;
      const [reference] = this.referencesOf(type, parameter);
      const pointed = to.filter(
        ({ resourceType }) =>
          (targetType ?? resourceType) === resourceType && reference!.targets.includes(resourceType),
      );
      const links = reference!.paths.map(({ key }) => linkOf(call.caller, key));
      const addresses = pointed.map((resource) => ({ type: resource.resourceType, id: resource.id! }));
      found.push(await this.finder.referringTo(call.transaction, links, addresses, INCLUDE_LIMIT));
    }
    return found;
  }
}

function addressOf({ resourceType, id }: Resource): string {
  return `${resourceType}/${id}`;
}

function mayRead({ caller }: FhirCall, { resource, createdBy }: StoredResource): boolean {
  const reach = reachOf(caller, resource.resourceType, 'read');
  return reach === 'all' || (reach === 'own' && createdBy.kind === 'client' && createdBy.keyId === caller.keyId);
}
