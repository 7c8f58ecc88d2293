import type { Provider } from '@nestjs/common';
import { AcknowledgmentDesk } from './acknowledgment-desk.js';
import { BatchReception } from './batch-reception.js';
import { DeferredConnections } from './deferred-connections.js';
import { DuplicateDesk } from './duplicate-desk.js';
import { Hl7Metrics } from './hl7-metrics.js';
import { InboundDesk } from './inbound-desk.js';
import { InboundPhotosKeeper } from './inbound-photos.keeper.js';
import { InboundPipeline } from './inbound-pipeline.js';
import { InboundStore } from './inbound-store.js';
import { InboundWorker } from './inbound-worker.js';
import { MessageErasure } from './message-erasure.js';
import { MessageLeases } from './message-leases.js';
import { MessageProcessor } from './message-processor.js';
import { MessageRun } from './message-run.js';
import { OutcomeWriter } from './outcome-writer.js';
import { ReceivedAnswers } from './received-answers.js';
import { Receptions } from './receptions.js';
import { ServedListeners } from './served-listeners.js';
import { SourceDirectory } from './source-directory.js';

export { BatchReception } from './batch-reception.js';
export { DemoListener } from './demo-listener.js';
export {
  LISTENER_SETTINGS,
  sourceOf,
  type Hl7Listener,
  type ListenerSettings,
  type ListenerSettingsInput,
} from './hl7-listener.js';
export { INBOUND_STATES, type InboundRecord, type InboundState } from './inbound-record.js';
export { InboundDesk, type InboundFilter, type ListedInbound } from './inbound-desk.js';
export { FIND_POINTED, findPointedPhotos, type PointedPhoto } from './pointed-photos.js';
export { InboundPipeline } from './inbound-pipeline.js';
export { INBOUND_CHANNEL, InboundStore } from './inbound-store.js';
export { InboundWorker } from './inbound-worker.js';
export { MessageErasure } from './message-erasure.js';
export { ListenerProbe } from './listener.probe.js';
export { ListenerRepository } from './listener.repository.js';
export { HL7_CHANGED_CHANNEL, ListenerSupervisor } from './listener-supervisor.js';
export type { Judged, Reception, Reply } from './reply.js';
export { Receptions } from './receptions.js';
export { ServedListeners, type ListenerStanding } from './served-listeners.js';
export { SourceDirectory } from './source-directory.js';

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
