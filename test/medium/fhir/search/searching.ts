import type { Bundle, OperationOutcome, Resource, ResourceType } from '@medplum/fhirtypes';
import { AuthorityDirectory } from '../../../../src/core/patients/authority-table.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import type { SearchOptions } from '../../../../src/doors/fhir/search/resource-search.js';
import { StoredResourceSearch } from '../../../../src/doors/fhir/search/stored-resource.search.js';
import { OrganizationRepository } from '../../../../src/core/organizations/organization.repository.js';
import { OrganizationZone } from '../../../../src/doors/fhir/search/organization-zone.js';
import { Settings } from '../../../../src/platform/config/settings.js';
import { ResourceFinder } from '../../../../src/standards/fhir/store/resource-finder.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { BASE, FhirGround } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const NOW = new Date('2026-06-01T00:00:00Z');

/** The zones of organizations, as the gateway wires them. */
export function zoneOf(context: DatabaseContext): OrganizationZone {
  return new OrganizationZone(context.get(OrganizationRepository), context.get(Settings));
}

/** Resources in a database of their own, and searches over them. */
export class SearchGround {
  readonly ground: FhirGround;
  readonly searching: Searching;

  private constructor(
    private readonly database: TestDatabase,
    readonly context: DatabaseContext,
  ) {
    this.ground = new FhirGround(context);
    this.searching = new Searching(this.ground);
  }

  static async open(): Promise<SearchGround> {
    const database = await createTestDatabase();
    return new SearchGround(database, await DatabaseContext.open(database.url));
  }

  /** Has the planner's statistics be those of now. */
  async analyze(): Promise<void> {
    await queryDatabase(this.database.url, 'analyze');
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.database.drop();
  }
}

/** Searches as the door asks them, by the query string of a request such as `Observation?code=x`. */
export class Searching {
  readonly search: StoredResourceSearch;

  constructor(private readonly ground: FhirGround) {
    const clock = new (class extends Clock {
      now(): Date {
        return NOW;
      }
    })();
    this.search = new StoredResourceSearch(
      ground.searches,
      new ResourceFinder(),
      clock,
      zoneOf(ground.context),
      ground.context.get(AuthorityDirectory),
    );
  }

  bundle(
    tenant: Tenant,
    request: string,
    options: Partial<SearchOptions> = {},
    caller: Partial<Pick<Caller, 'keyId' | 'scopes'>> = {},
  ): Promise<Bundle> {
    const [type, query = ''] = request.slice(request.startsWith(`${BASE}/`) ? BASE.length + 1 : 0).split(/\?(.*)/s) as [
      ResourceType,
      string?,
    ];
    return this.ground.call(
      tenant,
      (call) =>
        this.search.search(call, type, new URLSearchParams(query), { strict: false, visible: 'all', ...options }),
      caller,
    );
  }

  /** Ids of the matches, in their order. */
  async ids(tenant: Tenant, request: string): Promise<string[]> {
    return matchesOf(await this.bundle(tenant, request)).map(({ id }) => id!);
  }
}

export function matchesOf(bundle: Bundle): Resource[] {
  return resourcesOf(bundle, 'match');
}

export function resourcesOf(bundle: Bundle, mode: 'match' | 'include' | 'outcome'): Resource[] {
  return (bundle.entry ?? []).filter(({ search }) => search?.mode === mode).map(({ resource }) => resource!);
}

export function outcomeOf(bundle: Bundle): OperationOutcome | undefined {
  return resourcesOf(bundle, 'outcome')[0] as OperationOutcome | undefined;
}

export function linkOf(bundle: Bundle, relation: string): string | undefined {
  return bundle.link?.find((link) => link.relation === relation)?.url;
}
