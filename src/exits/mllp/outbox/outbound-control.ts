import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import { DeliveryControl } from '../../kit/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { HL7_QUEUE, type MessageColumns } from './hl7-queue.js';
import { OutboundQueue, toEndpoint } from './outbound-queue.js';

/** Rewrites a message for another destination, with a control id of that destination. */
export type Readdress = (bytes: Buffer, destination: Hl7Destination, controlId: string) => Buffer;

/** What operators do with single outbound messages. */
@Injectable()
export class OutboundControl extends DeliveryControl<MessageColumns> {
  constructor(
    statements: SystemStatements,
    unitOfWork: UnitOfWork,
    private readonly messages: OutboundQueue,
    encryption: MessageEncryption,
  ) {
    super(HL7_QUEUE, statements, unitOfWork, messages, encryption);
  }

  /** As `moveTo`. */
  move(id: string, by: string, destination: Hl7Destination, readdress: Readdress): Promise<string> {
    return this.moveTo(id, by, toEndpoint(destination), this.rewriteFor(destination, readdress));
  }

  /** As `move`, in a transaction that does more: the destination is deleted. */
  moveIn(transaction: Transaction, id: string, destination: Hl7Destination, readdress: Readdress): Promise<string> {
    return this.moveToIn(transaction, id, null, toEndpoint(destination), this.rewriteFor(destination, readdress));
  }

  private rewriteFor(destination: Hl7Destination, readdress: Readdress): Parameters<OutboundControl['moveTo']>[3] {
    return ({ kind, imageIds, files, bytes }, number) =>
      this.messages.write(
        { kind, imageIds, files: files ?? [], build: (controlId) => readdress(bytes, destination, controlId) },
        number,
      );
  }
}
