import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { tenantOf } from '../../../core/tenancy/tenant.js';
import { ListenerAuthorities, withAuthorities } from '../destinations/listener-authorities.js';
import { toFailureMessage } from '../oru/failure-message.js';
import { OutboundControl } from '../outbox/outbound-control.js';
import type { NewMessage, OutboundRecord } from '../outbox/outbound-message.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { FailureFactsReader } from './failure-facts-reader.js';
import { OrderRebuilding } from './order-rebuilding.js';
import { ReportFactsReader } from './report-facts-reader.js';
import { ReportMessageComposer } from './report-message-composer.js';

const GONE = 'Its report, or this version of it, is no longer there: it was erased, or moved into another record.';
const NO_PATIENT = 'Its patient has no number any more by which a receiver could file it.';
const ACKNOWLEDGMENT = 'It is an acknowledgment, which says what was true when it was made.';

/** Makes parked results anew by the present settings of their destination: codes, units, constants, rows, documents. */
@Injectable()
export class MessageRebuilding {
  constructor(
    private readonly reports: ReportFactsReader,
    private readonly composer: ReportMessageComposer,
    private readonly failures: FailureFactsReader,
    private readonly orders: OrderRebuilding,
    private readonly authorities: ListenerAuthorities,
    private readonly control: OutboundControl,
  ) {}

  /**
   * Sends a parked message as it is made anew, with its old control id and in its old place. `hl7.not_rebuilt` says why it cannot be; else as
   * OutboundControl.requeue.
   */
  async requeue(message: OutboundRecord, destination: Hl7Destination, by: string): Promise<void> {
    // If a photo is erased while the message is made, it is made anew, without it.
    while (!(await this.control.requeueAs(message.id, by, message.controlId, await this.made(message, destination))));
  }

  private async made(message: OutboundRecord, destination: Hl7Destination): Promise<NewMessage> {
    if (message.kind === 'ack') throw new SuturaError('hl7.not_rebuilt', { detail: ACKNOWLEDGMENT });
    const whole = await this.orders.made(message, destination);
    if (whole !== null) return whole;
    const tenant = tenantOf(message);
    const known = await this.authorities.ofTenant(tenant);
    const facts = await this.reports.readVersion(tenant, message.subjectId, message.version, destination);
    if (facts === null) return this.failure(message, destination, known);
    const [composed] = await this.composer.compose(facts, [destination], known);
    const [made] = composed?.[1] ?? [];
    if (made === undefined) throw new SuturaError('hl7.not_rebuilt', { detail: NO_PATIENT });
    return made;
  }

  private async failure(
    { subjectId, version, ...tenant }: OutboundRecord,
    destination: Hl7Destination,
    known: Awaited<ReturnType<ListenerAuthorities['ofTenant']>>,
  ): Promise<NewMessage> {
    const failure = await this.failures.read(tenantOf(tenant), subjectId);
    if (failure === null) throw new SuturaError('hl7.not_rebuilt', { detail: GONE });
    const { facts, patientId } = failure;
    const build = toFailureMessage(facts, withAuthorities(destination.settings, known));
    if (build === null) throw new SuturaError('hl7.not_rebuilt', { detail: NO_PATIENT });
    const lane = patientId ?? subjectId;
    return { kind: 'result', subjectId, version, lane, preliminary: false, imageIds: [], build };
  }
}
