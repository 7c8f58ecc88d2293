import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import { TraceSource } from '../../../../core/trace/trace-source.js';
import type { TracedAs, TracedPhoto, TraceEvent, TraceFinding } from '../../../../core/trace/trace.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { InboundQueries } from '../../../hl7v2/inbox/store/inbound-queries.js';
import type { InboundRecord } from '../../../hl7v2/inbox/store/inbound-record.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import type { OutboundRecord } from '../../../../exits/mllp/outbox/outbound-message.js';
import { OutboundQueries } from '../../../../exits/mllp/outbox/outbound-queries.js';
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
    const [received, sent] = await Promise.all([this.inbound.findAll([id]), this.outboundById(id)]);
    const byId = [
      ...received.map((record) => this.ofInbound('hl7_message', record)),
      ...(await this.ofOutbound('hl7_message', sent)),
    ];
    if (byId.length > 0) return byId;
    const byNumber = [
      this.named('hl7_control_id', { controlId: id }),
      this.named('hl7_order_number', { order: id }),
      this.named('patient', { patient: id }),
    ];
    return (await Promise.all(byNumber)).flat();
  }

  async eventsOf(photos: readonly TracedPhoto[]): Promise<ReadonlyMap<string, readonly TraceEvent[]>> {
    const received = await this.inbound.listOfPhotos(photos, MOST_MESSAGES);
    const subjects = photos.map((photo) => ({
      photo,
      ids: [...photo.analysisIds, ...photo.reportIds, ...(received.get(photo.imageId) ?? []).map(({ id }) => id)],
    }));
    const sent = await this.outbox.listAbout(
      subjects.flatMap(({ photo: { tenant }, ids }) => ids.map((id) => ({ tenant, id }))),
      MOST_MESSAGES,
    );
    const paused = await this.pausedOf(sent);
    return new Map(
      subjects.map(({ photo: { imageId }, ids }) => [
        imageId,
        [
          ...(received.get(imageId) ?? []).flatMap(inboundEvents),
          ...sent
            .filter(({ subjectId }) => ids.includes(subjectId))
            .slice(0, MOST_MESSAGES)
            .flatMap((record) => outboundEvents(record, paused.has(record.destinationId))),
        ],
      ]),
    );
  }

  private async named(
    takenFor: TracedAs,
    by: { readonly controlId: string } | { readonly order: string } | { readonly patient: string },
  ): Promise<TraceFinding[]> {
    const [received, sent] = await Promise.all([
      this.inbound.list(by, MOST_MESSAGES),
      this.outbox.list(by, MOST_MESSAGES),
    ]);
    return [...received.map((record) => this.ofInbound(takenFor, record)), ...(await this.ofOutbound(takenFor, sent))];
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
  private async ofOutbound(takenFor: TracedAs, records: readonly OutboundRecord[]): Promise<TraceFinding[]> {
    const answers = records.flatMap(({ kind, subjectId }) => (kind === 'ack' ? [subjectId] : []));
    const [paused, found] = await Promise.all([this.pausedOf(records), this.inbound.findAll(answers)]);
    const answered = new Map(found.map((record) => [record.id, record]));
    return records.map((record) => {
      const events = outboundEvents(record, paused.has(record.destinationId));
      const message = record.kind === 'ack' ? answered.get(record.subjectId) : undefined;
      if (message !== undefined)
        return { ...this.ofInbound(takenFor, message), events: [...inboundEvents(message), ...events] };
      return { takenFor, tenant: tenantOf(record), imageIds: [], leadsTo: [record.subjectId], events };
    });
  }

  /** Which of the destinations of these messages are paused. */
  private async pausedOf(records: readonly OutboundRecord[]): Promise<ReadonlySet<string>> {
    if (records.length === 0) return new Set();
    return new Set((await this.destinations.all()).filter(({ enabled }) => !enabled).map(({ id }) => id));
  }

  private outboundById(id: string): Promise<OutboundRecord[]> {
    return this.outbox.find(id).then(
      ({ record }) => [record],
      (fault: unknown) => {
        if (isSuturaError(fault, 'hl7.message_not_found')) return [];
        throw fault;
      },
    );
  }
}
