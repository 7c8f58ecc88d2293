import { SuturaError } from '../errors/sutura-error.js';
import type { IdempotencyKey, IdempotencyLedger, StoredAnswer } from './idempotency-ledger.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

export interface IdempotentAnswer {
  readonly answer: StoredAnswer;
  readonly replayed: boolean;
}

/** Lets a caller repeat a request without doing the work twice (contract, Idempotency-Key). */
export class IdempotencyService {
  constructor(private readonly ledger: IdempotencyLedger) {}

  /**
   * Runs `work` once per key; a repeat with the same body gets the first answer. Only successes are kept:
   * a refusal rolls back with the caller's transaction and may be tried again under the same key.
   * `idempotency.mismatch`, `idempotency.in_flight`.
   */
  async run(
    transaction: TenantTransaction,
    key: IdempotencyKey | null,
    work: () => Promise<StoredAnswer>,
  ): Promise<IdempotentAnswer> {
    if (key === null) return { answer: await work(), replayed: false };
    const found = await this.find(transaction, key);
    if (found !== null) return { answer: found, replayed: true };
    const answer = await work();
    await this.ledger.store(transaction, key, answer);
    return { answer, replayed: false };
  }

  /** The first answer, where there was one: asked before costly preparation. Holds the key until the transaction ends. Refuses as `run` does. */
  async find(transaction: TenantTransaction, key: IdempotencyKey): Promise<StoredAnswer | null> {
    const found = await this.ledger.begin(transaction, key);
    if (found.state === 'in_flight') throw new SuturaError('idempotency.in_flight', { retryAfterS: 1 });
    if (found.state === 'new') return null;
    if (found.bodySha256 !== key.bodySha256) throw new SuturaError('idempotency.mismatch');
    return found.answer;
  }
}
