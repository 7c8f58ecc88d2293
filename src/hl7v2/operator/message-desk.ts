import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { decodeMessage } from '../er7/index.js';
import { InboundDesk, MessageErasure, type InboundFilter } from '../inbox/index.js';
import { DestinationRegister, OutboxControl, OutboxDesk, readdress, type OutboundRecord, type OutboxFilter } from '../outbound/index.js';
import type { ExportQuery, InboundQuery, MessageRange, OutboundQuery } from './hl7.schema.js';
import { toInboundView, toOutboundView, type InboundView, type MessageView, type OutboundView } from './hl7.views.js';
import { Hl7OperatorTrail } from './hl7-operator-trail.js';

/** A message as it went over the line. */
export interface ExportedMessage {
  readonly messageId: string;
  readonly controlId: string;
  /** null: none of the keys that are set opens it. */
  readonly rawBase64: string | null;
}

/** What a replay of a range came to. */
export interface ReplayedRange {
  readonly replayed: number;
  readonly skipped: readonly { readonly messageId: string; readonly code: string }[];
  /** There are more than were replayed at once: begin behind the last of them. */
  readonly remaining: boolean;
}

/** What an erasure took out of a message. */
export interface ErasedMessage {
  readonly erasedFiles: number;
  readonly erasedBytes: number;
}

const MOST_REPLAYED = 1000;
const PAGE = 500;

/** Messages, in and out, in the words of the admin API and the command line: checked input in, views out. What is done is written into the audit trail. */
@Injectable()
export class MessageDesk {
  constructor(
    private readonly inbound: InboundDesk,
    private readonly erasure: MessageErasure,
    private readonly outbox: OutboxDesk,
    private readonly control: OutboxControl,
    private readonly destinations: DestinationRegister,
    private readonly trail: Hl7OperatorTrail,
  ) {}

  /** Newest first. */
  async listInbound(query: Omit<InboundQuery, 'direction'>): Promise<InboundView[]> {
    return (await this.inbound.list(inboundFilter(query), query.limit, query.after ?? null)).map(toInboundView);
  }

  /** Newest first. */
  async listOutbound(query: Omit<OutboundQuery, 'direction'>): Promise<OutboundView[]> {
    return (await this.outbox.list(outboundFilter(query), query.limit, query.after ?? null)).map(toOutboundView);
  }

  /** A page of whole messages, newest first, each written into the audit trail. One that no key opens has no bytes. */
  async exportPage(query: ExportQuery): Promise<ExportedMessage[]> {
    const views = query.direction === 'in' ? await this.listInbound(query) : await this.listOutbound(query);
    const exported: ExportedMessage[] = [];
    for (const { messageId, controlId } of views) exported.push({ messageId, controlId, rawBase64: await this.rawOf(messageId) });
    return exported;
  }

  /** All messages of a range once more, oldest first, at most 1,000 in one call: `remaining` says that there are more. */
  async replayRange(range: MessageRange): Promise<ReplayedRange> {
    const found = await this.inRange(range);
    const replayed: string[] = [];
    const skipped: ReplayedRange['skipped'][number][] = [];
    for (const id of found.slice(0, MOST_REPLAYED)) {
      try {
        await this.replay(id);
        replayed.push(id);
      } catch (fault) {
        if (!isSuturaError(fault) || fault.code === 'service.unavailable') throw fault;
        skipped.push({ messageId: id, code: fault.code });
      }
    }
    return { replayed: replayed.length, skipped, remaining: found.length > MOST_REPLAYED };
  }

