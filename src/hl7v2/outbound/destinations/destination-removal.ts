import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import type { Statements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { OutboundControl, type Readdress } from '../outbox/outbound-control.js';
import { DestinationRegister } from './destination-register.js';

/** What becomes of the messages that wait or are parked for a destination that is deleted. */
export type QueueChoice =
  { readonly kind: 'park' | 'discard' } | { readonly kind: 'move'; readonly destinationId: string };

/** How many messages a removal left where. */
export interface RemovedQueue {
  readonly parked: number;
  readonly discarded: number;
  readonly moved: number;
}

/** No message is made for it from here on: whoever puts one into the outbox takes this row first. */
const LOCK = `insert into hl7_senders (destination_id, organization_id, environment) values ($1, $2, $3)
  on conflict (destination_id) do update set last_number = hl7_senders.last_number`;
const REMOVE = `update hl7_destinations set deleted_at = $2, enabled = false where id = $1 and deleted_at is null`;
const PENDING = `select id, state from hl7_outbox where destination_id = $1 and state in ('waiting', 'parked') order by number`;
const PARK = `update hl7_outbox set state = 'parked', parked_for = 'destination_deleted' where destination_id = $1 and state in ('waiting', 'parked')`;
const DISCARD = `update hl7_outbox set state = 'discarded' where destination_id = $1 and state in ('waiting', 'parked')`;

/** Deletes destinations, and leaves nothing behind that nobody sees. */
@Injectable()
export class DestinationRemoval {
  constructor(
    private readonly destinations: DestinationRegister,
    private readonly control: OutboundControl,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Nothing is made or sent for it from here on. `choice`: what becomes of its queue; without one it must be empty. With `move` what the other
   * destination cannot take (it has that version or a newer one, or no key opens the message) is parked. `hl7.destination_not_found`,
   * `hl7.queue_not_empty`.
   */
  async remove(id: string, choice: QueueChoice | null, readdress: Readdress): Promise<RemovedQueue> {
    const destination = await this.destinations.find(id);
    const target = choice?.kind === 'move' ? await this.target(destination, choice.destinationId) : null;
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      await this.lock(statements, [destination, ...(target === null ? [] : [target])]);
      const { affected } = await statements.run(REMOVE, [id, this.clock.now()]);
      if (affected === 0) throw new SuturaError('hl7.destination_not_found');
      const pending = (await statements.run<{ id: string; state: string }>(PENDING, [id])).rows;
      if (pending.length === 0) return { parked: 0, discarded: 0, moved: 0 };
      if (choice === null) throw new SuturaError('hl7.queue_not_empty', { detail: detailOf(pending) });
      if (choice.kind === 'discard')
        return { parked: 0, discarded: (await statements.run(DISCARD, [id])).affected, moved: 0 };
      const moved = target === null ? 0 : await this.moveAll(transaction, pending, target, readdress);
      return { parked: (await statements.run(PARK, [id])).affected, discarded: 0, moved };
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

  /** In the order of their ids, as everybody who locks several. */
  private async lock(statements: Statements, destinations: readonly Hl7Destination[]): Promise<void> {
    for (const { id, organizationId, environment } of [...destinations].sort((a, b) => (a.id < b.id ? -1 : 1)))
      await statements.run(LOCK, [id, organizationId, environment]);
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
