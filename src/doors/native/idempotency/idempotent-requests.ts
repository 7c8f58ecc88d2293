import { Injectable } from '@nestjs/common';
import { IdempotencyService } from '../../../core/idempotency/idempotency.service.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { fromStoredAnswer, toIdempotencyKey, toStoredAnswer } from './idempotent-request.js';

/** A write, and what a repeat with the same Idempotency-Key is recognised by. */
export interface IdempotentRequest {
  /** The method and the path of the frozen contract. */
  readonly route: string;
  /** null: the request is not to be repeated. */
  readonly key: string | null;
  readonly body: unknown;
}

/** Writes in one transaction with their answer, which a repeat gets. */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** `idempotency.mismatch`, `idempotency.in_flight`. */
  async run(
    caller: Caller,
    { route, key, body }: IdempotentRequest,
    work: (transaction: TenantTransaction) => Promise<HttpAnswer>,
  ): Promise<HttpAnswer> {
    const done = await this.unitOfWork.inTenant(caller, (transaction) =>
      this.idempotency.run(transaction, toIdempotencyKey(route, key, body), async () =>
        toStoredAnswer(await work(transaction)),
      ),
    );
    return fromStoredAnswer(done);
  }
}
