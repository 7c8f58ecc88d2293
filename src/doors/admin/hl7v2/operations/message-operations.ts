import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OperatorTrail } from '../../../../core/audit/operator-trail.js';
import { isSuturaError, SuturaError } from '../../../../core/errors/sutura-error.js';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { InboundQueries, type ListedInbound } from '../../../hl7v2/inbox/store/inbound-queries.js';
import { InboundControl } from '../../../hl7v2/inbox/store/inbound-control.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import { readdress } from '../../../../exits/mllp/oru/readdress.js';
import { OutboundControl } from '../../../../exits/mllp/outbox/outbound-control.js';
import type { OutboundRecord } from '../../../../exits/mllp/outbox/outbound-message.js';
import { OutboundQueries, type OutboundOutline } from '../../../../exits/mllp/outbox/outbound-queries.js';
import { onThing } from '../../action/acts.js';
import { id as messageId, list } from '../../action/answer-fields.js';
import type { ExportQuery, InboundQuery, MessageRange, OutboundQuery } from './hl7.schema.js';
import {
  toInboundView,
  toOutboundView,
  toPastEventView,
  type InboundView,
  type MessageView,
  type OutboundView,
  textOf,
} from './hl7.views.js';
import { inboundFilter, outboundFilter } from './message-filters.js';

/** A message byte for byte, as sent or received. */
export const EXPORTED_MESSAGE = z.object({
  messageId,
  controlId: z.string(),
  rawBase64: z
    .string()
    .nullable()
    .describe('null: no configured key decrypts it, or the object store lacks a file of it.'),
});

export const REPLAYED_RANGE = z.object({
  replayed: z.int(),
  skipped: list(z.object({ messageId, code: z.string() })),
  remaining: z.boolean().describe('There are more than were replayed at once: go on behind the last of them.'),
});

/** A parked message with what a person tells it by. */
export type ParkedView = OutboundView & OutboundOutline;

/** The files that an erasure removed from a message. */
export const ERASED_MESSAGE = z.object({ erasedFiles: z.int(), erasedBytes: z.int() });

const MOST_REPLAYED = 1000;
/** The same limit as for the reads of one Bundle. */
const EXPORTED_AT_ONCE_BYTES = 8 * 1024 * 1024;
const PAGE = 500;

/**
 * Inbound and outbound messages for the admin API and the command line: checked input in, views out. Each act is written into the audit trail
 * before it is done, and is not done where that fails: `service.unavailable`.
 */
@Injectable()
export class MessageOperations {
  constructor(
    private readonly inbound: InboundQueries,
    private readonly inboundControl: InboundControl,
    private readonly outbox: OutboundQueries,
    private readonly control: OutboundControl,
    private readonly destinations: DestinationRegister,
    private readonly trail: OperatorTrail,
  ) {}

  /** Newest first. */
  async listInbound(query: Omit<InboundQuery, 'direction'>): Promise<InboundView[]> {
    return (await this.inbound.list(inboundFilter(query), query.limit, query.after ?? null)).map(toInboundView);
  }

  /** Newest first. */
  async listOutbound(query: Omit<OutboundQuery, 'direction'>): Promise<OutboundView[]> {
    return (await this.outbox.list(outboundFilter(query), query.limit, query.after ?? null)).map(toOutboundView);
  }

  /**
   * A page of whole messages, newest first, each written into the audit trail. A message that no key decrypts, or a file
   * of which the object store lacks, has no bytes. A page ends at 8 MiB, or with one larger message; continue after its last message until a page is empty.
   */
  async exportPage(operator: Operator, query: ExportQuery): Promise<z.output<typeof EXPORTED_MESSAGE>[]> {
    const views = query.direction === 'in' ? await this.listInbound(query) : await this.listOutbound(query);
    const exported: z.output<typeof EXPORTED_MESSAGE>[] = [];
    let exportedBytes = 0;
    for (const { messageId, controlId, sizeBytes } of views) {
      if (exported.length > 0 && exportedBytes + sizeBytes > EXPORTED_AT_ONCE_BYTES) break;
      exported.push({ messageId, controlId, rawBase64: await this.rawOf(operator, messageId) });
      exportedBytes += sizeBytes;
    }
    return exported;
  }

