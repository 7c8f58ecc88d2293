import { Injectable } from '@nestjs/common';
import { LoggedReports, type DueDelivery, type Outcome } from '../../kit/index.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { MessageColumns } from '../outbox/hl7-queue.js';
import { conditionOf, type DestinationEndpoint, type SenderAnswer } from './mllp-transport.js';
import { OutboundMetrics } from './outbound.metrics.js';
import { FILES_FAULT } from './message-assembly.js';

@Injectable()
export class OutboundReports extends LoggedReports<DestinationEndpoint, MessageColumns, SenderAnswer> {
  /** Destinations that wait for files of ours. */
  private readonly withoutFiles = new Set<string>();

  constructor(
    logger: Logger,
    private readonly metrics: OutboundMetrics,
  ) {
    super(logger, {
      endpointId: 'destinationId',
      silent: 'hl7.destination_silent',
      answersAgain: 'hl7.destination_answers_again',
      senderFailed: 'hl7.sender_failed',
      endpointsUnknown: 'hl7.destinations_unknown',
    });
  }

  attempted(
    { id: destinationId }: DestinationEndpoint,
    { controlId }: DueDelivery<MessageColumns>,
    outcome: Outcome<SenderAnswer>,
    verdict: 'delivered' | 'parked' | 'retry',
  ): void {
    // Its receiver was not asked.
    if (outcome.kind === 'silent' && isOurs(outcome.fault)) return;
    this.metrics.attempted(destinationId, outcome.kind === 'silent' ? 'none' : outcome.answer.code);
    if (verdict === 'delivered' || outcome.kind === 'silent') return;
    const { answer } = outcome;
    const said = { destinationId, controlId, ackCode: answer.code, condition: conditionOf(answer) };
    if (verdict === 'parked') this.logger.error('hl7.message_parked', said);
    else this.logger.warn('hl7.message_refused', said);
  }

  sealed(
    { id: destinationId }: DestinationEndpoint,
    { id: messageId, controlId }: MessageColumns & { id: string },
  ): void {
    this.logger.error('hl7.message_sealed', { destinationId, messageId, controlId });
  }

  override silent(
    endpoint: DestinationEndpoint,
    outage: { readonly silentS: number; readonly fault: string; readonly isAlarm: boolean },
  ): void {
    const { silentS, fault, isAlarm } = outage;
    if (!isOurs(fault)) {
      this.withoutFiles.delete(endpoint.id);
      return super.silent(endpoint, outage);
    }
    this.withoutFiles.add(endpoint.id);
    const details = { destinationId: endpoint.id, silentS, fault };
    if (isAlarm) this.logger.error('hl7.files_unavailable', details);
    else this.logger.warn('hl7.files_unavailable', details);
  }

  override answersAgain(endpoint: DestinationEndpoint, outage: { readonly silentS: number }): void {
    if (!this.withoutFiles.delete(endpoint.id)) return super.answersAgain(endpoint, outage);
    this.logger.info('hl7.files_available_again', { destinationId: endpoint.id, silentS: outage.silentS });
  }
}

/** The object store was away, not the receiver. */
function isOurs(fault: string): boolean {
  return fault.startsWith(FILES_FAULT);
}
