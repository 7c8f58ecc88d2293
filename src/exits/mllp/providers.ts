import type { Provider } from '@nestjs/common';
import { SENDER_TIMINGS, SenderTimings } from '../kit/index.js';
import { DestinationRegister } from './destinations/destination-register.js';
import { DestinationRemoval } from './destinations/destination-removal.js';
import { ListenerAuthorities } from './destinations/listener-authorities.js';
import { OutboundPhotosEraser } from './outbox/outbound-photos.eraser.js';
import { OutboundControl } from './outbox/outbound-control.js';
import { OutboundDeliveries } from './outbox/outbound-deliveries.js';
import { OutboundQueries } from './outbox/outbound-queries.js';
import { OrderParts } from './outbox/order-parts.js';
import { OutboundQueue } from './outbox/outbound-queue.js';
import { FailureFactsReader } from './results/failure-facts-reader.js';
import { FailureMessages } from './results/failure-messages.js';
import { MessageRebuilding } from './results/message-rebuilding.js';
import { ReportMessages } from './results/report-messages.js';
import { OrderAnalysesReader } from './results/order-analyses.js';
import { OrderMembersReader } from './results/order-members.js';
import { OrderMessageComposer } from './results/order-message-composer.js';
import { OrderMessages } from './results/order-messages.js';
import { OrderRebuilding } from './results/order-rebuilding.js';
import { OrderReader } from './results/order-reader.js';
import { ReportFactsReader } from './results/report-facts-reader.js';
import { ReportMessageComposer } from './results/report-message-composer.js';
import { ReportFilesReader } from './results/report-files.js';
import { ResultQueue } from './results/result-queue.js';
import { AnalysisReader } from './results/analysis-reader.js';
import { StoredReportReader } from './results/stored-report-reader.js';
import { ResultMessenger } from './results/result-messenger.handler.js';
import { DestinationTest } from './sender/destination-test.js';
import { DestinationSenders } from './sender/destination-senders.js';
import { DeferredAcknowledgments } from './sender/deferred-acknowledgments.js';
import { MllpTransport } from './sender/mllp-transport.js';
import { DestinationCertificateMetrics } from './sender/destination-certificates.metrics.js';
import { OutboundMetrics } from './sender/outbound.metrics.js';
import { OutboundReports } from './sender/outbound-reports.js';
import { MessageAssembly } from './sender/message-assembly.js';
import { MessageFileStore } from '../../standards/hl7v2/files/message-file-store.js';

/** The outbox with its readers and writers, which is all that commands need: they send nothing. */
export const HL7_OUTBOX_PROVIDERS: Provider[] = [
  DestinationRegister,
  DestinationRemoval,
  OrderParts,
  OutboundQueue,
  MessageFileStore,
  OutboundQueries,
  OutboundControl,
  DeferredAcknowledgments,
  DestinationTest,
];

/** What makes a message of a report or a failure. */
export const HL7_COMPOSING_PROVIDERS: Provider[] = [
  OrderReader,
  ListenerAuthorities,
  AnalysisReader,
  StoredReportReader,
  ReportFactsReader,
  ReportFilesReader,
  ReportMessageComposer,
  FailureFactsReader,
  OrderAnalysesReader,
  OrderMembersReader,
  OrderMessageComposer,
  OrderRebuilding,
  MessageRebuilding,
];

/** Results into the outbox, and the senders that empty it. */
export const HL7_OUTBOUND_PROVIDERS: Provider[] = [
  ...HL7_OUTBOX_PROVIDERS,
  OutboundPhotosEraser,
  ...HL7_COMPOSING_PROVIDERS,
  ResultQueue,
  ReportMessages,
  FailureMessages,
  OrderMessages,
  ResultMessenger,
  OutboundDeliveries,
  OutboundMetrics,
  DestinationCertificateMetrics,
  OutboundReports,
  MessageAssembly,
  MllpTransport,
  { provide: SenderTimings, useValue: SENDER_TIMINGS },
  DestinationSenders,
];
