/** The public part of the kit. */
export {
  DELIVERY_STATES,
  PLAIN_BODIES,
  type Columns,
  type DeliveryState,
  type NewDelivery,
  type WrittenDelivery,
} from './queue/delivery.js';
export { DeliveryControl } from './queue/delivery-control.js';
export {
  actsOf,
  attemptsOf,
  LONGEST_WORDS,
  noted,
  pastEvents,
  sentAgain,
  toPastEvents,
  PAST_EVENTS,
  type KeptHistory,
  type PastEvent,
} from './queue/delivery-history.js';
export { DeliveryQueue, type DeliveryBatch, type QueuedEndpoint } from './queue/delivery-queue.js';
export { Handover } from './queue/handover.js';
export {
  LeasedDeliveries,
  type Arrival,
  type ClaimResult,
  type DueDelivery,
  type EndpointLease,
} from './queue/leased-deliveries.js';
export { DeliveryTraces } from './queue/delivery-traces.js';
export type { SendingOrder, SqlFragment } from './queue/claim-statements.js';
export { heldEndpoint, type QueueDefinition } from './queue/queue-definition.js';
export { DeliveryMetrics } from './sender/delivery.metrics.js';
export type { Connection, SenderReports, SendingEndpoint, Transport } from './sender/exit.js';
export { LoggedReports, type ReportNames } from './sender/logged-reports.js';
export { judge, type NoAnswer, type Outcome, type Verdict } from './sender/outcome.js';
export { SenderPool, type PoolPorts } from './sender/sender-pool.js';
export { SENDER_TIMINGS, SenderTimings, HTTP_RETRY_PAUSES_MS } from './sender/sender-timings.js';
