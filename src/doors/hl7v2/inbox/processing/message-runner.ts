import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { ConcurrencyLimit } from '../../../../platform/turns/concurrency-limit.js';
import { largeBodies, SMALL_BODY_BYTES } from '../../../../platform/turns/large-bodies.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { SourceDirectory } from '../listeners/source-directory.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { LeaseLost } from '../store/written-conclusions.js';
import { MessageLeases } from './message-leases.js';
import { MessageProcessor, Overdue, type Cancellation } from './message-processor.js';
import type { WrittenOutcome } from './outcome-writer.js';

/** Messages in work at once. They mostly wait for the database, where concurrent ones share a transaction. Few of them are large: a place for each of those is held since its receipt. */
const PLACES = 16;
/** The longest that a sender of original mode waits for its acknowledgment. */
const CAP_MS = 10_000;
const COMMIT_GRACE_MS = 1000;
/** A message that ended the process this often, or met a fault of the program, is given up. */
const MOST_ATTEMPTS = 5;

/** Processes messages, a bounded number at a time. */
@Injectable()
export class MessageRunner {
  private readonly places = new ConcurrencyLimit(PLACES);

  constructor(
    private readonly processor: MessageProcessor,
    private readonly leases: MessageLeases,
    private readonly sources: SourceDirectory,
    private readonly logger: Logger,
  ) {}

  /**
   * For a sender that waits. A message that takes too long is rolled back, and the sender asked to retry. On the second attempt the work continues (such as a merge of two long histories), and the next retry finds it done.
   * `service.unavailable`, LeaseLost.
   */
  async processNow(held: HeldMessage, source: Hl7Source): Promise<WrittenOutcome> {
    const cancellation: Cancellation = { isCancelled: false };
    const tooLong = new SuturaError('service.unavailable', { detail: 'The message took too long. Send it again.' });
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLong), CAP_MS);
    });
    const work = this.run(held, () => this.unlessCancelled(held, source, cancellation));
    // Work that ends after the sender was answered must not become an unhandled rejection.
    work.catch(() => undefined);
    try {
      return await Promise.race([work, overdue]);
    } catch (fault) {
      if (fault === tooLong && held.record.attempts > 1) throw fault;
      cancellation.isCancelled = true;
      return await this.putBack(held, source, fault, work);
    } finally {
      clearTimeout(timer);
    }
  }

  /** For a message that was accepted before. `service.busy`, and what MessageProcessor throws. */
  async later(held: HeldMessage): Promise<WrittenOutcome> {
    const source = await this.sources.of(held.record);
    if (held.record.attempts > MOST_ATTEMPTS)
      return this.processor.giveUp(held, source, new SuturaError('service.internal'), false);
    const { length } = held.bytes;
    const work = () => this.processor.process(held, source, { isCancelled: false });
    return this.run(
      held,
      length <= SMALL_BODY_BYTES ? work : () => largeBodies.run(held.record.organizationId, length, work),
    );
  }

  private run(held: HeldMessage, work: () => Promise<WrittenOutcome>): Promise<WrittenOutcome> {
    return this.leases.during(held, () => this.places.run(work));
  }

  /** Marks the message failed for now, unless its commit was quicker than the clock. If even that cannot be written, the lease runs out. */
  private async putBack(
    held: HeldMessage,
    source: Hl7Source,
    fault: unknown,
    work: Promise<WrittenOutcome>,
  ): Promise<WrittenOutcome> {
    this.logger.error('hl7.message_failed', { messageId: held.record.id }, fault);
    try {
      return await this.processor.giveUp(held, source, fault, true);
    } catch (second) {
      // The commit that ended the lease may be our own, still on its way to us.
      const settled =
        second instanceof LeaseLost ? await Promise.race([work.catch(() => null), delay(COMMIT_GRACE_MS, null)]) : null;
      if (settled !== null) return settled;
      throw second;
    }
  }

  private unlessCancelled(held: HeldMessage, source: Hl7Source, cancellation: Cancellation): Promise<WrittenOutcome> {
    if (cancellation.isCancelled) return Promise.reject(new Overdue('The sender no longer waits.'));
    return this.processor.process(held, source, cancellation);
  }
}
