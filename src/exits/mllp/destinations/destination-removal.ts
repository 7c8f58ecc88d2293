import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { OutboundControl, type Readdress } from '../outbox/outbound-control.js';
import { OutboundQueue } from '../outbox/outbound-queue.js';
import { DestinationRegister } from './destination-register.js';

/** The fate of messages that wait or are parked for a destination that is deleted. */
export type QueueChoice =
  | { readonly kind: 'park' | 'discard' }
  | { readonly kind: 'move'; readonly destinationId: string };

/** Messages of a removed destination, counted by where they went. */
export interface RemovedQueue {
  readonly parked: number;
  readonly discarded: number;
  readonly moved: number;
}

const REMOVE = `update hl7_destinations set deleted_at = $2, enabled = false where id = $1 and deleted_at is null`;

/** Deletes destinations with their pending messages. */
@Injectable()
export class DestinationRemoval {
  constructor(
    private readonly destinations: DestinationRegister,
    private readonly control: OutboundControl,
    private readonly queue: OutboundQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Nothing is made or sent for it from here on. `choice` decides about its queue; without one the queue must be empty. With `move`, messages
   * that the other destination cannot take (it has that version or a newer one, or no key opens the message) are parked. `hl7.destination_not_found`,
   * `hl7.queue_not_empty`.
   */
  async remove(id: string, choice: QueueChoice | null, readdress: Readdress): Promise<RemovedQueue> {
    const destination = await this.destinations.find(id);
    const target = choice?.kind === 'move' ? await this.target(destination, choice.destinationId) : null;
    return this.unitOfWork.inSystem(async (transaction) => {
      // Prevents new messages: their creation takes the same lock.
      await this.queue.close(transaction, destination, target === null ? [] : [target]);
      const { affected } = await statementsOf(transaction).run(REMOVE, [id, this.clock.now()]);
      if (affected === 0) throw new SuturaError('hl7.destination_not_found');
      const pending = await this.control.pending(transaction, id);
      if (pending.length === 0) return { parked: 0, discarded: 0, moved: 0 };
      if (choice === null) throw new SuturaError('hl7.queue_not_empty', { detail: detailOf(pending) });
      if (choice.kind === 'discard')
        return { parked: 0, discarded: await this.control.discardAll(transaction, id), moved: 0 };
      const moved = target === null ? 0 : await this.moveAll(transaction, pending, target, readdress);
      return { parked: await this.control.parkAll(transaction, id, 'destination_deleted'), discarded: 0, moved };
    });
  }

  private async target({ id, organizationId, environment }: Hl7Destination, targetId: string): Promise<Hl7Destination> {
    const target = await this.destinations.find(targetId);
    const fits = target.organizationId === organizationId && target.environment === environment && target.id !== id;
    if (!fits)
      throw new SuturaError('hl7.destination_not_found', {
        detail: 'The queue can be moved to another destination of the same organization and environment.',
      });
    return target;
  }

  private async moveAll(
    transaction: Transaction,
    pending: readonly { readonly id: string }[],
    target: Hl7Destination,
    readdress: Readdress,
  ): Promise<number> {
    let moved = 0;
    for (const { id } of pending) {
      try {
        await this.control.moveIn(transaction, id, target, readdress);
        moved += 1;
      } catch (fault) {
        // The other destination does not take it: it stays, and is parked.
        if (!isSuturaError(fault, 'hl7.superseded', 'hl7.already_there', 'hl7.sealed')) throw fault;
      }
    }
    return moved;
  }
}

function detailOf(pending: readonly { readonly state: string }[]): string {
  const waiting = pending.filter(({ state }) => state === 'waiting').length;
  return `${waiting} messages wait for the destination and ${pending.length - waiting} are parked. Say what becomes of them: park, discard, or move with the id of another destination.`;
}
