import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { failpoint } from '../../../../platform/failpoints.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { problemsOf } from '../../ack/record-faults.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { NewInbound } from '../store/inbound-record.js';
import { InboundStore, type KnownMessage } from '../store/inbound-store.js';
import { EnhancedModeReplies } from './enhanced-mode-replies.js';
import { Hl7Metrics } from './hl7-metrics.js';
import { InboundMessageFactory } from './inbound-message.factory.js';
import { OriginalModeReplies } from './original-mode-replies.js';
import { CONTROL_ID_REUSED, UNPARSABLE, type InitialVerdict } from './initial-verdict.js';
import type { MessageOrigin, Reply } from './reply.js';

/** Another message may take or release the key between our insert and the lookup. */
const KEY_TRIES = 3;

/** Commits a message to safe storage, and answers only then (HL7 v2.5.1 ch. 2.9). */
@Injectable()
export class MessageAcceptance {
  constructor(
    private readonly store: InboundStore,
    private readonly messages: InboundMessageFactory,
    private readonly original: OriginalModeReplies,
    private readonly enhanced: EnhancedModeReplies,
    private readonly metrics: Hl7Metrics,
    private readonly logger: Logger,
  ) {}

  /** Never throws: a message that cannot be kept is answered so. */
  async accept(bytes: Buffer, verdict: InitialVerdict, origin: MessageOrigin): Promise<Reply> {
    const { source, transport } = origin;
    try {
      for (let attempt = 1; attempt <= KEY_TRIES; attempt += 1) {
        const message = await this.messages.create(bytes, verdict, origin);
        await failpoint('hl7_before_insert');
        if (await this.store.insert(message)) return await this.toNew(message, bytes, verdict, origin);
        const known = await this.store.findByKey(source.id, message.messageKey!);
        const reply = known === null ? null : await this.toKnown(known, bytes, message, verdict, origin);
        if (reply !== null) return reply;
      }
      throw new SuturaError('service.unavailable');
    } catch (fault) {
      this.metrics.received(transport, 'not_kept');
      this.logger.error('hl7.message_not_kept', { listenerId: source.id }, fault);
      const problems = problemsOf(fault instanceof SuturaError ? fault : new SuturaError('service.unavailable'));
      return this.refuse({ ...verdict, problems }, source);
    }
  }

  /** The answer to a message that was not kept, or may not be kept under its own key. */
  refuse(verdict: InitialVerdict, source: Hl7Source): Reply {
    return verdict.mode.kind === 'enhanced'
      ? this.enhanced.accept(verdict, source)
      : this.original.toRefused(verdict, source);
  }

  /** Keeps a frame without MSH, or what came instead of one. Never throws. */
  async keepUnparsable(bytes: Buffer, origin: MessageOrigin, problem = UNPARSABLE): Promise<Reply> {
    const { source, transport } = origin;
    this.metrics.received(transport, 'unparsable');
    const { message, ack } = await this.messages.createUnparsable(bytes, origin, problem);
    this.logger.warn('hl7.unparsable', { listenerId: source.id, messageId: message.id });
    try {
      await this.store.insert(message);
    } catch (fault) {
      this.logger.error('hl7.message_not_kept', { listenerId: source.id }, fault);
    }
    return { ack, code: ack === null ? null : 'AR', problems: [] };
  }

  private async toNew(
    message: NewInbound,
    bytes: Buffer,
    verdict: InitialVerdict,
    origin: MessageOrigin,
  ): Promise<Reply> {
    await failpoint('hl7_after_insert');
    this.metrics.received(origin.transport, 'new');
    return verdict.mode.kind === 'enhanced'
      ? this.enhanced.toNew(message, verdict, origin)
      : this.original.toNew(message, bytes, origin.source);
  }

  /** null: the key is free now, and the message can be kept after all. */
  private async toKnown(
    known: KnownMessage,
    bytes: Buffer,
    message: NewInbound,
    verdict: InitialVerdict,
    origin: MessageOrigin,
  ): Promise<Reply | null> {
    const { source, transport } = origin;
    const isSame = known.sha256.equals(message.sha256);
    // A retry takes the message that has its photo, not the one that was left without.
    const isErased = known.retryable && known.record.erased.length > 0;
    if (isSame && known.isSealed && (await this.store.replaceSealed(known.record.id))) return null;
    if (known.hasExpired || isErased || (!isSame && source.reusedControlId === 'process')) {
      await this.store.releaseKey(known.record.id);
      return null;
    }
    if (isSame) {
      this.metrics.received(transport, 'duplicate');
      this.logger.info('hl7.message_repeated', { messageId: known.record.id });
      return verdict.mode.kind === 'enhanced'
        ? this.enhanced.toRepeated(known, verdict, origin)
        : this.original.toRepeated(known, verdict, source);
    }
    this.metrics.received(transport, 'reused_control_id');
    this.logger.warn('hl7.control_id_reused', { messageId: known.record.id, listenerId: source.id });
    const refused = { ...verdict, problems: [CONTROL_ID_REUSED] };
    await this.store.insert(await this.messages.create(bytes, refused, origin, null));
    return this.refuse(refused, source);
  }
}
