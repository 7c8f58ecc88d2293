import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../../core/audit/operator-trail.js';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { InboundQueries } from '../../../hl7v2/inbox/store/inbound-queries.js';
import { InboundControl } from '../../../hl7v2/inbox/store/inbound-control.js';
import { OutboundQueries } from '../../../../exits/mllp/outbox/outbound-queries.js';
import { OutboundControl } from '../../../../exits/mllp/outbox/outbound-control.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
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
