import type { Provider } from '@nestjs/common';
import { AcknowledgmentWriter } from '../ack/acknowledgment-writer.js';
import { MessageReceiver } from './receiving/message-receiver.js';
import { DeferredConnections } from './processing/deferred-connections.js';
import { Hl7Metrics } from './receiving/hl7-metrics.js';
import { InboundQueries } from './store/inbound-queries.js';
import { InboundPhotosEraser } from './store/inbound-photos.eraser.js';
import { MessagePhotos } from './store/message-photos.js';
import { MessagePhotoSweep } from './processing/message-photo.sweep.js';
import { EnhancedModeReplies } from './receiving/enhanced-mode-replies.js';
import { InboundMessageFactory } from './receiving/inbound-message.factory.js';
import { MessageAcceptance } from './receiving/message-acceptance.js';
import { MllpHandlers } from './receiving/mllp-handlers.js';
import { OtherProtocols } from './receiving/other-protocols.js';
import { OriginalModeReplies } from './receiving/original-mode-replies.js';
import { InboundPipeline } from './receiving/inbound-pipeline.js';
import { InboundStore } from './store/inbound-store.js';
import { InboundWorker } from './processing/inbound-worker.js';
import { InboundControl } from './store/inbound-control.js';
import { MessageLeases } from './processing/message-leases.js';
import { HeldMessages } from './store/held-messages.js';
import { IdentityHolding } from './processing/identity-holding.js';
import { MessageProcessor } from './processing/message-processor.js';
import { MessagePlanning } from './processing/message-planning.js';
import { MessageReprocessor } from './processing/message-reprocessor.js';
import { MessageSequence } from './store/message-sequence.js';
import { ReprocessedOutcomes } from './processing/reprocessed-outcomes.js';
import { ReprocessedMessages } from './store/reprocessed-messages.js';
import { MessageRunner } from './processing/message-runner.js';
import { GroupedOutcomes } from './processing/grouped-outcomes.js';
import { UnannouncedPatients } from './processing/unannounced-patients.js';
import { WaitingMessages } from './processing/waiting-messages.js';
import { OutcomeWriter } from './processing/outcome-writer.js';
import { ListenerServers } from './receiving/listener-servers.js';
import { AcknowledgmentSending } from './processing/acknowledgment-sending.js';
import { ReceivedAcknowledgments } from './receiving/received-acknowledgments.js';
import { IncomingTraffic } from './processing/incoming-traffic.js';
import { ServedListeners } from './listeners/served-listeners.js';
import { SourceDirectory } from './listeners/source-directory.js';

/** What reads a kept message once more. */
export const REPROCESSING: Provider[] = [
  IdentityHolding,
  HeldMessages,
  UnannouncedPatients,
  MessagePlanning,
  ReprocessedMessages,
  MessageSequence,
  ReprocessedOutcomes,
  MessageReprocessor,
];

/** The providers of receiving and processing. Processes with the role `hl7` add ListenerSupervisor and its probe. */
export const HL7_INBOX_PROVIDERS: Provider[] = [
  AcknowledgmentWriter,
  MessageReceiver,
  DeferredConnections,
  Hl7Metrics,
  InboundQueries,
  InboundPhotosEraser,
  MessagePhotos,
  MessagePhotoSweep,
  InboundPipeline,
  MessageAcceptance,
  InboundMessageFactory,
  OriginalModeReplies,
  EnhancedModeReplies,
  MllpHandlers,
  ListenerServers,
  OtherProtocols,
  InboundStore,
  InboundWorker,
  InboundControl,
  MessageLeases,
  WaitingMessages,
  MessageProcessor,
  MessageRunner,
  OutcomeWriter,
  GroupedOutcomes,
  ...REPROCESSING,
  ReceivedAcknowledgments,
  AcknowledgmentSending,
  IncomingTraffic,
  ServedListeners,
  SourceDirectory,
];
