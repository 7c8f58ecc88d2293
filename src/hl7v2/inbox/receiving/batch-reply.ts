import type { AcknowledgmentCode } from '../../ack/acknowledgment-code.js';
import { newAcknowledgmentId, buildAcknowledgment } from '../../ack/acknowledgment.js';
import type { Hl7Batch } from '../../er7/batch.js';
import { formatTime } from '../../er7/hl7-time.js';
import { HL7_LIMITS } from '../../er7/limits.js';
import { MessageWriter } from '../../er7/message-writer.js';
import type { Hl7Problem } from '../../problems/hl7-problem.js';
import { refused } from '../../problems/problem-catalogue.js';
import type { Reply } from './reply.js';

const TOO_LONG = refused(
  'message.too_long',
  null,
  `A batch has at most ${HL7_LIMITS.messages} messages. None of them was taken.`,
);
const COUNT_DIFFERS = refused('batch.count', { segment: 'BTS', sequence: 1, field: 1 });

/** Messages that come together are answered together: a batch of their acknowledgments, and one more where the count differs. */
export function batchReply(
  { messages, isTooLong, statedCount }: Hl7Batch,
  replies: readonly Reply[],
  sentAt: Date,
): Reply {
  const acks = replies.flatMap(({ ack }) => ack ?? []);
  const isWhole = !isTooLong && (statedCount === null || statedCount === messages.length);
  const all = isWhole ? acks : [...acks, refusal(isTooLong ? TOO_LONG : COUNT_DIFFERS, sentAt)];
  const writer = new MessageWriter('2.5.1');
  // BHS-1 is the separator behind the name, so that every field stands one place further on than it is counted here.
  const head = writer.segment('BHS', {
    1: '^~\\&',
    2: 'SUTURA',
    3: 'SUTURA',
    6: formatTime(sentAt, 'UTC'),
    10: newAcknowledgmentId(),
  });
  const tail = writer.segment('BTS', { 1: String(all.length) });
  const code = isWhole ? worstOf(replies) : 'AE';
  return { code, ack: Buffer.concat([Buffer.from(`${head}\r`), ...all, Buffer.from(`${tail}\r`)]) };
}

function refusal(problem: Hl7Problem, sentAt: Date): Buffer {
  const answer = {
    code: 'AE',
    problems: [problem],
    controlId: newAcknowledgmentId(),
    sentAt,
    timeZone: 'UTC',
    isEnhanced: false,
    orders: null,
  } as const;
  return Buffer.from(buildAcknowledgment({ header: null, message: null }, answer));
}

const FROM_WORST: readonly AcknowledgmentCode[] = ['AE', 'CE', 'AR', 'CR', 'AA', 'CA'];

/** The status of the whole is that of its worst message. */
function worstOf(replies: readonly Reply[]): AcknowledgmentCode {
  const codes = replies.map(({ code }) => code ?? 'AE');
  return FROM_WORST.find((code) => codes.includes(code)) ?? 'AA';
}
