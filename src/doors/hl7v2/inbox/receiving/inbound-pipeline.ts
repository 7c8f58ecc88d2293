import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../../platform/failpoints.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { acknowledgmentModeOf } from '../../ack/acknowledgment-mode.js';
import { peekHeader, type PeekedHeader } from '../../../../standards/hl7v2/er7/message-header.js';
import type { MessageHeader } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { largeBodies, SMALL_BODY_BYTES } from '../../../../platform/turns/large-bodies.js';
import { problemsOf } from '../../ack/record-faults.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { messageKindOf } from '../../mapping/message-kinds.js';
import { IncomingTraffic } from '../processing/incoming-traffic.js';
import { Hl7Metrics } from './hl7-metrics.js';
import { MessageAcceptance } from './message-acceptance.js';
import { judgeOnReceipt, TOO_LONG, type InitialVerdict } from './initial-verdict.js';
import { ReceivedAcknowledgments } from './received-acknowledgments.js';
import type { MessageOrigin, Reply } from './reply.js';

/** The verdict on a message of which no more than the header was looked at. */
function verdictOf(header: MessageHeader, problems: readonly Hl7Problem[], source: Hl7Source): InitialVerdict {
  const mode = acknowledgmentModeOf(header, source.acknowledgment);
  return { header, mode, problems, request: { header, message: null }, isTooLong: true };
}

/**
 * The way of a message from its frame to its acknowledgment (docs/conformance/hl7v2.md): read its header, store it, and answer once it is safe: in enhanced mode with an accept acknowledgment, in original mode with the outcome.
 */
@Injectable()
export class InboundPipeline {
  constructor(
    private readonly acceptance: MessageAcceptance,
    private readonly acknowledgments: ReceivedAcknowledgments,
    private readonly traffic: IncomingTraffic,
    private readonly metrics: Hl7Metrics,
    private readonly logger: Logger,
  ) {}

  /** Takes one complete message. Never throws: a message that cannot be kept is answered so. */
  async receive(message: Uint8Array, origin: MessageOrigin): Promise<Reply> {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    const peeked = peekHeader(bytes);
    if (peeked === null) return this.acceptance.keepUnparsable(bytes, origin);
    if (messageKindOf(peeked.header) === 'answer') return this.noteAcknowledgment(bytes, origin);
    if (bytes.length <= SMALL_BODY_BYTES) return this.take(bytes, peeked, origin);
    try {
      return await largeBodies.run(origin.source.organizationId, bytes.length, () => this.take(bytes, peeked, origin));
    } catch (fault) {
      return this.refuse(peeked.header, problemsOf(fault), origin);
    }
  }

  private async take(bytes: Buffer, peeked: PeekedHeader, origin: MessageOrigin): Promise<Reply> {
    const began = performance.now();
    const verdict = await judgeOnReceipt(bytes, peeked, origin.source);
    const reply = await this.traffic.during(() => this.acceptance.accept(bytes, verdict, origin));
    if (reply.code !== null) this.metrics.acknowledged(reply.code, (performance.now() - began) / 1000, reply.problems);
    await failpoint('hl7_before_ack');
    return reply;
  }

  /** Answers a message over the size limit by its first bytes. Nothing of it is kept. */
  oversize(beginning: Uint8Array, { source, transport }: MessageOrigin): Reply {
    this.metrics.received(transport, 'oversize');
    const header = peekHeader(beginning)?.header ?? null;
    this.logger.warn('hl7.message_too_long', { listenerId: source.id, hasHeader: header !== null });
    if (header === null) return { ack: null, code: null, problems: [] };
    return this.acceptance.refuse(verdictOf(header, [TOO_LONG], source), source);
  }

  /** Answers a message of which nothing is kept, as much is being worked on already. */
  private refuse(header: MessageHeader, problems: readonly Hl7Problem[], { source, transport }: MessageOrigin): Reply {
    this.metrics.received(transport, 'not_kept');
    this.logger.warn('hl7.message_not_taken', { listenerId: source.id, codes: problems.map(({ code }) => code) });
    return this.acceptance.refuse(verdictOf(header, problems, source), source);
  }

  private async noteAcknowledgment(bytes: Buffer, { source, transport }: MessageOrigin): Promise<Reply> {
    this.metrics.received(transport, 'answer');
    await this.acknowledgments.note(bytes, source);
    return { ack: null, code: 'AA', problems: [] };
  }
}
