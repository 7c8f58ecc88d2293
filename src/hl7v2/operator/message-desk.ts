import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { decodeMessage } from '../er7/index.js';
import { InboundDesk } from '../inbox/index.js';
import { DestinationRegister, OutboxControl, OutboxDesk, readdress } from '../outbound/index.js';
import type { InboundQuery, OutboundQuery } from './hl7.schema.js';
import { toInboundView, toOutboundView, type InboundView, type MessageView, type OutboundView } from './hl7.views.js';
import { OperatorTrail } from './operator-trail.js';

/** Messages, in and out, in the words of the admin API and the command line: checked input in, views out. What is done is written into the audit trail. */
@Injectable()
export class MessageDesk {
  constructor(
    private readonly inbound: InboundDesk,
    private readonly outbox: OutboxDesk,
    private readonly control: OutboxControl,
    private readonly destinations: DestinationRegister,
    private readonly trail: OperatorTrail,
  ) {}

  async listInbound({ limit, after, listenerId, organizationId, environment, state, controlId }: Omit<InboundQuery, 'direction'>): Promise<InboundView[]> {
    const filter = { ...(organizationId === undefined ? {} : { organizationId }), ...(environment === undefined ? {} : { environment }), sourceId: listenerId, state, controlId };
    return (await this.inbound.list(filter, limit, after ?? null)).map(toInboundView);
  }

  async listOutbound({ limit, after, organizationId, environment, destinationId, state }: Omit<OutboundQuery, 'direction'>): Promise<OutboundView[]> {
    const tenant = organizationId === undefined || environment === undefined ? undefined : { organizationId, environment };
    return (await this.outbox.list({ tenant, destinationId, state }, limit, after ?? null)).map(toOutboundView);
  }

  /** One message, in or out, with its text and what was answered: an access to a patient's data. `hl7.message_not_found`, `hl7.sealed`. */
  async show(id: string): Promise<MessageView> {
    const found = await this.find(id);
    await this.writeDown(found.record, id, 'read', 'R');
    if (found.direction === 'in') return { ...toInboundView(found.record), message: textOf(found.bytes), ack: found.ack === null ? null : textOf(found.ack) };
    return { ...toOutboundView(found.record), message: textOf(found.bytes), answer: found.answer };
  }

  /** An inbound message is processed once more, an outbound one sent once more. `hl7.message_not_found`, `hl7.in_progress`, `hl7.superseded`, `hl7.not_parked`, `hl7.sealed`. */
  async replay(id: string): Promise<void> {
    const { direction, record } = await this.find(id);
    await this.writeDown(record, id, '$replay', 'E');
    await (direction === 'in' ? this.inbound.replay(id) : this.control.replay(id));
  }

  /** A parked message is sent. As OutboxControl.requeue. */
  requeue(id: string): Promise<void> {
    return this.act(id, '$requeue', () => this.control.requeue(id));
  }

  /** All that is parked for a destination, the sealed ones and what was overtaken apart. How many. `hl7.destination_not_found`. */
  async requeueAll(destinationId: string): Promise<number> {
    const destination = await this.destinations.find(destinationId);
    await this.trail.record(destination, { interaction: '$requeue', action: 'E', resource: `Endpoint/${destinationId}` });
    return this.control.requeueAll(destinationId);
  }

  /** A waiting message is tried now. `hl7.message_not_found`, `hl7.not_waiting`. */
  retryNow(id: string): Promise<void> {
    return this.act(id, '$retry', () => this.control.retryNow(id));
  }

  /** A waiting message steps aside. `hl7.message_not_found`, `hl7.not_waiting`. */
  park(id: string): Promise<void> {
    return this.act(id, '$park', () => this.control.park(id));
  }

  /** A parked message is given up for good. `hl7.message_not_found`, `hl7.not_parked`. */
  discard(id: string): Promise<void> {
    return this.act(id, '$discard', () => this.control.discard(id));
  }

  /** A waiting or parked message goes to another destination; its new id. As OutboxControl.move. */
  async move(id: string, destinationId: string): Promise<string> {
    const destination = await this.destinations.find(destinationId);
    const { record } = await this.outbox.find(id);
    await this.writeDown(record, id, '$move', 'E');
    return this.control.move(id, destination, readdress);
  }

  /** The message may be one that no key opens. */
  private async act(id: string, interaction: string, work: () => Promise<void>): Promise<void> {
    const { record } = await this.outbox.find(id);
    await this.writeDown(record, id, interaction, 'E');
    await work();
  }

  private async find(id: string): Promise<Found> {
    try {
      return { direction: 'in', ...(await this.inbound.show(id)) };
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.message_not_found')) throw fault;
    }
    return { direction: 'out', ...(await this.outbox.show(id)) };
  }

  private writeDown(record: Found['record'], id: string, interaction: string, action: 'R' | 'E'): Promise<void> {
    return this.trail.record(record, { interaction, action, resource: `MessageHeader/${id}` });
  }
}

type Found = ({ readonly direction: 'in' } & Awaited<ReturnType<InboundDesk['show']>>) | ({ readonly direction: 'out' } & Awaited<ReturnType<OutboxDesk['show']>>);

/** By its own character set; bytes that it has no character for are shown as ISO 8859-1. */
function textOf(bytes: Buffer): string {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message' ? decoded.message.segments.map(({ raw }) => `${raw}\r`).join('') : bytes.toString('latin1');
}
