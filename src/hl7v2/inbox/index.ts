import type { Provider } from '@nestjs/common';
import { AcknowledgmentDesk } from '../ack/acknowledgment-writer.js';
import { BatchReception } from './receiving/message-receiver.js';
import { DeferredConnections } from './processing/deferred-connections.js';
import { DuplicateDesk } from './receiving/repeated-messages.js';
import { Hl7Metrics } from './receiving/hl7-metrics.js';
import { InboundDesk } from './store/inbound-queries.js';
import { InboundPhotosKeeper } from './store/inbound-photos.keeper.js';
import { InboundPipeline } from './receiving/inbound-pipeline.js';
import { InboundStore } from './store/inbound-store.js';
import { InboundWorker } from './processing/inbound-worker.js';
import { MessageErasure } from './store/message-erasure.js';
import { MessageLeases } from './processing/message-leases.js';
import { MessageProcessor } from './processing/message-processor.js';
import { MessageRun } from './processing/message-runner.js';
import { OutcomeWriter } from './processing/outcome-writer.js';
import { ReceivedAnswers } from './receiving/received-acknowledgments.js';
import { Receptions } from './processing/incoming-traffic.js';
import { ServedListeners } from './listeners/served-listeners.js';
import { SourceDirectory } from './listeners/source-directory.js';

export { BatchReception } from './receiving/message-receiver.js';
export { DemoListener } from './listeners/demo-listener.js';
export {
  LISTENER_SETTINGS,
  sourceOf,
  type Hl7Listener,
  type ListenerSettings,
  type ListenerSettingsInput,
} from './listeners/hl7-listener.js';
export { INBOUND_STATES, type InboundRecord, type InboundState } from './store/inbound-record.js';
export { InboundDesk, type InboundFilter, type ListedInbound } from './store/inbound-queries.js';
export { FIND_POINTED, findPointedPhotos, type PointedPhoto } from './store/pointed-photos.js';
export { InboundPipeline } from './receiving/inbound-pipeline.js';
export { INBOUND_CHANNEL, InboundStore } from './store/inbound-store.js';
export { InboundWorker } from './processing/inbound-worker.js';
export { MessageErasure } from './store/message-erasure.js';
export { ListenerProbe } from './receiving/listener.probe.js';
export { ListenerRepository } from './listeners/listener.repository.js';
export { HL7_CHANGED_CHANNEL, ListenerSupervisor } from './receiving/listener-supervisor.js';
export type { Judged, Reception, Reply } from './receiving/reply.js';
export { Receptions } from './processing/incoming-traffic.js';
export { ServedListeners, type ListenerStanding } from './listeners/served-listeners.js';
export { SourceDirectory } from './listeners/source-directory.js';

/** Taking messages in, wherever they come from. ListenerSupervisor and its probe come on top where this process listens. */
export const HL7_INBOX_PROVIDERS: Provider[] = [
  AcknowledgmentDesk,
  BatchReception,
  DeferredConnections,
  DuplicateDesk,
  Hl7Metrics,
  InboundDesk,
  InboundPhotosKeeper,
  InboundPipeline,
  InboundStore,
  InboundWorker,
  MessageErasure,
  MessageLeases,
  MessageProcessor,
  MessageRun,
  OutcomeWriter,
  ReceivedAnswers,
  Receptions,
  ServedListeners,
  SourceDirectory,
];
