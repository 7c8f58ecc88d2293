import { Injectable } from '@nestjs/common';
import { OperatorTrail, type Operator } from '../../../core/audit/operator-trail.js';
import { InboundQueries } from '../../inbox/store/inbound-queries.js';
import { InboundControl } from '../../inbox/store/inbound-control.js';
import { OutboundQueries } from '../../outbound/outbox/outbound-queries.js';
import { OutboundControl } from '../../outbound/outbox/outbound-control.js';
import { DestinationRegister } from '../../outbound/destinations/destination-register.js';
import { MessageOperations } from './message-operations.js';

/** Makes the operations of one operator, under whose name every act is written into the audit trail. */
@Injectable()
export class MessageOperationsFactory {
  constructor(
    private readonly inbound: InboundQueries,
    private readonly inboundControl: InboundControl,
    private readonly outbox: OutboundQueries,
    private readonly control: OutboundControl,
    private readonly destinations: DestinationRegister,
    private readonly trail: OperatorTrail,
  ) {}

  of(operator: Operator): MessageOperations {
    const { inbound, inboundControl, outbox, control, destinations } = this;
    return new MessageOperations({
      inbound,
      inboundControl,
      outbox,
      control,
      destinations,
      record: (act) => this.trail.record(operator, act),
    });
  }
}
