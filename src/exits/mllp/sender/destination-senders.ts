import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SenderPool, SenderTimings } from '../../kit/index.js';
import { NotificationListener } from '../../../platform/database/notification-listener.js';
import { DestinationRegister } from '../destinations/destination-register.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { HL7_QUEUE, type MessageColumns } from '../outbox/hl7-queue.js';
import { OutboundDeliveries } from '../outbox/outbound-deliveries.js';
import { MllpTransport, type DestinationEndpoint, type SenderAnswer } from './mllp-transport.js';
import { OutboundReports } from './outbound-reports.js';

/** A sender for each destination that is not paused. */
@Injectable()
export class DestinationSenders
  extends SenderPool<DestinationEndpoint, MessageColumns, SenderAnswer>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  constructor(
    destinations: DestinationRegister,
    deliveries: OutboundDeliveries,
    transport: MllpTransport,
    reports: OutboundReports,
    notifications: NotificationListener,
    timings: SenderTimings,
  ) {
    const endpoints = async () => (await destinations.all()).filter(({ enabled }) => enabled).map(toSendingEndpoint);
    super(HL7_QUEUE.channel, { deliveries, transport, reports, notifications, endpoints }, timings);
  }
}

function toSendingEndpoint(destination: Hl7Destination): DestinationEndpoint {
  const { id, settings } = destination;
  return {
    id,
    destination,
    revision: JSON.stringify(settings),
    collapse: settings.collapse,
    ordering: settings.ordering === 'strict' ? 'endpoint' : 'lane',
    stopOnParked: settings.stopOnError,
  };
}
