import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import { DeliveryControl } from '../../kit/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { HL7_QUEUE, type MessageColumns } from './hl7-queue.js';
import type { NewMessage } from './outbound-message.js';
import { OutboundQueue, toEndpoint } from './outbound-queue.js';

/** Rewrites a message for another destination, with a control id of that destination. */
export type Readdress = (bytes: Buffer, destination: Hl7Destination, controlId: string) => Buffer;

/** Kept from being erased until the transaction ends. */
const SHOWN = `select id from images where id = any($1::uuid[]) and status = 'stored' order by id for key share`;

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

  /**
   * As `requeue`, with the message as it was made anew and its control id. False: an image that it shows was erased meanwhile, and nothing was done.
   */
  requeueAs(id: string, by: string, controlId: string, message: NewMessage): Promise<boolean> {
    const imageIds = [...new Set(message.imageIds)].sort();
    return this.unitOfWork.inSystem(async (transaction) => {
      const { rows } = await statementsOf(transaction).run(SHOWN, [imageIds]);
      if (rows.length < imageIds.length) return false;
      await this.requeueIn(transaction, id, by, this.messages.writeAs(message, controlId));
      return true;
    });
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
