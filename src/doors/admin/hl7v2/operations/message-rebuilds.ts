import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OperatorTrail } from '../../../../core/audit/operator-trail.js';
import type { ErrorCode } from '../../../../core/errors/catalogue.js';
import { isSuturaError, SuturaError } from '../../../../core/errors/sutura-error.js';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import type { OutboundRecord } from '../../../../exits/mllp/outbox/outbound-message.js';
import { OutboundQueries } from '../../../../exits/mllp/outbox/outbound-queries.js';
import { MessageRebuilding } from '../../../../exits/mllp/results/message-rebuilding.js';
import type { Hl7Destination } from '../../../../exits/mllp/settings/hl7-destination.js';
import { onThing } from '../../action/acts.js';
import { id as messageId, list } from '../../action/answer-fields.js';

export const REBUILT = z.object({
  rebuilt: z.int(),
  left: list(z.object({ messageId, code: z.string(), why: z.string() })).describe('Those that stay parked, and why.'),
});
export type RebuiltView = z.output<typeof REBUILT>;

const PAGE = 500;
/** What keeps one message parked and says nothing of the others. */
const LEFT = [
  'hl7.not_rebuilt',
  'hl7.superseded',
  'hl7.not_parked',
  'hl7.in_progress',
  'hl7.message_not_found',
] as const satisfies readonly ErrorCode[];

/** Parked results, made anew by the present settings of their destination and sent; each is written into the audit trail before. */
@Injectable()
export class MessageRebuilds {
  constructor(
    private readonly outbox: OutboundQueries,
    private readonly destinations: DestinationRegister,
    private readonly rebuilding: MessageRebuilding,
    private readonly trail: OperatorTrail,
  ) {}

  /** As MessageRebuilding.requeue; `hl7.message_not_found`, `hl7.destination_deleted`. */
  async one(operator: Operator, id: string): Promise<void> {
    const { record } = await this.outbox.find(id);
    const destination = (await this.destinations.all()).find((one) => one.id === record.destinationId);
    if (destination === undefined) throw new SuturaError('hl7.destination_deleted');
    await this.rebuild(operator, record, destination);
  }

  /** All that is parked for a destination, oldest first. `hl7.destination_not_found`. */
  async all(operator: Operator, destinationId: string): Promise<RebuiltView> {
    const destination = await this.destinations.find(destinationId);
    const left: RebuiltView['left'][number][] = [];
    let rebuilt = 0;
    for (const record of await this.parkedFor(destinationId)) {
      try {
        await this.rebuild(operator, record, destination);
        rebuilt += 1;
      } catch (fault) {
        if (!isSuturaError(fault, ...LEFT)) throw fault;
        left.push({ messageId: record.id, code: fault.code, why: fault.detail });
      }
    }
    return { rebuilt, left };
  }

  private async rebuild(operator: Operator, record: OutboundRecord, destination: Hl7Destination): Promise<void> {
    await this.trail.record(operator, onThing('MessageHeader', record, '$rebuild', 'E'));
    await this.rebuilding.requeue(record, destination, operator.name);
  }

  private async parkedFor(destinationId: string): Promise<OutboundRecord[]> {
    const all: OutboundRecord[] = [];
    for (let page: OutboundRecord[]; ;) {
      page = await this.outbox.list({ destinationId, state: 'parked' }, PAGE, all.at(-1)?.id ?? null);
      all.push(...page);
      if (page.length < PAGE) return all.reverse();
    }
  }
}
