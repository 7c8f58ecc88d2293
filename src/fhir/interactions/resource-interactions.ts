import type { OperationOutcome, Resource, ResourceType } from '@medplum/fhirtypes';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { Prepared } from './resource-intake.js';
import type { StoredResource } from '../store/resource-store.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import type { PutRequest } from './put-request.js';
import type { SentPatch } from './sent-patch.js';

/** A resource that may be created or put: valid by structure and profile, its bytes prepared. */
export interface Submission<T extends Resource = Resource> {
  readonly resource: T;
  readonly prepared: Prepared<T>;
}

/** What is ready to be inserted, and the call that it is part of. */
export interface AdmittedResource {
  readonly call: FhirCall;
  readonly resource: Resource;
}

/** The id that a resource gets which is put where there was none. */
export interface BoundPut {
  readonly id: string;
  /** It is there already, known to core by another identifier, and is to be updated. */
  readonly isKnown: boolean;
}

/**
 * The interactions of R4 with one resource, the same for a request and for an entry of a Bundle. Each checks what the caller may do
 * (`auth.scope`), and whether the type has the interaction (`fhir.type_not_supported`, `fhir.interaction_not_supported`).
 */
export abstract class ResourceInteractions {
  /**
   * Outside any transaction: validates, then prepares. `fhir.structure`, `fhir.profile`, `fhir.image`, `fhir.url_refused`. Who called it calls
   * `prepared.discard` where the transaction fails, or where the submission is not created because its criteria match.
   */
  abstract submit(caller: Caller, type: string, body: unknown): Promise<Submission>;
  abstract read(call: FhirCall, type: string, id: string, conditions: Preconditions): Promise<FhirAnswer>;
  abstract readVersion(call: FhirCall, type: string, id: string, version: string): Promise<FhirAnswer>;
  abstract history(call: FhirCall, type: string, id: string, parameters: URLSearchParams): Promise<FhirAnswer>;
  /** Of every resource of a type; null: of all types whose history the key may read. */
  abstract changes(call: FhirCall, type: string | null, parameters: URLSearchParams): Promise<FhirAnswer>;
  abstract search(call: FhirCall, type: string, parameters: URLSearchParams, strict: boolean): Promise<FhirAnswer>;
  /** The resource that `ifNoneExist` matches, or null; waits for others with the same criteria. `fhir.multiple_matches`. */
  abstract matchExisting(call: FhirCall, type: ResourceType, ifNoneExist: string): Promise<StoredResource | null>;
  /** The id that the new resource will have: see ResourceIntake.bind. */
  abstract assignId(call: FhirCall, submission: Submission): Promise<string>;
  /** Whether nothing but the resource itself comes of it, so that its create may share a transaction with those of other requests. */
  abstract standsAlone(submission: Submission): boolean;
  /** Calls `prepared.keep` and the intake's admit; links are rewritten by now. The resource as it is to be inserted. */
  abstract admit(call: FhirCall, submission: Submission, id: string): Promise<AdmittedResource>;
  /**
   * Inserts what was admitted, everything that is created in the transaction, and checks that what it refers to is there: `fhir.duplicate` or
   * `fhir.reference`, an OutcomeError whose `about` says which of them. `settle` follows.
   */
  abstract insert(admitted: readonly AdmittedResource[]): Promise<readonly StoredResource[]>;
  /** admit and insert of one. */
  async create(call: FhirCall, submission: Submission, id: string): Promise<StoredResource> {
    const [stored] = await this.insert([await this.admit(call, submission, id)]);
    return stored!;
  }
  /** Settles the intakes of what was inserted. The resources as they then are, in the same order. */
  abstract settle(call: FhirCall, created: readonly StoredResource[]): Promise<readonly StoredResource[]>;
  /** What the sender of a created resource has to know of it, once it is settled; undefined: nothing. */
  advice(call: FhirCall, created: StoredResource): Promise<OperationOutcome | undefined> {
    void call;
    void created;
    return Promise.resolve(undefined);
  }
  /** Outside any transaction: the body of an update, by structure and profile valid. `update` checks it again, with its links rewritten. */
  abstract validUpdate(caller: Caller, type: string, body: unknown): Promise<Resource>;
  /** Replaces a resource. It brings no bytes: nothing is prepared. `AbsentResource` where there is none. */
  abstract update(
    call: FhirCall,
    type: string,
    id: string,
    body: unknown,
    conditions: Preconditions,
  ): Promise<FhirAnswer>;
  /** As `submit`, for a PUT that may create. */
  abstract submitPut(caller: Caller, wish: PutRequest): Promise<Submission>;
  /**
   * What a PUT means, or null where it is to create; waits for others with the same id or criteria. `fhir.multiple_matches`, `fhir.id_mismatch`,
   * `fhir.version_conflict`, `AbsentResource` for an unknown id of the server's form.
   */
  abstract claimPut(call: FhirCall, wish: PutRequest): Promise<StoredResource | null>;
  /** After a claim that found nothing: as `assignId`, and from here on the client's id names the resource. */
  abstract bindPut(call: FhirCall, wish: PutRequest, submission: Submission): Promise<BoundPut>;
  abstract patch(
    call: FhirCall,
    type: string,
    id: string,
    patch: SentPatch,
    conditions: Preconditions,
  ): Promise<FhirAnswer>;
}
