import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../core/ports/clock.js';
import type { OtherProtocol } from '../../../../standards/hl7v2/mllp/mllp-handler.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { refused } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { MessageAcceptance } from './message-acceptance.js';
import type { MessageOrigin } from './reply.js';

const DAY_MS = 24 * 60 * 60_000;
/** Most rows of one listener a day. */
const MOST_ROWS = 50;

/** Another protocol, or frames without their beginning or their end. */
export type FramingFault = OtherProtocol | 'begin' | 'end';

const PROBLEMS: Readonly<Record<FramingFault, Hl7Problem>> = {
  begin: refused(
    'message.unreadable',
    null,
    'Bytes came outside of a frame. A message in MLLP begins with 0x0B; look at the framing that the sender is set to.',
  ),
  end: refused(
    'message.unreadable',
    null,
    'The end of a frame did not come. A message in MLLP ends with 0x1C 0x0D; look at the framing that the sender is set to.',
  ),
  tls: refused(
    'message.protocol',
    null,
    'This looks like TLS; the listener speaks plain MLLP. Turn TLS off at the sender, or set the certificate of the listener (tls).',
  ),
  http: refused(
    'message.protocol',
    null,
    'This looks like HTTP; the listener speaks MLLP. Have the sender speak MLLP, or send to POST /hl7v2.',
  ),
  plain: refused(
    'message.protocol',
    null,
    'No TLS came; the listener speaks TLS alone. Turn TLS on at the sender, or send to a listener without a certificate.',
  ),
};

/**
 * Keeps a row of each sender that speaks another protocol than its listener, or frames no message, so that the one who connects the two sees why nothing comes. One a day
 * for each listener, address and protocol, and at most fifty of a listener: who scans a network does not fill the table.
 */
@Injectable()
export class OtherProtocols {
  /** When a row was last kept, by listener; within it by address and protocol. */
  private readonly kept = new Map<string, Map<string, number>>();

  constructor(
    private readonly acceptance: MessageAcceptance,
    private readonly clock: Clock,
  ) {}

  /** Never rejects. */
  async note(fault: FramingFault, origin: MessageOrigin): Promise<void> {
    if (this.isNew(origin.source.id, `${origin.address} ${fault}`))
      await this.acceptance.keepUnparsable(Buffer.alloc(0), origin, PROBLEMS[fault]);
  }

  private isNew(listenerId: string, sender: string): boolean {
    const now = this.clock.now().getTime();
    const known = this.kept.get(listenerId) ?? new Map<string, number>();
    for (const [each, at] of known) if (now - at >= DAY_MS) known.delete(each);
    if (known.has(sender) || known.size >= MOST_ROWS) return false;
    this.kept.set(listenerId, known.set(sender, now));
    return true;
  }
}
