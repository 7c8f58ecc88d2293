import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { InboundStore, type KnownMessage, type StoredOutcome } from '../store/inbound-store.js';
import { MessageRunner } from '../processing/message-runner.js';
import type { ReceiptVerdict } from './receipt-verdict.js';
import type { Judged } from './reply.js';

/** How long a resend waits for the outcome of the message that it repeats. */
const WAIT_MS = 10_000;
const LOOK_MS = 100;

/** Answers messages of original mode that came before. */
@Injectable()
export class RepeatedMessages {
  constructor(
    private readonly store: InboundStore,
    private readonly desk: AcknowledgmentWriter,
    private readonly runs: MessageRunner,
  ) {}

  /**
   * With the stored outcome. One that nobody works on, because its process ended, because it could not be done at the time or because it was
   * refused and its cause may be mended by now, is done now; one that somebody works on is waited for. `service.unavailable` where that takes too long.
   */
  async answer(known: KnownMessage, receipt: ReceiptVerdict, source: Hl7Source): Promise<Judged> {
    const deadline = performance.now() + WAIT_MS;
    for (let now: StoredOutcome | null = known; now !== null; now = await this.store.read(known.record.id)) {
      const { record, ack } = now;
      if (record.state !== 'received' && record.state !== 'failed') return this.stored(record, ack, receipt, source);
      const held = await this.store.claim(record.id);
      if (held !== null) {
        const { ack: written, code, problems } = await this.runs.now(held, source);
        return { reply: { ack: written, code }, problems };
      }
      if (performance.now() > deadline) break;
      await delay(LOOK_MS);
    }
    throw new SuturaError('service.unavailable', { detail: 'The message is still being processed. Send it again.' });
  }

  private stored(
    { ackCode, acceptCode, problems }: InboundRecord,
    ack: Buffer | null,
    receipt: ReceiptVerdict,
    source: Hl7Source,
  ): Judged {
    // One that was refused in enhanced mode has an accept acknowledgment alone.
    const code = ackCode ?? (acceptCode === 'CR' ? 'AR' : 'AE');
    const bytes =
      ack === null
        ? this.desk.write({ request: receipt.request, source, code, problems, isEnhanced: false })
        : this.desk.freshen(ack, source);
    return { reply: { ack: bytes, code }, problems };
  }
}
