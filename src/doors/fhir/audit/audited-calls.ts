import { Injectable } from '@nestjs/common';
import type { IdempotencyKey, StoredAnswer } from '../../../core/idempotency/idempotency-ledger.js';
import { IdempotencyService, type IdempotentAnswer } from '../../../core/idempotency/idempotency.service.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirCall } from '../call/fhir-call.js';
import { FhirAudit, type AuditedInteraction, type Touched } from './fhir-audit.js';

/** Calls in transactions: what a caller asks for, its row in the audit trail, and the answer that a repeat gets are committed together. */
@Injectable()
export class AuditedCalls {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: IdempotencyService,
    private readonly audit: FhirAudit,
  ) {}

  /** One transaction of the caller's tenant. */
  run<T>(
    { caller, base, requestId }: Pick<FhirCall, 'caller' | 'base' | 'requestId'>,
    work: (call: FhirCall) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.inTenant(caller, (transaction) => work({ transaction, caller, base, requestId }));
  }

  /** Runs `work` once per key: see IdempotencyService.run. */
  once(
    { transaction }: FhirCall,
    key: IdempotencyKey | null,
    work: () => Promise<StoredAnswer>,
  ): Promise<IdempotentAnswer> {
    return this.idempotency.run(transaction, key, work);
  }

  /** The answer that was given under this key, in a transaction of its own; null: none. */
  async answered(caller: Caller, key: IdempotencyKey | null): Promise<StoredAnswer | null> {
    if (key === null) return null;
    return this.unitOfWork.inTenant(caller, (transaction) => this.idempotency.find(transaction, key));
  }

  /** `service.unavailable` if the access cannot be recorded: then nothing may be answered or stored. */
  record(call: FhirCall, interaction: AuditedInteraction, touched: Touched): Promise<void> {
    return this.audit.record(call, interaction, touched);
  }
}
