import { randomUUID } from 'node:crypto';
import type { Bundle, OperationOutcome, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../src/core/errors/sutura-error.js';
import { IdempotencyService } from '../../src/core/idempotency/idempotency.service.js';
import {
  IdempotencyLedger,
  type IdempotencyKey,
  type IdempotencyState,
  type StoredAnswer,
} from '../../src/core/idempotency/idempotency-ledger.js';
import { TenantTransaction, UnitOfWork } from '../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';
import { AuditedCalls } from '../../src/doors/fhir/audit/audited-calls.js';
import type { CriteriaMatch } from '../../src/doors/fhir/interactions/criteria-match.js';
import { BatchBundle } from '../../src/doors/fhir/bundle/batch-bundle.js';
import type { HeldBundles } from '../../src/doors/fhir/bundle/held-bundles.js';
import { BundleProcessor } from '../../src/doors/fhir/bundle/bundle-processor.js';
import { TransactionBundle } from '../../src/doors/fhir/bundle/transaction-bundle.js';
import { TransactionPerformer } from '../../src/doors/fhir/bundle/transaction-performer.js';
import type { UnservedEntries } from '../../src/doors/fhir/bundle/unsupported-entries.js';
import type { FhirAudit } from '../../src/doors/fhir/audit/fhir-audit.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../../src/doors/fhir/call/fhir-call.js';
import { NO_PREFERENCES, type Preferences } from '../../src/doors/fhir/call/preferences.js';
import { AbsentResource, type PutRequest } from '../../src/doors/fhir/interactions/put-request.js';
import type { SentPatch } from '../../src/doors/fhir/interactions/sent-patch.js';
import type { ResourceDeleting } from '../../src/doors/fhir/interactions/resource-deleting.js';
import type { ResourceChanging } from '../../src/doors/fhir/interactions/resource-changing.js';
import type { ResourceReading } from '../../src/doors/fhir/interactions/resource-reading.js';
import { ResourceInteractions } from '../../src/doors/fhir/interactions/resource-interactions.js';
import type { BoundPut, ResourcePutting } from '../../src/doors/fhir/interactions/resource-putting.js';
import type {
  AdmittedResource,
  ResourceWriting,
  Submission,
} from '../../src/doors/fhir/interactions/resource-writing.js';
import { SubmissionCheck } from '../../src/doors/fhir/interactions/submission-check.js';
import { outcomeStatus, toOperationOutcome } from '../../src/standards/fhir/outcome/operation-outcome.js';
import { ProfileLibrary } from '../../src/standards/fhir/profiles/profile-library.js';
import type { ResourceSearch } from '../../src/doors/fhir/search/resource-search.js';
import type { ResourceStore, ResourceTarget, StoredResource } from '../../src/standards/fhir/store/resource-store.js';
import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../src/standards/fhir/validation/resource-validator.js';
import { Logger } from '../../src/platform/logging/logger.js';

export const BASE = 'https://gateway.test/fhir';
const CALLER: Caller = {
  organizationId: randomUUID(),
  environment: 'test',
  keyId: randomUUID(),
  scopes: ['images:write', 'analysis:write', 'analysis:read'],
};

const DEFINITIONS = new R4Definitions();
const VALIDATOR = new ResourceValidator(DEFINITIONS, new ProfileLibrary(DEFINITIONS));
const CHECK = new SubmissionCheck(VALIDATOR);

/** Answers of a server: the status and the body, whether it is a Bundle or an outcome. */
export interface Reply {
  readonly status: number;
  readonly body: Omit<Bundle, 'resourceType'> & Pick<OperationOutcome, 'issue'>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bundles over interactions that keep everything in memory and write down what was asked of them; transactions roll back. */
export class BundleGround {
  readonly log: string[] = [];
  readonly stored = new Map<string, StoredResource>();
  readonly discarded: string[] = [];
  /** By `Type?criteria`: ids that match. */
  readonly matches = new Map<string, string[]>();
  /** By `step Type`: what is thrown there. */
  readonly faults = new Map<string, unknown>();
  transactions = 0;
  readonly histories = { ofInstance: this.history.bind(this) };
  private readonly processor: BundleProcessor;
  private nextId = 1;

  constructor() {
    const idempotency = new IdempotencyService(new MemoryLedger());
    const work = new MemoryUnitOfWork(this);
    const audit = {
      record: (_: unknown, interaction: string) => Promise.resolve(void this.log.push(`audit ${interaction}`)),
    } as unknown as FhirAudit;
    const calls = new AuditedCalls(work, idempotency, audit);
    const searching = {
      match: (_: FhirCall, type: string, criteria: string) => Promise.resolve(this.matching(type, criteria)),
    } as unknown as ResourceSearch;
    const unserved = { skipUnsupported: () => Promise.resolve(new Map()) } as unknown as UnservedEntries;
    // Every id here is a client's own.
    const store = {
      resolve: (_: unknown, targets: readonly ResourceTarget[]) =>
        Promise.resolve(
          new Map(targets.flatMap(({ type, id }) => (this.stored.has(`${type}/${id}`) ? [[`${type}/${id}`, id]] : []))),
        ),
      missing: (_: unknown, targets: readonly ResourceTarget[]) =>
        Promise.resolve(targets.filter(({ type, id }) => !this.stored.has(`${type}/${id}`))),
      findDeleted: () => Promise.resolve(null),
    } as unknown as ResourceStore;
    const interactions = new ResourceInteractions(
      this as unknown as ResourceReading,
      this as unknown as ResourceWriting,
      this as unknown as CriteriaMatch,
      {
        valid: this.validUpdate,
        update: this.update.bind(this),
        patch: this.patch.bind(this),
      } as unknown as ResourceChanging,
      {
        submit: this.submitPut.bind(this),
        claim: this.claimPut.bind(this),
        bind: this.bindPut.bind(this),
      } as unknown as ResourcePutting,
      {
        delete: this.delete.bind(this),
        refuseReferred: this.refuseReferred.bind(this),
      } as unknown as ResourceDeleting,
    );
    const held = {
      orHold: (_: unknown, _bundle: unknown, perform: () => unknown) => perform(),
    } as unknown as HeldBundles;
    this.processor = new BundleProcessor(
      VALIDATOR,
      new TransactionBundle(new TransactionPerformer(interactions, searching, store, unserved, work), calls, held),
      new BatchBundle(interactions, unserved, calls, held, Logger.create('silent')),
    );
  }

  async post(
    body: unknown,
    preferences: Partial<Preferences> = {},
    idempotencyKey: string | null = null,
    scopes: Caller['scopes'] = CALLER.scopes,
  ): Promise<Reply> {
    try {
      const request = {
        base: BASE,
        requestId: 'r',
        body,
        preferences: { ...NO_PREFERENCES, ...preferences },
        idempotencyKey,
      };
      const answer = await this.processor.process({ ...CALLER, scopes }, request);
      return { status: answer.status, body: answer.body as unknown as Reply['body'], headers: answer.headers ?? {} };
    } catch (thrown) {
      if (!(thrown instanceof SuturaError)) throw thrown;
      return {
        status: outcomeStatus(thrown),
        body: toOperationOutcome(thrown, 'r') as unknown as Reply['body'],
        headers: {},
      };
    }
  }

  async submit(caller: Caller, type: string, body: unknown): Promise<Submission> {
    const resource = await CHECK.valid(caller, type, body);
    this.strike(`submit ${type}`);
    return { resource, prepared: { resource, discard: () => Promise.resolve(void this.discarded.push(type)) } };
  }

  validUpdate(caller: Caller, type: string, body: unknown): Promise<Resource> {
    return CHECK.valid(caller, type, body);
  }

  async read(_: FhirCall, type: string, id: string, { ifNoneMatch }: Preconditions): Promise<FhirAnswer> {
    this.log.push(`read ${type}/${id}`);
    const found = this.stored.get(`${type}/${id}`);
    if (found === undefined) throw new SuturaError('fhir.not_found');
    return ifNoneMatch === `W/"${found.version}"`
      ? { status: 304, body: null, headers: { etag: ifNoneMatch } }
      : { status: 200, body: found };
  }

  readVersion(call: FhirCall, type: string, id: string): Promise<FhirAnswer> {
    return this.read(call, type, id, {});
  }

  history(call: FhirCall, type: string, id: string): Promise<FhirAnswer> {
    return this.read(call, type, id, {});
  }

  async search(_: FhirCall, type: string): Promise<FhirAnswer> {
    this.log.push(`search ${type}`);
    return { status: 200, body: { resourceType: 'Bundle', type: 'searchset' } };
  }

  /** Criteria are words here, which nothing meets or fails. */
  requireMet(): Promise<void> {
    return Promise.resolve();
  }

  async matchExisting(_: FhirCall, type: string, ifNoneExist: string): Promise<StoredResource | null> {
    this.log.push(`match ${type}?${ifNoneExist}`);
    const matches = this.matching(type, ifNoneExist);
    if (matches.length > 1) throw new SuturaError('fhir.multiple_matches');
    return matches[0] ?? null;
  }

  async assignId(_: FhirCall, { resource }: Submission): Promise<string> {
    this.log.push(
      `bind ${resource.resourceType} ${JSON.stringify((resource as { patient?: unknown }).patient ?? null)}`,
    );
    this.strike(`bind ${resource.resourceType}`);
    return `n${this.nextId++}`;
  }

  standsAlone(): boolean {
    return false;
  }

  async admit(call: FhirCall, { resource }: Submission, id: string): Promise<AdmittedResource> {
    this.log.push(`create ${resource.resourceType}`);
    this.strike(`create ${resource.resourceType}`);
    return { call, resource: { ...resource, id } };
  }

  async create(call: FhirCall, submission: Submission, id: string): Promise<StoredResource> {
    const [stored] = await this.insert([await this.admit(call, submission, id)]);
    return stored!;
  }

  advice(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async insert(admitted: readonly AdmittedResource[]): Promise<readonly StoredResource[]> {
    return admitted.map(({ call, resource }) => this.keep(resource, 1, call.transaction));
  }

  async settle(_: FhirCall, created: readonly StoredResource[]): Promise<readonly StoredResource[]> {
    this.log.push(`settle ${created.map(({ resource }) => resource.resourceType).join()}`);
    this.strike('settle');
    return created;
  }

  async update(
    { transaction }: FhirCall,
    type: string,
    id: string,
    body: unknown,
    { ifMatch }: Preconditions,
  ): Promise<FhirAnswer> {
    this.log.push(`update ${type}/${id}`);
    const current = this.stored.get(`${type}/${id}`);
    if (current === undefined) throw new AbsentResource();
    if (ifMatch !== undefined && ifMatch !== `W/"${current.version}"`) throw new SuturaError('fhir.version_conflict');
    return {
      status: 200,
      body: this.keep(body as Resource, current.version + 1, transaction),
      location: `${type}/${id}/_history/${current.version + 1}`,
    };
  }

  submitPut(caller: Caller, { type, body }: PutRequest): Promise<Submission> {
    return this.submit(caller, type, body);
  }

  async claimPut(call: FhirCall, { type, target }: PutRequest): Promise<StoredResource | null> {
    return target.kind === 'id'
      ? (this.stored.get(`${type}/${target.id}`) ?? null)
      : this.matchExisting(call, type, target.criteria);
  }

  async bindPut(_: FhirCall, { type, target }: PutRequest): Promise<BoundPut> {
    const id = target.kind === 'id' ? target.id : `n${this.nextId++}`;
    return { id, isKnown: this.stored.has(`${type}/${id}`) };
  }

  async patch(_: FhirCall, type: string, id: string, patch: SentPatch): Promise<FhirAnswer> {
    this.log.push(`patch ${type}/${id} ${JSON.stringify(patch.content)}`);
    return { status: 200, body: this.stored.get(`${type}/${id}`) ?? null };
  }

  delete(call: FhirCall, type: string, id: string): Promise<FhirAnswer> {
    const address = `${type}/${id}`;
    this.log.push(`delete ${address}`);
    const before = this.stored.get(address);
    if (before === undefined) return Promise.resolve({ status: 204, body: null });
    (call.transaction as MemoryTransaction).changed.set(address, before);
    this.stored.delete(address);
    return Promise.resolve({ status: 204, body: null, gone: before.resource });
  }

  refuseReferred(_: FhirCall, answers: readonly FhirAnswer[]): Promise<void> {
    for (const { gone } of answers) {
      if (gone === undefined) continue;
      this.log.push(`refuseReferred ${gone.resourceType}`);
      this.strike(`refer ${gone.resourceType}`);
    }
    return Promise.resolve();
  }

  /** Puts a resource where no Bundle brought it. */
  keep(resource: Resource, version = 1, transaction?: TenantTransaction): StoredResource {
    const address = `${resource.resourceType}/${resource.id}`;
    if (transaction instanceof MemoryTransaction) transaction.changed.set(address, this.stored.get(address));
    const stored: StoredResource = {
      resource,
      version,
      lastUpdated: new Date(),
      createdBy: { kind: 'client', keyId: CALLER.keyId },
    };
    this.stored.set(address, stored);
    return stored;
  }

  private matching(type: string, criteria: string): StoredResource[] {
    return (this.matches.get(`${type}?${criteria}`) ?? []).map((id) => this.stored.get(`${type}/${id}`)!);
  }

  private strike(step: string): void {
    const fault = this.faults.get(step);
    if (fault !== undefined) throw fault;
  }
}

class MemoryTransaction extends TenantTransaction {
  constructor(readonly tenant: Tenant) {
    super();
  }

  /** What stood at the addresses that it wrote to. */
  readonly changed = new Map<string, StoredResource | undefined>();

  afterCommit(): void {
    // Nothing waits for a commit here.
  }
}

class MemoryUnitOfWork extends UnitOfWork {
  constructor(private readonly ground: BundleGround) {
    super();
  }

  async inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    this.ground.transactions += 1;
    const transaction = new MemoryTransaction(tenant);
    try {
      return await work(transaction);
    } catch (fault) {
      for (const [address, before] of transaction.changed) {
        if (before === undefined) this.ground.stored.delete(address);
        else this.ground.stored.set(address, before);
      }
      throw fault;
    }
  }

  inSystem<T>(): Promise<T> {
    throw new Error('No Bundle is the work of the service itself.');
  }
}

class MemoryLedger extends IdempotencyLedger {
  private readonly answers = new Map<string, { readonly bodySha256: string; readonly answer: StoredAnswer }>();

  begin(_: TenantTransaction, { route, key }: IdempotencyKey): Promise<IdempotencyState> {
    const found = this.answers.get(`${route} ${key}`);
    return Promise.resolve(found === undefined ? { state: 'new' } : { state: 'stored', ...found });
  }

  store(_: TenantTransaction, { route, key, bodySha256 }: IdempotencyKey, answer: StoredAnswer): Promise<void> {
    this.answers.set(`${route} ${key}`, { bodySha256, answer: JSON.parse(JSON.stringify(answer)) as StoredAnswer });
    return Promise.resolve();
  }
}
