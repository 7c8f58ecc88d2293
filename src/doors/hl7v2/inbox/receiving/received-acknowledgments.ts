import { Injectable } from '@nestjs/common';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { peekHeader } from '../../../../standards/hl7v2/er7/message-header.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { readAcknowledgment } from '../../../../standards/hl7v2/mllp/acknowledgment.js';
import { DeferredAcknowledgments } from '../../../../exits/mllp/sender/deferred-acknowledgments.js';

/** Acknowledgments of our own messages that arrive as messages. They are never acknowledged themselves. */
@Injectable()
export class ReceivedAcknowledgments {
  constructor(
    private readonly answers: DeferredAcknowledgments,
    private readonly logger: Logger,
  ) {}

  /** Never throws: an acknowledgment that matches none of our messages, or cannot be noted now, is logged. */
  async note(bytes: Buffer, source: Hl7Source): Promise<void> {
    const acknowledgment = readAcknowledgment(bytes);
    const header = peekHeader(bytes)?.header ?? null;
    if (acknowledgment === null || header === null)
      return this.logger.warn('hl7.answer_unreadable', { listenerId: source.id });
    const { sendingApplication, sendingFacility } = header;
    try {
      const answer = { ...acknowledgment, sendingApplication, sendingFacility };
      const matched = await this.answers.applicationAcknowledged(tenantOf(source), answer);
      if (!matched) this.logger.warn('hl7.answer_unmatched', { listenerId: source.id });
    } catch (fault) {
      this.logger.error('hl7.answer_not_noted', { listenerId: source.id }, fault);
    }
  }
}
