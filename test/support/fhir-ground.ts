import type { Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { Clock } from '../../src/core/ports/clock.js';
import { UnitOfWork, type TenantTransaction } from '../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../src/core/tenancy/api-key.js';
import { SCOPES, type Scope } from '../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';
import type { FhirCall } from '../../src/doors/fhir/call/fhir-call.js';
import { ResourceIndexer } from '../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { TypeSearches } from '../../src/standards/fhir/search-index/parameters/type-searches.js';
import type { Author, StoredResource } from '../../src/standards/fhir/store/resource-store.js';
import { SqlResourceStore } from '../../src/standards/fhir/store/sql-resource.store.js';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import type { DatabaseContext } from './database-context.js';

export const BASE = 'https://sutura.example/fhir';
export const SERVICE: Author = { kind: 'service' };

/** The store of FHIR resources over a test database, as its tests use it. */
export class FhirGround {
  readonly searches = new TypeSearches(new R4Definitions());
  readonly store: SqlResourceStore;
  /** What the store takes for now; null: the real time. */
  now: Date | null = null;

  constructor(readonly context: DatabaseContext) {
    const clock = new (class extends Clock {
      constructor(private readonly ground: FhirGround) {
        super();
      }
      now(): Date {
        return this.ground.now ?? new Date();
      }
    })(this);
    this.store = new SqlResourceStore(new ResourceIndexer(this.searches), clock);
  }

  inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.context.get(UnitOfWork).inTenant(tenant, work);
  }

  /** Inserts in a transaction of its own, with a fresh id where it has none. */
  insert<T extends Resource>(
    tenant: Tenant,
    resource: T,
    author: Author = { kind: 'client', keyId: v7() },
  ): Promise<StoredResource<T>> {
    return this.inTenant(tenant, (transaction) =>
      this.store.insert(transaction, { ...resource, id: resource.id ?? v7() }, author),
    );
  }

  /** A call in a transaction of its own. */
  call<T>(
    tenant: Tenant,
    work: (call: FhirCall) => Promise<T>,
    changes: Partial<Pick<Caller, 'keyId' | 'scopes'>> = {},
  ): Promise<T> {
    const scopes: readonly Scope[] = SCOPES;
    return this.inTenant(tenant, (transaction) =>
      work({ transaction, caller: { ...tenant, keyId: v7(), scopes, ...changes }, base: BASE, requestId: v7() }),
    );
  }
}
