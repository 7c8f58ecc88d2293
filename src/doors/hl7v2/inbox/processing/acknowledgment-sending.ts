import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import type { Transaction } from '../../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import { OutboundQueue } from '../../../../exits/mllp/outbox/outbound-queue.js';
import type { Hl7Destination } from '../../../../exits/mllp/settings/hl7-destination.js';
import { Logger } from '../../../../platform/logging/logger.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { HeldMessage } from '../store/inbound-record.js';

/** Application acknowledgments that go to the return destination of their source. */
@Injectable()
export class AcknowledgmentSending {
  constructor(
    private readonly destinations: DestinationRegister,
    private readonly queue: OutboundQueue,
    private readonly logger: Logger,
  ) {}

  async enqueue(
    transaction: Transaction,
    { record }: HeldMessage,
    { returnDestinationId }: Hl7Source,
    build: (controlId: string) => Buffer,
  ): Promise<void> {
    const destination = await this.returnDestination(returnDestinationId, record);
    if (destination === null)
      return this.logger.warn('hl7.return_destination_missing', { messageId: record.id, listenerId: record.sourceId });
    await this.queue.enqueueMessages(transaction, destination, [
      {
        kind: 'ack',
        subjectId: record.id,
        version: record.replays + 1,
        lane: record.sourceId,
        preliminary: false,
        imageIds: [],
        build,
      },
    ]);
  }

  private async returnDestination(
    id: string | null,
    { organizationId, environment }: Tenant,
  ): Promise<Hl7Destination | null> {
    if (id === null) return null;
    try {
      const destination = await this.destinations.find(id);
      return destination.organizationId === organizationId && destination.environment === environment
        ? destination
        : null;
    } catch (fault) {
      if (isSuturaError(fault, 'hl7.destination_not_found')) return null;
      throw fault;
    }
  }
}
