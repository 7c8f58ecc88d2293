import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../core/ports/clock.js';
import type { AcknowledgmentCode } from '../../ack/acknowledgment-code.js';
import { newAcknowledgmentId, buildAcknowledgment } from '../../ack/acknowledgment.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { splittingBatch, type Hl7Batch } from '../../../../standards/hl7v2/er7/batch.js';
import { formatTime } from '../../../../standards/hl7v2/er7/hl7-time.js';
import { HL7_LIMITS } from '../../../../standards/hl7v2/er7/limits.js';
import { MessageWriter } from '../../../../standards/hl7v2/er7/message-writer.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { refused } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { InboundPipeline } from './inbound-pipeline.js';
import type { MessageOrigin, Reply } from './reply.js';

const TOO_LONG = refused(
  'message.too_long',
  null,
  `A batch has at most ${HL7_LIMITS.messages} messages. None of them was taken.`,
);
const COUNT_DIFFERS = refused('batch.count', { segment: 'BTS', sequence: 1, field: 1 });

/** Takes what arrives in one piece over either transport: a message, or a batch of them (FHS, BHS), which is answered by a batch. */
@Injectable()
export class MessageReceiver {
  constructor(
    private readonly pipeline: InboundPipeline,
    private readonly clock: Clock,
  ) {}

  async receive(bytes: Uint8Array, origin: MessageOrigin): Promise<Reply> {
    const batch = await inTurns(splittingBatch(bytes));
    if (batch === null) return this.pipeline.receive(bytes, origin);
    const replies: Reply[] = [];
    // One after another: a later message may build on an earlier one.
    for (const message of batch.messages) replies.push(await this.pipeline.receive(message, origin));
    return batchReply(batch, replies, this.clock.now(), origin.source);
  }
}

/** A batch is answered by a batch of acknowledgments, and one more where the count differs. */
function batchReply(
  { messages, isTooLong, declaredCount }: Hl7Batch,
  replies: readonly Reply[],
  sentAt: Date,
  source: MessageOrigin['source'],
): Reply {
  const acks = replies.flatMap(({ ack }) => ack ?? []);
  const isWhole = !isTooLong && (declaredCount === null || declaredCount === messages.length);
  const all = isWhole ? acks : [...acks, refusal(isTooLong ? TOO_LONG : COUNT_DIFFERS, sentAt, source)];
  const writer = new MessageWriter('2.5.1');
  // BHS-1 is the separator after the name, so that every field is one position further on than counted here.
  const head = writer.segment('BHS', {
    1: '^~\\&',
    2: 'SUTURA',
    3: 'SUTURA',
    6: formatTime(sentAt, 'UTC'),
    10: newAcknowledgmentId(),
  });
  const tail = writer.segment('BTS', { 1: String(all.length) });
  const code = isWhole ? worstOf(replies) : 'AE';
  const ack = Buffer.concat([Buffer.from(`${head}\r`), ...all, Buffer.from(`${tail}\r`)]);
  return { code, ack, problems: [] };
}

function refusal(problem: Hl7Problem, sentAt: Date, { processingIds }: MessageOrigin['source']): Buffer {
  const answer = {
    code: 'AE',
    problems: [problem],
    controlId: newAcknowledgmentId(),
    sentAt,
    timeZone: 'UTC',
    processingId: processingIds[0] ?? 'P',
    isEnhanced: false,
    orders: null,
  } as const;
  return Buffer.from(buildAcknowledgment({ header: null, message: null }, answer));
}

const FROM_WORST: readonly AcknowledgmentCode[] = ['AE', 'CE', 'AR', 'CR', 'AA', 'CA'];

/** The code of a batch is that of its worst message. */
function worstOf(replies: readonly Reply[]): AcknowledgmentCode {
  const codes = replies.map(({ code }) => code ?? 'AE');
  return FROM_WORST.find((code) => codes.includes(code)) ?? 'AA';
}
