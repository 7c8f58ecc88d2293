import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { TraceSource } from '../../../core/trace/trace-source.js';
import type { TracedAs, TracedPhoto, TraceEvent, TraceFinding } from '../../../core/trace/trace.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import { InboundQueries } from '../../inbox/store/inbound-queries.js';
import type { InboundRecord } from '../../inbox/store/inbound-record.js';
import { DestinationRegister } from '../../outbound/destinations/destination-register.js';
import type { OutboundRecord } from '../../outbound/outbox/outbound-message.js';
import { OutboundQueries } from '../../outbound/outbox/outbound-queries.js';
import { inboundEvents, outboundEvents } from './message-events.js';

/** The most messages with one control id, or about one order: some are resent, or go to several destinations. */
const MOST_MESSAGES = 20;

/** The messages of a photo, for its trace. */
@Injectable()
export class MessageTraces extends TraceSource {
  constructor(
    private readonly inbound: InboundQueries,
    private readonly outbox: OutboundQueries,
    private readonly destinations: DestinationRegister,
  ) {
    super();
  }

  async find(id: string): Promise<TraceFinding[]> {
    const [message, sent] = await Promise.all([this.inboundById(id), this.outboundById(id)]);
    const byId = [
      ...(message === null ? [] : [this.ofInbound('hl7_message', message)]),
      ...(sent === null ? [] : [await this.ofOutbound('hl7_message', sent)]),
    ];
    if (byId.length > 0) return byId;
    const byControlId = await this.named('hl7_control_id', { controlId: id });
    const byOrder = await this.named('hl7_order_number', { order: id });
    return [...byControlId, ...byOrder, ...(await this.named('patient', { patient: id }))];
  }

  async eventsOf({ tenant, sha256, messageId, analysisIds, reportIds }: TracedPhoto): Promise<TraceEvent[]> {
    const received = await this.inbound.listOfPhoto(tenant, { sha256, messageId, analysisIds }, MOST_MESSAGES);
    const sent = await this.outbox.listAbout(
      tenant,
      [...analysisIds, ...reportIds, ...received.map(({ id }) => id)],
      MOST_MESSAGES,
    );
    const paused = await this.pausedDestinations();
    return [
      ...received.flatMap(inboundEvents),
      ...sent.flatMap((record) => outboundEvents(record, paused.has(record.destinationId))),
    ];
  }

  private async named(
    takenFor: TracedAs,
    by: { readonly controlId: string } | { readonly order: string } | { readonly patient: string },
  ): Promise<TraceFinding[]> {
    const received = await this.inbound.list(by, MOST_MESSAGES);
    const sent = await this.outbox.list(by, MOST_MESSAGES);
    return [
      ...received.map((record) => this.ofInbound(takenFor, record)),
      ...(await Promise.all(sent.map((record) => this.ofOutbound(takenFor, record)))),
    ];
  }

  private ofInbound(takenFor: TracedAs, record: InboundRecord): TraceFinding {
    return {
      takenFor,
      tenant: tenantOf(record),
      imageIds: record.pointedImageIds,
      leadsTo: record.analysisIds,
      requestId: record.id,
      events: inboundEvents(record),
    };
  }

  /** An outbound message is about a report, a failed analysis, or an inbound message. */
  private async ofOutbound(takenFor: TracedAs, record: OutboundRecord): Promise<TraceFinding> {
    const events = outboundEvents(record, (await this.pausedDestinations()).has(record.destinationId));
    const answered = record.kind === 'ack' ? await this.inboundById(record.subjectId) : null;
    if (answered !== null)
      return { ...this.ofInbound(takenFor, answered), events: [...inboundEvents(answered), ...events] };
    return { takenFor, tenant: tenantOf(record), imageIds: [], leadsTo: [record.subjectId], events };
  }

  private async pausedDestinations(): Promise<ReadonlySet<string>> {
    return new Set((await this.destinations.all()).filter(({ enabled }) => !enabled).map(({ id }) => id));
  }

  private inboundById(id: string): Promise<InboundRecord | null> {
    return this.inbound.find(id).catch(unknownIsNull);
  }

  private outboundById(id: string): Promise<OutboundRecord | null> {
    return this.outbox.find(id).then(({ record }) => record, unknownIsNull);
  }
}

function unknownIsNull(fault: unknown): null {
  if (isSuturaError(fault, 'hl7.message_not_found')) return null;
  throw fault;
}
