import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { ResourceValidator } from '../validation/resource-validator.js';
import { BatchBundle } from './batch-bundle.js';
import { BundleProcessor, type BundleRequest } from './bundle-processor.js';
import { readShape } from './bundle-shape.js';
import { TransactionBundle } from './transaction-bundle.js';

/** Looks at the Bundle as a whole, and hands it to what its type asks for. */
@Injectable()
export class StandardBundleProcessor extends BundleProcessor {
  constructor(
    private readonly validator: ResourceValidator,
    private readonly transactions: TransactionBundle,
    private readonly batches: BatchBundle,
  ) {
    super();
  }

  async process(caller: Caller, request: BundleRequest): Promise<FhirAnswer> {
    const shaped = await readShape(request.body, this.validator);
    return shaped.kind === 'transaction'
      ? this.transactions.process(caller, request, shaped)
      : this.batches.process(caller, request, shaped);
  }
}
