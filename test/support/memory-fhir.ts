import type { Bundle, Binary, Patient, Resource, ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../src/core/errors/sutura-error.js';
import { AuditTrail, type CallerAccess } from '../../src/core/audit/audit-trail.js';
import {
  UnitOfWork,
  type SystemTransaction,
  type TenantTransaction,
  type Transaction,
} from '../../src/core/ports/unit-of-work.js';
import type { Access } from '../../src/core/audit/access.js';
import type { Caller } from '../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';
import type { BundleRequest } from '../../src/doors/fhir/bundle/bundle-shape.js';
import {
  BinaryContent,
  type BinaryBytes,
  type BinarySubmission,
  ONLY_VERSION,
  type OpenedBinary,
} from '../../src/doors/fhir/interactions/binary-content.js';
import type { Prepared } from '../../src/doors/fhir/interactions/resource-intake.js';
import type { FhirAnswer, FhirCall } from '../../src/doors/fhir/call/fhir-call.js';
import { ResourceSearch, type SearchOptions } from '../../src/doors/fhir/search/resource-search.js';
import {
  ResourceStore,
  type Author,
  type ChangesPage,
  type ChangesQuery,
  type DeletedResource,
  type ResourceTarget,
  type ResourceChange,
  type ResourceToInsert,
  type StoredResource,
  type VersionsPage,
} from '../../src/standards/fhir/store/resource-store.js';

const afterCommit = () => undefined;
const NOTHING: Transaction = { afterCommit };
const about = (tenant: Tenant): TenantTransaction => ({ afterCommit, tenant });

export class MemoryUnitOfWork extends UnitOfWork {
  inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return work(about(tenant));
  }
  inSystem<T>(work: (transaction: SystemTransaction) => Promise<T>): Promise<T> {
    return work({ afterCommit, about });
  }
}

export class MemoryTrail extends AuditTrail {
  readonly accesses: Access[] = [];
  recordAll(_: Transaction, accesses: readonly CallerAccess[]): Promise<void> {
    this.accesses.push(...accesses.map(({ access }) => access));
    return Promise.resolve();
  }
  recordNow(caller: Caller, access: Access): Promise<void> {
    return this.record(NOTHING, caller, access);
  }
}

/** Every version of every resource, by tenant. Times are whole seconds, one for each write. */
export class MemoryStore extends ResourceStore {
  readonly versions = new Map<string, StoredResource[]>();
  private readonly clientIds = new Map<string, string>();
  private writes = 0;

