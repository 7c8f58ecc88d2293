import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { BatchBundle } from './batch-bundle.js';
import { readShape, type BundleRequest } from './bundle-shape.js';
import { TransactionBundle } from './transaction-bundle.js';

/** Transactions and batches (R4 http.html 3.1.0.11; standards 3.4). */
@Injectable()
export class BundleProcessor {
  constructor(
    private readonly validator: ResourceValidator,
    private readonly transactions: TransactionBundle,
    private readonly batches: BatchBundle,
  ) {}

  /**
   * A `transaction-response` or `batch-response`. Opens its transactions itself. `fhir.bundle`, and for a transaction the refusal of its
   * first bad entry.
   */
  async process(caller: Caller, request: BundleRequest): Promise<FhirAnswer> {
    const shaped = await readShape(caller, request.body, this.validator);
    return shaped.kind === 'transaction'
      ? this.transactions.process(caller, request, shaped)
      : this.batches.process(caller, request, shaped);
  }
}
