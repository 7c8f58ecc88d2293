import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DeliveryMetrics } from '../../kit/index.js';
import { OutboundDeliveries } from '../outbox/outbound-deliveries.js';

/** Figures of what goes out, by destination id. */
@Injectable()
export class OutboundMetrics extends DeliveryMetrics implements OnModuleInit {
  constructor(deliveries: OutboundDeliveries) {
    super(
      {
        label: 'destination',
        attempts: {
          name: 'sutura_hl7_outbound_attempts_total',
          help: 'Attempts to deliver an HL7 message, by destination and MSA-1 of the acknowledgment',
        },
        oldest: {
          name: 'sutura_hl7_outbound_oldest_seconds',
          help: 'Age of the oldest HL7 message that waits for its destination; alarm on this',
        },
        deliveries: {
          name: 'sutura_hl7_outbound_messages',
          help: 'HL7 messages that wait for their destination, or are parked',
        },
      },
      deliveries,
    );
  }
}
