import { Injectable } from '@nestjs/common';
import type { DueDelivery, Outcome, SenderReports } from '../../kit/index.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { MessageColumns } from '../outbox/hl7-queue.js';
import { conditionOf, type DestinationEndpoint, type SenderAnswer } from './mllp-transport.js';
import { OutboundMetrics } from './outbound.metrics.js';
import { FILES_FAULT } from './message-assembly.js';

/** Log lines and figures of the senders: codes and ids alone. */
@Injectable()
export class OutboundReports implements SenderReports<DestinationEndpoint, MessageColumns, SenderAnswer> {
  /** Destinations that wait for files of ours. */
  private readonly withoutFiles = new Set<string>();

  constructor(
    private readonly logger: Logger,
    private readonly metrics: OutboundMetrics,
  ) {}

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

  silent(
    { id: destinationId }: DestinationEndpoint,
    { silentS, fault, isAlarm }: { silentS: number; fault: string; isAlarm: boolean },
  ): void {
    const event = isOurs(fault) ? 'hl7.files_unavailable' : 'hl7.destination_silent';
    if (isOurs(fault)) this.withoutFiles.add(destinationId);
    else this.withoutFiles.delete(destinationId);
    if (isAlarm) this.logger.error(event, { destinationId, silentS, fault });
    else this.logger.warn(event, { destinationId, silentS, fault });
  }

  answersAgain({ id: destinationId }: DestinationEndpoint, { silentS }: { silentS: number }): void {
    const hadNoFiles = this.withoutFiles.delete(destinationId);
    this.logger.info(hadNoFiles ? 'hl7.files_available_again' : 'hl7.destination_answers_again', {
      destinationId,
      silentS,
    });
  }

  senderFailed({ id: destinationId }: DestinationEndpoint, error: unknown): void {
    this.logger.error('hl7.sender_failed', { destinationId }, error);
  }

  endpointsUnknown(error: unknown): void {
    this.logger.warn('hl7.destinations_unknown', { error: error instanceof Error ? error.name : 'unknown' });
  }
}

/** The object store was away, not the receiver. */
function isOurs(fault: string): boolean {
  return fault.startsWith(FILES_FAULT);
}
