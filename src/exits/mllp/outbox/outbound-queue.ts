import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../core/ports/id-source.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { DeliveryQueue, type QueuedEndpoint, type WrittenDelivery } from '../../kit/index.js';
import { toJsonb } from '../../../platform/database/statements.js';
import { filesIn, sizeWithFiles } from '../../../standards/hl7v2/er7/stored-file.js';
import { messageTerms } from '../../../standards/hl7v2/encryption/search-terms.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { HL7_QUEUE, type MessageColumns } from './hl7-queue.js';
import { OrderParts } from './order-parts.js';
import type { NewMessage } from './outbound-message.js';

type Destination = Pick<Hl7Destination, keyof Tenant | 'id' | 'settings'>;

/** Puts messages into the queue of their destination, each with the number that makes its MSH-10. */
@Injectable()
export class OutboundQueue extends DeliveryQueue<MessageColumns> {
  private readonly parts = new OrderParts();

  constructor(
    private readonly encryption: MessageEncryption,
    ids: IdSource,
  ) {
    super(HL7_QUEUE, encryption, ids);
  }

  /** As `enqueue`. */
  enqueueMessages(
    transaction: Transaction,
    destination: Destination,
    messages: readonly NewMessage[],
  ): Promise<number> {
    const deliveries = messages.map((message) => ({
      ...message,
      write: (number: number) => this.write(message, number),
    }));
    return this.enqueue(transaction, toEndpoint(destination), deliveries);
  }

  /** Also what was told in messages about a whole order (OrderParts). */
  override async lastVersion(transaction: Transaction, endpointId: string, subjectId: string): Promise<number> {
    return (await this.parts.told(transaction, endpointId, [subjectId])).get(subjectId) ?? 0;
  }

  /** The bytes, and all that the row of a message has beside what the row of every delivery has. */
  write(message: Pick<NewMessage, 'kind' | 'imageIds' | 'files' | 'build'>, number: number): WrittenDelivery {
    return this.writeAs(message, controlIdOf(number));
  }

  /** As `write`, with the control id that it had. */
  writeAs(
    { kind, imageIds, files, build }: Pick<NewMessage, 'kind' | 'imageIds' | 'files' | 'build'>,
    controlId: string,
  ): WrittenDelivery {
    const bytes = build(controlId);
    const stored = filesIn(bytes, files ?? []);
    return {
      bytes,
      columns: {
        control_id: controlId,
        kind,
        image_ids: imageIds,
        terms: messageTerms(this.encryption.terms, bytes),
        files: stored.length === 0 ? null : toJsonb(stored),
        size_bytes: sizeWithFiles(bytes, stored),
      },
    };
  }
}

export function toEndpoint({ id, organizationId, environment, settings }: Destination): QueuedEndpoint {
  return { id, organizationId, environment, collapse: settings.collapse };
}

/** MSH-10: at most 20 characters in every version, the same on every repeat. */
function controlIdOf(number: number): string {
  return `SUT-${String(number).padStart(9, '0')}`;
}
