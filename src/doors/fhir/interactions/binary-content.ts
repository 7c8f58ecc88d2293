import type { Binary } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { Prepared } from './resource-intake.js';

/** Version of bytes that are written once. */
export const ONLY_VERSION = '1';

/** Raw bytes that were posted to `Binary`. */
export interface BinarySubmission {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** `X-Security-Context`: the reference in Binary.securityContext; null without one. */
  readonly securityContext: string | null;
}

/** Raw bytes as they are served. */
export interface BinaryBytes {
  readonly contentType: string;
  /** All bytes; the door cuts out a range. */
  readonly bytes: Buffer;
  /** Strong entity tag of these bytes, with its quotes. */
  readonly entityTag: string;
  /** 1 for bytes that stay as they are. A document is made anew once a photo in it is erased: its version is its digest. */
  readonly versionId: string;
  readonly lastModified: Date;
  readonly securityContext: string | null;
}

/**
 * Fetches or sets the bytes; their subject is known by then. `held`: the transaction that the caller still holds, which is used instead of a
 * second connection.
 */
export type LoadBytes = (held?: TenantTransaction) => Promise<Omit<BinaryBytes, 'securityContext'>>;

/** Bytes that the caller may have. Where it can be, they are fetched, or a document is set, after the transaction, which would hold its connection meanwhile. */
export interface OpenedBinary {
  readonly securityContext: string | null;
  /** `image.unavailable`. */
  load(held?: TenantTransaction): Promise<BinaryBytes>;
}

/** The bytes behind Binary resources: photos, attachments, and reports as PDF. They never lie in a JSON column. */
export abstract class BinaryContent {
  /** Outside any transaction, as ResourceIntake.prepare: judges and stores the bytes. `fhir.image` and the refusals of an upload. */
  abstract submit(caller: Caller, submission: BinarySubmission): Promise<Prepared<Binary>>;
  /** `fhir.not_found`, `fhir.gone`. What the caller may read has been checked by scope; `visible` 'own' asks for the key's own only. */
  abstract open(call: FhirCall, id: string, visible: 'all' | 'own'): Promise<OpenedBinary>;
}
