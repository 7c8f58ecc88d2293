import { Injectable } from '@nestjs/common';
import type { QuotaPolicy } from '../../../core/organizations/quota-ledger.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { error } from '../../../standards/fhir/validation/resource-issue.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { readShape } from '../bundle/bundle-shape.js';
import { TransactionPerformer, type PerformedEntry } from '../bundle/transaction-performer.js';
import type { FhirCall } from '../call/fhir-call.js';

/** Takes a transaction Bundle of HL7 v2 messages as one that a client posts. */
@Injectable()
export class MessageBundles {
  constructor(
    private readonly validator: ResourceValidator,
    private readonly performer: TransactionPerformer,
    private readonly address: PublicAddress,
  ) {}

  /** See TransactionPerformer.perform. `fhir.bundle` for anything but a transaction. */
  async perform<T>(
    caller: Caller,
    bundle: unknown,
    asked: Pick<FhirCall, 'requestId' | 'confirmsIdentity'> & { readonly quota: QuotaPolicy },
    inside: (call: FhirCall, run: () => Promise<PerformedEntry[]>) => Promise<T>,
  ): Promise<T> {
    const shaped = await readShape(caller, bundle, this.validator);
    if (shaped.kind !== 'transaction')
      throw new OutcomeError('fhir.bundle', [error('not-supported', 'Bundle.type', 'Only a transaction is applied.')]);
    const { requestId, quota, confirmsIdentity = false } = asked;
    const base = `${this.address.url}/fhir`;
    const request = { base, requestId, strict: true, door: 'hl7v2', quota, confirmsIdentity } as const;
    return this.performer.perform(caller, request, shaped, inside);
  }
}
