import type { OperationOutcome, Resource, ResourceType } from '@medplum/fhirtypes';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { StoredResource } from '../store/resource-store.js';
import type { FhirAnswer, FhirCall, Preconditions } from '../call/fhir-call.js';
import type { HistoryReading } from './history-reading.js';
import type { ResourceChanging } from './resource-changing.js';
import type { PutRequest } from './put-request.js';
import {
  ResourceInteractions,
  type AdmittedResource,
  type BoundPut,
  type Submission,
} from './resource-interactions.js';
import type { ResourcePutting } from './resource-putting.js';
import type { ResourceReading } from './resource-reading.js';
import type { ResourceWriting } from './resource-writing.js';
import type { SentPatch } from './sent-patch.js';

/** The interactions over the store, the search and the intakes of this service. */
export class StandardInteractions extends ResourceInteractions {
  constructor(
    private readonly reading: ResourceReading,
    private readonly histories: HistoryReading,
    private readonly writing: ResourceWriting,
    private readonly changing: ResourceChanging,
    private readonly putting: ResourcePutting,
  ) {
    super();
  }

  submit(caller: Caller, type: string, body: unknown): Promise<Submission> {
    return this.writing.submit(caller, type, body);
  }

  read(call: FhirCall, type: string, id: string, conditions: Preconditions): Promise<FhirAnswer> {
    return this.reading.read(call, type, id, conditions);
  }

  readVersion(call: FhirCall, type: string, id: string, version: string): Promise<FhirAnswer> {
    return this.reading.readVersion(call, type, id, version);
  }

  history(call: FhirCall, type: string, id: string, parameters: URLSearchParams): Promise<FhirAnswer> {
    return this.histories.ofInstance(call, type, id, parameters);
  }

  changes(call: FhirCall, type: string | null, parameters: URLSearchParams): Promise<FhirAnswer> {
    return type === null ? this.histories.ofSystem(call, parameters) : this.histories.ofType(call, type, parameters);
  }

  search(call: FhirCall, type: string, parameters: URLSearchParams, strict: boolean): Promise<FhirAnswer> {
    return this.reading.search(call, type, parameters, strict);
  }

  matchExisting(call: FhirCall, type: ResourceType, ifNoneExist: string): Promise<StoredResource | null> {
    return this.writing.matchExisting(call, type, ifNoneExist);
  }

  assignId(call: FhirCall, submission: Submission): Promise<string> {
    return this.writing.assignId(call, submission);
  }

  standsAlone(submission: Submission): boolean {
    return this.writing.standsAlone(submission);
  }

  admit(call: FhirCall, submission: Submission, id: string): Promise<AdmittedResource> {
    return this.writing.admit(call, submission, id);
  }

  insert(admitted: readonly AdmittedResource[]): Promise<readonly StoredResource[]> {
    return this.writing.insert(admitted);
  }

  settle(call: FhirCall, created: readonly StoredResource[]): Promise<readonly StoredResource[]> {
    return this.writing.settle(call, created);
  }

  override advice(call: FhirCall, created: StoredResource): Promise<OperationOutcome | undefined> {
    return this.writing.advice(call, created);
  }

  validUpdate(caller: Caller, type: string, body: unknown): Promise<Resource> {
    return this.changing.valid(caller, type, body);
  }

  update(call: FhirCall, type: string, id: string, body: unknown, conditions: Preconditions): Promise<FhirAnswer> {
    return this.changing.update(call, type, id, body, conditions);
  }

  submitPut(caller: Caller, wish: PutRequest): Promise<Submission> {
    return this.putting.submit(caller, wish);
  }

  claimPut(call: FhirCall, wish: PutRequest): Promise<StoredResource | null> {
    return this.putting.claim(call, wish);
  }

  bindPut(call: FhirCall, wish: PutRequest, submission: Submission): Promise<BoundPut> {
    return this.putting.bind(call, wish, submission);
  }

  patch(call: FhirCall, type: string, id: string, patch: SentPatch, conditions: Preconditions): Promise<FhirAnswer> {
    return this.changing.patch(call, type, id, patch, conditions);
  }
}
