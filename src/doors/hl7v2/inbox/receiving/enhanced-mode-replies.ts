import { Injectable } from '@nestjs/common';
import { acceptCodeOf } from '../../ack/acknowledgment-code.js';
import { NO_RETURN, returnWayOf } from '../../ack/acknowledgment-mode.js';
import { AcknowledgmentWriter } from '../../ack/acknowledgment-writer.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { DeferredConnections } from '../processing/deferred-connections.js';
import { InboundWorker } from '../processing/inbound-worker.js';
import type { NewInbound } from '../store/inbound-record.js';
import { InboundStore, type KnownMessage } from '../store/inbound-store.js';
import { initialStateOf, type InitialVerdict } from './initial-verdict.js';
import type { MessageOrigin, Reply } from './reply.js';

/** Replies of enhanced mode: an accept acknowledgment once the message is safe. The worker processes the message afterwards. */
@Injectable()
export class EnhancedModeReplies {
  constructor(
    private readonly store: InboundStore,
    private readonly worker: InboundWorker,
    private readonly connections: DeferredConnections,
    private readonly acknowledgments: AcknowledgmentWriter,
  ) {}

  toNew(message: NewInbound, verdict: InitialVerdict, origin: MessageOrigin): Reply {
    if (message.state === 'received') this.processLater(message, verdict, origin);
    return this.accept(verdict, origin.source);
  }

  async toRepeated({ record, ack }: KnownMessage, verdict: InitialVerdict, origin: MessageOrigin): Promise<Reply> {
    const { source, connection } = origin;
    if (record.state === 'failed' && verdict.problems.length === 0) {
      const { acceptCode, applicationAck } = initialStateOf(verdict);
      await this.store.tryAgain(record.id, acceptCode, applicationAck);
      this.processLater({ id: record.id, applicationAck }, verdict, origin);
      return this.accept(verdict, source);
    }
    const problems = record.acceptCode === 'CE' || record.acceptCode === 'CR' ? record.problems : [];
    // A sender that waits on its connection, and lost the first one, hears the outcome on this one.
    if (
      returnWayOf(verdict.mode, source) === 'connection' &&
      record.applicationAck === 'later' &&
      connection !== null
    ) {
      if (ack === null) this.connections.remember(record.id, connection);
      else setImmediate(() => connection.send(this.acknowledgments.reissue(ack, source)));
    }
    return this.accept({ ...verdict, problems }, source);
  }

  /** The accept acknowledgment, positive or negative. */
  accept(verdict: InitialVerdict, source: Hl7Source): Reply {
    const { mode, request, problems } = verdict;
    const code = acceptCodeOf(problems);
    const { acceptCode, applicationAck } = initialStateOf(verdict);
    if (acceptCode === null) return { code, ack: null, problems };
    const stated = applicationAck === 'later' && returnWayOf(mode, source) === null ? [NO_RETURN] : problems;
    return {
      code,
      ack: this.acknowledgments.write({ request, source, code, problems: stated, isEnhanced: true }),
      problems,
    };
  }

  private processLater(
    { id, applicationAck }: Pick<NewInbound, 'id' | 'applicationAck'>,
    { mode }: InitialVerdict,
    { source, connection }: MessageOrigin,
  ): void {
    if (applicationAck === 'later' && returnWayOf(mode, source) === 'connection' && connection !== null)
      this.connections.remember(id, connection);
    // After the accept acknowledgment has left.
    setImmediate(() => this.worker.wake());
  }
}
