import { Injectable } from '@nestjs/common';
import { Logger } from '../../platform/logging/logger.js';
import type { Hl7Source } from '../inbound/index.js';

/** Acknowledgments of our own messages that come in on a listener. */
@Injectable()
export class ReceivedAnswers {
  constructor(private readonly logger: Logger) {}

  take(_bytes: Buffer, source: Hl7Source): Promise<void> {
    this.logger.info('hl7.answer_received', { listenerId: source.id });
    return Promise.resolve();
  }
}
