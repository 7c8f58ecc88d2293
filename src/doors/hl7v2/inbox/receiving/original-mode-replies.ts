import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { applicationCodeOf } from '../../ack/acknowledgment-code.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { MessageRunner } from '../processing/message-runner.js';
import type { InboundRecord, NewInbound } from '../store/inbound-record.js';
import { InboundStore, type KnownMessage, type StoredOutcome } from '../store/inbound-store.js';
import type { InitialVerdict } from './initial-verdict.js';
import type { Reply } from './reply.js';

/** The longest that a resend waits for the outcome of the message that it repeats. */
const WAIT_MS = 10_000;
const LOOK_MS = 100;

/** Replies of original mode: one application acknowledgment, sent once the message is processed. */
@Injectable()
export class OriginalModeReplies {
  constructor(
    private readonly store: InboundStore,
    private readonly runner: MessageRunner,
    private readonly encryption: MessageEncryption,
    private readonly acknowledgments: AcknowledgmentWriter,
  ) {}

  /** Processes a message that was just stored. Throws what MessageRunner.now throws. */
  async toNew(message: NewInbound, bytes: Buffer, source: Hl7Source): Promise<Reply> {
    const { problems, ackCode } = message;
    if (message.state === 'failed')
      return { ack: this.encryption.open(message.ack!, message.id), code: ackCode, problems };
    const record = {
      ...message,
      receivedAt: new Date(),
      attempts: 1,
      replays: 0,
      processedAt: null,
      analysisIds: [],
      pointedImageIds: [],
      erased: [],
      heldItemId: null,
    };
    return this.runner.processNow({ record, bytes, leaseToken: message.leaseToken! }, source);
  }

  /**
   * Answers a resend with the stored outcome. A message that no process works on is processed now: its process ended, it could not be done at the
   * time, or it was refused and the cause may be mended by now. A message in work is waited for. `service.unavailable` where that takes too long.
   */
  async toRepeated(known: KnownMessage, verdict: InitialVerdict, source: Hl7Source): Promise<Reply> {
    const deadline = performance.now() + WAIT_MS;
    for (let now: StoredOutcome | null = known; now !== null; now = await this.store.read(known.record.id)) {
      const { record, ack } = now;
      if (record.state !== 'received' && record.state !== 'failed') return this.stored(record, ack, verdict, source);
      const held = await this.store.claim(record.id);
      if (held !== null) return this.runner.processNow(held, source);
      if (performance.now() > deadline) break;
      await delay(LOOK_MS);
    }
    throw new SuturaError('service.unavailable', { detail: 'The message is still being processed. Send it again.' });
  }

  toRefused({ request, problems }: InitialVerdict, source: Hl7Source): Reply {
    const code = applicationCodeOf(problems);
    return {
      code,
      ack: this.acknowledgments.write({ request, source, code, problems, isEnhanced: false }),
      problems,
    };
  }

  private stored(
    { ackCode, acceptCode, problems }: InboundRecord,
    ack: Buffer | null,
    { request }: InitialVerdict,
    source: Hl7Source,
  ): Reply {
    // A message that was refused in enhanced mode has an accept acknowledgment alone.
    const code = ackCode ?? (acceptCode === 'CR' ? 'AR' : 'AE');
    const bytes =
      ack === null
        ? this.acknowledgments.write({ request, source, code, problems, isEnhanced: false })
        : this.acknowledgments.reissue(ack, source);
    return { ack: bytes, code, problems };
  }
}
