import type { Caller } from '../../core/tenancy/api-key.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import type { Preferences } from '../call/preferences.js';

/** A Bundle that was posted to the base, as it came in: JSON, and nothing of it checked. */
export interface BundleRequest {
  /** Absolute, as the client addressed it: `https://…/fhir`. */
  readonly base: string;
  readonly requestId: string;
  readonly body: unknown;
  readonly preferences: Preferences;
  /** The key of `Idempotency-Key`, unquoted; null without one. */
  readonly idempotencyKey: string | null;
}

/** Transactions and batches (R4 http.html 3.1.0.11; standards 3.4). */
export abstract class BundleProcessor {
  /** A `transaction-response` or `batch-response`. Opens its transactions itself. `fhir.bundle`, and for a transaction whatever its first bad entry is refused with. */
  abstract process(caller: Caller, request: BundleRequest): Promise<FhirAnswer>;
}
