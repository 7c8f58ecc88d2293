import type { OperationOutcome, Resource } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { QuotaPolicy } from '../../../core/organizations/quota-ledger.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';

/** The caller, and the transaction that the answer is part of: one for a request, one for all entries of a transaction Bundle. */
export interface FhirCall {
  readonly transaction: TenantTransaction;
  readonly caller: Caller;
  /** Absolute, as the client addressed it: `https://…/fhir`. */
  readonly base: string;
  readonly requestId: string;
  /** The door of the call; absent: this one. */
  readonly door?: 'fhir' | 'hl7v2';
  /** `Type/id` of what the same transaction writes, whether it is written by now or not: references to it are no references to nothing. */
  readonly together?: ReadonlySet<string>;
  /** A person has decided that all patients, or those of these records (`Patient/id`), are who is stated: such a record may get another name and birth date at once. */
  readonly confirmsIdentity?: boolean | readonly string[];
  /** Quota policy for the analyses that follow from the call; absent: `refuse`. */
  readonly quota?: QuotaPolicy;
}

/** Whether a person has decided that the patient of this id is who is stated. */
export function isConfirmed(
  { confirmsIdentity = false }: Pick<FhirCall, 'confirmsIdentity'>,
  patientId: string,
): boolean {
  return typeof confirmsIdentity === 'boolean' ? confirmsIdentity : confirmsIdentity.includes(`Patient/${patientId}`);
}

/** Conditions that a request or a Bundle entry carries (RFC 9110; R4 http.html 3.1.0.5). Versions are those of weak ETags. */
export interface Preconditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  /** A search without its `?`. */
  readonly ifNoneExist?: string | undefined;
}

/** The result of an interaction, before a door gives it its form (HTTP headers, Bundle.entry.response). */
export interface FhirAnswer {
  readonly status: number;
  /** null: no body (304, 204). A Bundle of a search or history, or the resource of an operation, comes without store data. */
  readonly body: StoredResource | Resource | null;
  /** `Type/id/_history/v` of the created, changed or matched resource, relative to the base. */
  readonly location?: string;
  readonly outcome?: OperationOutcome;
  /** What was deleted, for the audit trail; no door shows it. */
  readonly gone?: Resource;
  /** Further headers of the HTTP answer, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function isStored(body: FhirAnswer['body']): body is StoredResource {
  return body !== null && 'createdBy' in body && 'version' in body && 'resource' in body;
}