  /** Replays the messages of a range, oldest first, at most 1,000 in one call; `remaining` says that there are more. */
  async replayRange(operator: Operator, range: MessageRange): Promise<z.output<typeof REPLAYED_RANGE>> {
    const found = await this.inRange(range);
    const replayed: string[] = [];
    const skipped: { messageId: string; code: string }[] = [];
    for (const id of found.slice(0, MOST_REPLAYED)) {
      try {
        await this.replay(operator, id);
        replayed.push(id);
      } catch (fault) {
        if (!isSuturaError(fault) || fault.code === 'service.unavailable') throw fault;
        skipped.push({ messageId: id, code: fault.code });
      }
    }
    return { replayed: replayed.length, skipped, remaining: found.length > MOST_REPLAYED };
  }

  /** Oldest first; one more than the most that are replayed at once. */
  private async inRange(range: MessageRange): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | null = null; ; after = ids.at(-1)!) {
      const page: readonly { readonly id: string }[] =
        range.direction === 'in'
          ? await this.inbound.list(inboundFilter(range), PAGE, after)
          : await this.outbox.list({ ...outboundFilter(range), state: range.state ?? 'delivered' }, PAGE, after);
      ids.push(...page.map(({ id }) => id));
      if (page.length < PAGE) return ids.reverse();
    }
  }

  private async rawOf(operator: Operator, id: string): Promise<string | null> {
    try {
      const found = await this.find(id);
      await this.writeDown(operator, found.record, 'read', 'R');
      return found.isWhole ? found.bytes.toString('base64') : null;
    } catch (fault) {
      if (isSuturaError(fault, 'hl7.sealed')) return null;
      throw fault;
    }
  }

  /** What is parked, newest first, with the numbers of patient and order and the receiver's words, each written into the audit trail. */
  async listParked(operator: Operator, query: Omit<OutboundQuery, 'direction'>): Promise<ParkedView[]> {
    const records = await this.outbox.list(
      { ...outboundFilter(query), state: 'parked' },
      query.limit,
      query.after ?? null,
    );
    const parked: ParkedView[] = [];
    for (const record of records) {
      await this.writeDown(operator, record, 'read', 'R');
      parked.push({ ...toOutboundView(record), ...(await this.outbox.outline(record.id)) });
    }
    return parked;
  }

  /** One message with its text and answer: an access to a patient's data. `hl7.message_not_found`, `hl7.sealed`. */
  async show(operator: Operator, id: string): Promise<MessageView> {
    const found = await this.find(id);
    await this.writeDown(operator, found.record, 'read', 'R');
    if (found.direction === 'in')
      return {
        ...toInboundView(found.record),
        message: textOf(found.bytes),
        ack: found.ack === null ? null : textOf(found.ack),
      };
    return {
      ...toOutboundView(found.record),
      message: textOf(found.bytes),
      answer: found.answer,
      history: found.history.map(toPastEventView),
    };
  }

  /**
   * Processes an inbound message again, or sends an outbound one again. `hl7.message_not_found`, `hl7.in_progress`,
   * `hl7.superseded`, `hl7.not_parked`, `hl7.sealed`.
   */
  async replay(operator: Operator, id: string): Promise<void> {
    const { direction, record } = await this.find(id);
    await this.writeDown(operator, record, '$replay', 'E');
    await (direction === 'in' ? this.inboundControl.replay(id) : this.control.replay(id, operator.name));
  }

  /**
   * Sends a parked message, with the present header of its destination, or processes a sealed inbound one. As
   * OutboundControl.requeue.
   */
  async requeue(operator: Operator, id: string): Promise<void> {
    const named = await this.named(id);
    await this.writeDown(operator, named.record, '$requeue', 'E');
    await (named.direction === 'in'
      ? this.takeUp(named.record, 'hl7.not_parked')
      : this.requeueFound(named.record, operator));
  }

  /**
   * Requeues what is parked for a destination, without sealed and superseded messages; returns how many.
   * `hl7.destination_not_found`.
   */
  async requeueAll(operator: Operator, destinationId: string): Promise<number> {
    const destination = await this.destinations.find(destinationId);
    await this.trail.record(operator, onThing('Endpoint', destination, '$requeue', 'E'));
    let requeued = 0;
    for (const record of await this.parkedFor(destinationId)) {
      try {
        await this.requeueFound(record, operator);
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
    for (let page: OutboundRecord[]; ;) {
      page = await this.outbox.list({ destinationId, state: 'parked' }, PAGE, all.at(-1)?.id ?? null);
      all.push(...page);
      if (page.length < PAGE) return all.reverse();
    }
  }

  private async requeueFound({ id, destinationId, controlId }: OutboundRecord, { name }: Operator): Promise<void> {
    const destination = (await this.destinations.all()).find((one) => one.id === destinationId);
    if (destination === undefined) throw new SuturaError('hl7.destination_deleted');
    await this.control.requeue(id, name, (bytes) => readdress(bytes, destination, controlId));
  }

  /** Tries a waiting or sealed inbound message now. `hl7.message_not_found`, `hl7.not_waiting`, `hl7.sealed`. */
  async retry(operator: Operator, id: string): Promise<void> {
    const { direction, record } = await this.named(id);
    await this.writeDown(operator, record, '$retry', 'E');
    await (direction === 'in' ? this.takeUp(record, 'hl7.not_waiting') : this.control.retryNow(id, operator.name));
  }

  /** Parks a waiting message. `hl7.message_not_found`, `hl7.not_waiting`. */
  async park(operator: Operator, id: string): Promise<void> {
    const { direction, record } = await this.named(id);
    if (direction === 'in') throw new SuturaError('hl7.not_waiting');
    await this.writeDown(operator, record, '$park', 'E');
    await this.control.park(id, operator.name);
  }

  /**
   * Gives up a parked message, or a sealed inbound one, for good and without decrypting it. `hl7.message_not_found`,
   * `hl7.not_parked`.
   */
  async discard(operator: Operator, id: string): Promise<void> {
    const { direction, record } = await this.named(id);
    await this.writeDown(operator, record, '$discard', 'E');
    await (direction === 'in' ? this.inboundControl.discard(id) : this.control.discard(id, operator.name));
  }

  /**
   * Removes every file from an inbound message, for good, after which it cannot be replayed; returns their number and
   * bytes. As InboundControl.erase.
   */
  async erase(operator: Operator, id: string): Promise<z.output<typeof ERASED_MESSAGE>> {
    await this.writeDown(operator, await this.inbound.find(id), '$erase', 'D');
    const files = await this.inboundControl.erase(id);
    return { erasedFiles: files.length, erasedBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  }

  /** Moves a waiting or parked message to another destination; returns its new id. As OutboundControl.move. */
  async move(operator: Operator, id: string, destinationId: string): Promise<string> {
    const destination = await this.destinations.find(destinationId);
    const { record } = await this.outbox.find(id);
    await this.writeDown(operator, record, '$move', 'E');
    return this.control.move(id, operator.name, destination, readdress);
  }

  /** Replays an inbound message that was sealed. `hl7.sealed` where still no key decrypts it. */
  private async takeUp({ id, state }: ListedInbound, otherwise: 'hl7.not_parked' | 'hl7.not_waiting'): Promise<void> {
    if (state !== 'sealed') throw new SuturaError(otherwise);
    await this.inboundControl.replay(id);
  }

  /** A message without its bytes, which may be sealed. `hl7.message_not_found`. */
  private async named(id: string): Promise<Named> {
    try {
      return { direction: 'in', record: await this.inbound.find(id) };
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.message_not_found')) throw fault;
    }
    return { direction: 'out', record: (await this.outbox.find(id)).record };
  }

  private async find(id: string): Promise<Found> {
    try {
      return { direction: 'in', ...(await this.inbound.show(id)) };
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.message_not_found')) throw fault;
    }
    return { direction: 'out', ...(await this.outbox.show(id)) };
  }

  private writeDown(
    operator: Operator,
    record: Named['record'],
    interaction: string,
    action: 'R' | 'E' | 'D',
  ): Promise<void> {
    return this.trail.record(operator, onThing('MessageHeader', record, interaction, action));
  }
}

type Named =
  | { readonly direction: 'in'; readonly record: ListedInbound }
  | { readonly direction: 'out'; readonly record: OutboundRecord };
type Found =
  | ({ readonly direction: 'in' } & Awaited<ReturnType<InboundQueries['show']>>)
  | ({ readonly direction: 'out' } & Awaited<ReturnType<OutboundQueries['show']>>);
