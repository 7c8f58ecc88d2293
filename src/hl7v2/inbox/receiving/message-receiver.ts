import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import { splitBatch } from '../../er7/batch.js';
import { batchReply } from './batch-reply.js';
import { InboundPipeline } from './inbound-pipeline.js';
import type { MessageOrigin, Reply } from './reply.js';

/** What arrives in one piece, over either transport: a message, or a batch of them (FHS, BHS) that is answered by a batch. */
@Injectable()
export class MessageReceiver {
  constructor(
    private readonly pipeline: InboundPipeline,
    private readonly clock: Clock,
  ) {}

  async receive(bytes: Uint8Array, reception: MessageOrigin): Promise<Reply> {
    const batch = splitBatch(bytes);
    if (batch === null) return this.pipeline.receive(bytes, reception);
    const replies: Reply[] = [];
    // One after another: a later message may build on an earlier one.
    for (const message of batch.messages) replies.push(await this.pipeline.receive(message, reception));
    return batchReply(batch, replies, this.clock.now());
  }
}