  private keyOf({ organizationId, environment }: Tenant, type: string, id: string): string {
    return [organizationId, environment, type, id].join(' ');
  }
  find<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    const { tenant } = transaction;
    const named = this.clientIds.get(this.keyOf(tenant, type, id)) ?? id;
    const newest = this.versions.get(this.keyOf(tenant, type, named))?.at(-1) ?? null;
    return Promise.resolve(newest?.isDeletion === true ? null : (newest as StoredResource<T> | null));
  }
  findDeleted(transaction: TenantTransaction, type: ResourceType, id: string): Promise<DeletedResource | null> {
    const named = this.clientIds.get(this.keyOf(transaction.tenant, type, id)) ?? id;
    const [before, newest] = this.versions.get(this.keyOf(transaction.tenant, type, named))?.slice(-2) ?? [];
    return Promise.resolve(
      newest?.isDeletion === true ? { ...newest, resource: before!.resource, isDeletion: true, isKnown: true } : null,
    );
  }
  findDeletedForUpdate(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
  ): Promise<DeletedResource | null> {
    return this.findDeleted(transaction, type, id);
  }
  findToDelete(transaction: TenantTransaction, type: ResourceType, id: string): Promise<StoredResource | null> {
    return this.find(transaction, type, id);
  }
  delete(transaction: TenantTransaction, { resource, version, createdBy }: StoredResource): Promise<StoredResource> {
    const { resourceType, id } = resource;
    const stored = this.keep(transaction.tenant, { resourceType, id } as Resource, version + 1, createdBy);
    const gone = { ...stored, isDeletion: true };
    this.versions.get(this.keyOf(transaction.tenant, resourceType, id!))!.splice(-1, 1, gone);
    return Promise.resolve(gone);
  }
  referrers(): Promise<ResourceTarget[]> {
    return Promise.resolve([]);
  }
  standingOn(): Promise<ResourceTarget[]> {
    return Promise.resolve([]);
  }
  isTaken(transaction: TenantTransaction, { type, id }: ResourceTarget): Promise<boolean> {
    return Promise.resolve(this.versions.has(this.keyOf(transaction.tenant, type, id)));
  }
  override keepClientId(transaction: TenantTransaction, { type, id }: ResourceTarget, named: string): Promise<void> {
    return Promise.resolve(void this.clientIds.set(this.keyOf(transaction.tenant, type, id), named));
  }
  findForUpdate<T extends Resource>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
  ): Promise<StoredResource<T> | null> {
    return this.find<T>(transaction, type, id);
  }
  findVersion(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
    version: number,
  ): Promise<StoredResource | null> {
    return Promise.resolve(this.versions.get(this.keyOf(transaction.tenant, type, id))?.[version - 1] ?? null);
  }
  history(
    transaction: TenantTransaction,
    type: ResourceType,
    id: string,
    limit: number,
    before: number | null,
  ): Promise<VersionsPage> {
    const all = [...(this.versions.get(this.keyOf(transaction.tenant, type, id)) ?? [])].reverse();
    const older = all.filter(({ version }) => before === null || version < before);
    return Promise.resolve({ versions: older.slice(0, limit), hasMore: older.length > limit });
  }
  override changes(transaction: TenantTransaction, { types, limit }: ChangesQuery): Promise<ChangesPage> {
    const { organizationId, environment } = transaction.tenant;
    const asked = types.map(({ type }) => [organizationId, environment, type, ''].join(' '));
    const all = [...this.versions].flatMap(([key, versions]) =>
      asked.some((each) => key.startsWith(each)) ? versions : [],
    );
    const newestFirst = all.sort((first, second) => second.lastUpdated.getTime() - first.lastUpdated.getTime());
    return Promise.resolve({ versions: newestFirst.slice(0, limit), hasMore: false, last: null });
  }
  insertAll(transaction: TenantTransaction, resources: readonly ResourceToInsert[]): Promise<StoredResource[]> {
    return Promise.resolve(resources.map(({ resource, author }) => this.keep(transaction.tenant, resource, 1, author)));
  }
  replaceAll(transaction: TenantTransaction, changes: readonly ResourceChange[]): Promise<StoredResource[]> {
    return Promise.resolve(
      changes.map(({ current, next }) => this.keep(transaction.tenant, next, current.version + 1, current.createdBy)),
    );
  }
  lockCriteria(): Promise<void> {
    return Promise.resolve();
  }
  lockAllCriteria(): Promise<void> {
    return Promise.resolve();
  }
  resolve(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map());
  }
  async missing(transaction: TenantTransaction, targets: readonly ResourceTarget[]): Promise<ResourceTarget[]> {
    const missing: ResourceTarget[] = [];
    for (const target of targets)
      if ((await this.find(transaction, target.type as ResourceType, target.id)) === null) missing.push(target);
    return missing;
  }
  async findAll(transaction: TenantTransaction, targets: readonly ResourceTarget[]): Promise<StoredResource[]> {
    const found: StoredResource[] = [];
    for (const target of targets) {
      const stored = await this.find(transaction, target.type as ResourceType, target.id);
      if (stored !== null) found.push(stored);
    }
    return found;
  }
  async findAllForUpdate(
    transaction: TenantTransaction,
    targets: readonly ResourceTarget[],
  ): Promise<StoredResource[]> {
    const found: StoredResource[] = [];
    for (const target of targets) {
      const stored = await this.findForUpdate(transaction, target.type as ResourceType, target.id);
      if (stored !== null) found.push(stored);
    }
    return found;
  }
  async findAllLocking(
    transaction: TenantTransaction,
    locked: readonly ResourceTarget[],
    read: readonly ResourceTarget[],
  ): Promise<StoredResource[]> {
    return [...(await this.findAllForUpdate(transaction, locked)), ...(await this.findAll(transaction, read))];
  }
  async insertUnlessThere<T extends Resource>(
    transaction: TenantTransaction,
    resource: T,
    author: Author,
  ): Promise<StoredResource<T> | null> {
    const known = await this.find<T>(transaction, resource.resourceType as T['resourceType'], resource.id!);
    return known === null ? this.insert(transaction, resource, author) : null;
  }
  private keep<T extends Resource>(tenant: Tenant, resource: T, version: number, createdBy: Author): StoredResource<T> {
    const lastUpdated = new Date(Date.UTC(2026, 0, 1) + 1000 * this.writes++);
    const stored = {
      resource: {
        ...resource,
        meta: { ...resource.meta, versionId: String(version), lastUpdated: lastUpdated.toISOString() },
      },
      version,
      lastUpdated,
      createdBy,
    };
    const key = this.keyOf(tenant, resource.resourceType, resource.id!);
    this.versions.set(key, [...(this.versions.get(key) ?? []), stored]);
    return stored;
  }
}

