import type { Resource } from '@medplum/fhirtypes';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { ResourceTarget, StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { TypesWith } from '../../../standards/fhir/types/type-table.js';

/** The result of preparation outside the transaction, such as a photo that was decoded, judged and put in the store. */
export interface Prepared<T extends Resource = Resource> {
  /** The resource as it goes on: inline bytes replaced by their address. */
  readonly resource: T;
  /** The id that the resource will have, where preparation had to choose it (a photo's folder is named by it). */
  readonly id?: string;
  /** For the sender, once the resource is created. */
  readonly warnings?: readonly string[];
  /** Inside the transaction, before the resource is inserted: keeps the prepared bytes. */
  keep?(call: FhirCall): Promise<void>;
  /** Takes back what was prepared, where the transaction failed. Must not throw. */
  discard?(): Promise<void>;
}

/** The types whose row says that core makes something of them. */
export type IntakeType = TypesWith<'intake', true>;

/**
 * The meaning of a type beyond being kept: a Media is a photo, a Patient a row that jobs point at. One intake a type; types
 * without one are kept as they are. All throw SuturaError or OutcomeError, which fail the request or the transaction.
 */
export abstract class ResourceIntake<T extends Resource = Resource> {
  abstract readonly type: IntakeType & T['resourceType'];
  /** True where settling makes a further version of the resource itself, which the request then answers with. */
  readonly changesWhenSettled: boolean = false;

  /**
   * True where a create of this resource reads and writes nothing else: admit and settle leave the transaction alone, and the id is unused.
   * Creates that stand alone may share a transaction with those of other requests.
   */
  standsAlone(resource: T): boolean {
    void resource;
    return false;
  }

  /** False for resources that are not kept at all, since some types are kept in part. Nothing of the resource is checked yet. */
  takes(resource: unknown): boolean {
    void resource;
    return true;
  }

  /** Slow work outside the transaction: decoding and storing bytes. Links between entries are not yet rewritten. */
  prepare(caller: Caller, resource: T): Promise<Prepared<T>> {
    void caller;
    return Promise.resolve({ resource });
  }

  /**
   * Inside the transaction, before links are rewritten: the id of the record of core that the resource is bound to (patient, wound), made
   * where there is none yet. undefined: the id of preparation, or a fresh UUIDv7. Called for Patient and Binary first, then for BodyStructure,
   * whose patient is rewritten by then, then for Media and DocumentReference, whose attachments are rewritten by then: a photo and its Binary
   * have one id.
   */
  bind(call: FhirCall, resource: T): Promise<string | undefined> {
    void call;
    void resource;
    return Promise.resolve(undefined);
  }

  /** Inside the transaction, links rewritten, structure and profile valid, id set: checks against the record, and gives the stored form. */
  admit(call: FhirCall, resource: T, prepared: Prepared<T>): Promise<T> {
    void call;
    void prepared;
    return Promise.resolve(resource);
  }

  /** Inside the transaction: may refuse or complete a change, also one that brings back what was deleted (`current.isDeletion`). Nothing was prepared: inline bytes are the intake's to refuse. The default accepts it. */
  amend(call: FhirCall, current: StoredResource<T>, next: T): Promise<T> {
    void call;
    void current;
    return Promise.resolve(next);
  }

  /** Inside the transaction, after a change is kept: its consequences. */
  changed(call: FhirCall, before: StoredResource<T>, after: StoredResource<T>): Promise<void> {
    void call;
    void before;
    void after;
    return Promise.resolve();
  }

  /** Photos whose reports were made with the resource, beside what it is a record of itself: while there is such a report it is not deleted. */
  photosOf(resource: T): readonly ResourceTarget[] {
    void resource;
    return [];
  }

  /** Inside the transaction, after the resource was deleted: its consequences. */
  deleted(call: FhirCall, before: StoredResource<T>): Promise<void> {
    void call;
    void before;
    return Promise.resolve();
  }

  /** Inside the transaction, after a create or change is kept and settled: warnings for its sender. The default has none. */
  advice(call: FhirCall, stored: StoredResource<T>): Promise<readonly string[]> {
    void call;
    void stored;
    return Promise.resolve([]);
  }

  /** For a read with `_inline=true`: the resource with the bytes that it otherwise only points at. The default has none. */
  inline(call: FhirCall, stored: StoredResource<T>): Promise<T> {
    void call;
    return Promise.resolve(stored.resource);
  }

  /** Inside the transaction, after everything of the request is inserted: its consequences (an order becomes a job). */
  settle(call: FhirCall, created: StoredResource<T>): Promise<void> {
    void call;
    void created;
    return Promise.resolve();
  }
}

/** The intakes by type. */
export class IntakeDirectory {
  private readonly byType: ReadonlyMap<string, ResourceIntake>;

  constructor(intakes: readonly ResourceIntake[]) {
    this.byType = new Map(intakes.map((intake) => [intake.type, intake]));
  }

  /** undefined: resources of the type are kept as they are. */
  of<T extends Resource>(type: T['resourceType']): ResourceIntake<T> | undefined {
    return this.byType.get(type) as ResourceIntake<T> | undefined;
  }
}
