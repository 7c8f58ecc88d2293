import { Injectable } from '@nestjs/common';
import { tenantOf } from '../../core/tenancy/tenant.js';
import { Logger } from '../../platform/logging/logger.js';
import { decodeMessage } from '../er7/index.js';
import type { Hl7Source } from '../inbound/index.js';
import { LateAnswers, type LateAnswer } from '../outbound/index.js';

const CODES: readonly string[] = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'];

/** Acknowledgments of our own messages that come in as messages; they are never acknowledged themselves. */
@Injectable()
export class ReceivedAnswers {
  constructor(
    private readonly answers: LateAnswers,
    private readonly logger: Logger,
  ) {}

  /** Never throws: what belongs to none of our messages, or cannot be noted now, is logged. */
  async take(bytes: Buffer, source: Hl7Source): Promise<void> {
    const decoded = decodeMessage(bytes, { characterSet: source.characterSet });
    const acknowledgment = decoded.kind === 'message' ? decoded.message.segment('MSA') : null;
    const code = acknowledgment?.field(1).text ?? '';
    if (decoded.kind !== 'message' || acknowledgment === null || !CODES.includes(code)) return this.logger.warn('hl7.answer_unreadable', { listenerId: source.id });
    const { sendingApplication, sendingFacility } = decoded.header;
    try {
      const answer = { code: code as LateAnswer['code'], controlId: acknowledgment.field(2).text, sendingApplication, sendingFacility };
      const matched = await this.answers.applicationAcknowledged(tenantOf(source), answer);
      if (!matched) this.logger.warn('hl7.answer_unmatched', { listenerId: source.id });
    } catch (fault) {
      this.logger.error('hl7.answer_not_noted', { listenerId: source.id }, fault);
    }
  }
}