/** Knows `identifier`, `family` and `_id` alone, and remembers what it was asked. */
export class MemorySearch extends ResourceSearch {
  readonly asked: { type: string; parameters: string; options: SearchOptions }[] = [];
  constructor(private readonly store: MemoryStore) {
    super();
  }
  search(_: FhirCall, type: ResourceType, parameters: URLSearchParams, options: SearchOptions): Promise<Bundle> {
    this.asked.push({ type, parameters: parameters.toString(), options });
    return Promise.resolve({ resourceType: 'Bundle', type: 'searchset', total: 0 });
  }
  match(_: FhirCall, type: ResourceType, criteria: string, limit: number): Promise<StoredResource[]> {
    const wanted = new URLSearchParams(criteria);
    const found = [...this.store.versions.values()]
      .map((versions) => versions.at(-1)!)
      .filter(({ resource, isDeletion }) => {
        if (isDeletion === true) return false;
        const { identifier = [], name = [], id } = resource as Patient;
        const values = new Map([
          ['identifier', identifier.map(({ system, value }) => `${system}|${value}`)],
          ['family', name.map(({ family }) => family!)],
          ['_id', [id!]],
        ]);
        return resource.resourceType === type && [...wanted].every(([of, value]) => values.get(of)?.includes(value));
      });
    return Promise.resolve(found.slice(0, limit));
  }
}

/** Bytes as they were sent. */
export class MemoryBinaries extends BinaryContent {
  readonly kept = new Map<string, BinaryBytes>();
  readonly discarded: string[] = [];
  submit(_: Caller, { contentType, bytes, securityContext }: BinarySubmission): Promise<Prepared<Binary>> {
    if (bytes.length === 0) throw new SuturaError('fhir.image');
    const id = `bytes-${this.kept.size + 1}`;
    const keep = (): Promise<void> => {
      this.kept.set(id, {
        contentType,
        bytes,
        entityTag: `"tag-${id}"`,
        versionId: ONLY_VERSION,
        lastModified: new Date('2026-01-02T03:04:05Z'),
        securityContext,
      });
      return Promise.resolve();
    };
    const discard = (): Promise<void> => {
      this.discarded.push(id);
      return Promise.resolve();
    };
    return Promise.resolve({ resource: { resourceType: 'Binary', contentType }, id, keep, discard });
  }
  open(_: FhirCall, id: string): Promise<OpenedBinary> {
    const bytes = this.kept.get(id);
    if (bytes === undefined) return Promise.reject(new SuturaError('fhir.not_found'));
    return Promise.resolve({ securityContext: bytes.securityContext, load: () => Promise.resolve(bytes) });
  }
}

/** Answers a Bundle with what it was handed. */
export class EchoProcessor {
  readonly requests: BundleRequest[] = [];
  process(_: Caller, request: BundleRequest): Promise<FhirAnswer> {
    this.requests.push(request);
    return Promise.resolve({ status: 200, body: { resourceType: 'Bundle', type: 'batch-response' } });
  }
}