  /** Oldest first; one more than are replayed at once. */
  private async inRange(range: MessageRange): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | null = null; ; after = ids.at(-1)!) {
      const page: readonly { readonly id: string }[] = range.direction === 'in' ? await this.inbound.list(inboundFilter(range), PAGE, after) : await this.outbox.list({ ...outboundFilter(range), state: range.state ?? 'delivered' }, PAGE, after);
      ids.push(...page.map(({ id }) => id));
      if (page.length < PAGE) return ids.reverse();
    }
  }

  private async rawOf(id: string): Promise<string | null> {
    try {
      const found = await this.find(id);
      await this.writeDown(found.record, id, 'read', 'R');
      return found.bytes.toString('base64');
    } catch (fault) {
      if (isSuturaError(fault, 'hl7.sealed')) return null;
      throw fault;
    }
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

  /** A parked message is sent, with the header that its destination has by now. As OutboxControl.requeue. */
  async requeue(id: string): Promise<void> {
    const { record } = await this.outbox.find(id);
    await this.writeDown(record, id, '$requeue', 'E');
    await this.requeueFound(record);
  }

  /** All that is parked for a destination, the sealed ones and what was overtaken apart. How many. `hl7.destination_not_found`. */
  async requeueAll(destinationId: string): Promise<number> {
    const destination = await this.destinations.find(destinationId);
    await this.trail.record(destination, { interaction: '$requeue', action: 'E', resource: `Endpoint/${destinationId}` });
    let requeued = 0;
    for (const record of await this.parkedFor(destinationId)) {
      try {
        await this.requeueFound(record);
        requeued += 1;
      } catch (fault) {
        if (!isSuturaError(fault, 'hl7.sealed', 'hl7.superseded', 'hl7.not_parked', 'hl7.in_progress')) throw fault;
      }
    }
    return requeued;
  }

  /** Oldest first. */
  private async parkedFor(destinationId: string): Promise<OutboundRecord[]> {
    const all: OutboundRecord[] = [];
    for (let page: OutboundRecord[]; ; ) {
      page = await this.outbox.list({ destinationId, state: 'parked' }, PAGE, all.at(-1)?.id ?? null);
      all.push(...page);
      if (page.length < PAGE) return all.reverse();
    }
  }

  private async requeueFound({ id, destinationId, controlId }: OutboundRecord): Promise<void> {
    const destination = (await this.destinations.all()).find((one) => one.id === destinationId);
    if (destination === undefined) throw new SuturaError('hl7.destination_deleted');
    await this.control.requeue(id, (bytes) => readdress(bytes, destination, controlId));
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

  /**
   * Takes every file out of a message that came in, for good; how many, and their bytes. The message can then no longer be replayed. As
   * MessageErasure.erase.
   */
  async erase(id: string): Promise<ErasedMessage> {
    await this.writeDown(await this.inbound.find(id), id, '$erase', 'D');
    const files = await this.erasure.erase(id);
    return { erasedFiles: files.length, erasedBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
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

  private writeDown(record: Found['record'], id: string, interaction: string, action: 'R' | 'E' | 'D'): Promise<void> {
    return this.trail.record(record, { interaction, action, resource: `MessageHeader/${id}` });
  }
}

type Search = Partial<Pick<InboundQuery, 'organizationId' | 'environment' | 'controlId' | 'patient' | 'order' | 'error' | 'from' | 'to'>>;

function inboundFilter({ listenerId, type, state, organizationId, environment, controlId, patient, order, error, from, to }: Search & Pick<Partial<InboundQuery>, 'listenerId' | 'type' | 'state'>): InboundFilter {
  const tenant = { ...(organizationId === undefined ? {} : { organizationId }), ...(environment === undefined ? {} : { environment }) };
  return { ...tenant, sourceId: listenerId, messageType: type, state, controlId, patient, order, error, from, to };
}

function outboundFilter({ destinationId, state, organizationId, environment, controlId, patient, order, error, from, to }: Search & Pick<Partial<OutboundQuery>, 'destinationId' | 'state'>): OutboxFilter {
  const tenant = organizationId === undefined || environment === undefined ? undefined : { organizationId, environment };
  return { tenant, destinationId, state, controlId, patient, order, error, from, to };
}

type Found = ({ readonly direction: 'in' } & Awaited<ReturnType<InboundDesk['show']>>) | ({ readonly direction: 'out' } & Awaited<ReturnType<OutboxDesk['show']>>);

/** By its own character set; bytes that it has no character for are shown as ISO 8859-1. */
function textOf(bytes: Buffer): string {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message' ? decoded.message.segments.map(({ raw }) => `${raw}\r`).join('') : bytes.toString('latin1');
}
