import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { ReportsModule } from '../reports/index.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { Hl7HttpSetup } from '../doors/hl7v2/http/hl7-http-setup.js';
import { Hl7Controller } from '../doors/hl7v2/http/hl7.controller.js';
import { InboundMapper } from '../doors/hl7v2/mapping/inbound-mapper.js';
import { AcknowledgmentWriter } from '../doors/hl7v2/ack/acknowledgment-writer.js';
import { HL7_INBOX_PROVIDERS, REPROCESSING } from '../doors/hl7v2/inbox/providers.js';
import { DemoListener } from '../doors/hl7v2/inbox/listeners/demo-listener.js';
import { ListenerRepository } from '../doors/hl7v2/inbox/listeners/listener.repository.js';
import { ServedListeners } from '../doors/hl7v2/inbox/listeners/served-listeners.js';
import { InboundPipeline } from '../doors/hl7v2/inbox/receiving/inbound-pipeline.js';
import { ListenerSupervisor } from '../doors/hl7v2/inbox/receiving/listener-supervisor.js';
import { RetainedMessages } from '../core/erasure/retention-policy.js';
import { AgedMessages } from '../doors/hl7v2/inbox/store/aged-messages.js';
import { PatientMessagesEraser } from '../doors/hl7v2/inbox/store/patient-messages.eraser.js';
import { PatientResultsEraser } from '../exits/mllp/outbox/patient-results.eraser.js';
import { ListenerProbe } from '../doors/hl7v2/inbox/receiving/listener.probe.js';
import { MessageReceiver } from '../doors/hl7v2/inbox/receiving/message-receiver.js';
import { InboundQueries } from '../doors/hl7v2/inbox/store/inbound-queries.js';
import { InboundControl } from '../doors/hl7v2/inbox/store/inbound-control.js';
import { DestinationExit } from '../doors/admin/hl7v2/operations/destination-exit.js';
import { HL7_ADMIN_GROUPS } from '../doors/admin/hl7v2/actions/hl7-groups.js';
import { MessageOperations } from '../doors/admin/hl7v2/operations/message-operations.js';
import { FailedMessages } from '../doors/admin/hl7v2/operations/failed-messages.js';
import { MessageReprocessing } from '../doors/admin/hl7v2/operations/message-reprocessing.js';
import { MessageDryRun } from '../doors/admin/hl7v2/operations/message-dry-run.js';
import { MessageTraces } from '../doors/admin/hl7v2/trace/message-traces.js';
import { MessageRebuilds } from '../doors/admin/hl7v2/operations/message-rebuilds.js';
import { MessageRebuilding } from '../exits/mllp/results/message-rebuilding.js';
import { HL7_COMPOSING_PROVIDERS, HL7_OUTBOUND_PROVIDERS, HL7_OUTBOX_PROVIDERS } from '../exits/mllp/providers.js';
import { DestinationRegister } from '../exits/mllp/destinations/destination-register.js';
import { DestinationRemoval } from '../exits/mllp/destinations/destination-removal.js';
import { OutboundControl } from '../exits/mllp/outbox/outbound-control.js';
import { OutboundQueries } from '../exits/mllp/outbox/outbound-queries.js';
import { OutboundQueue } from '../exits/mllp/outbox/outbound-queue.js';
import { ResultMessenger } from '../exits/mllp/results/result-messenger.handler.js';
import { DestinationSenders } from '../exits/mllp/sender/destination-senders.js';
import { DestinationTest } from '../exits/mllp/sender/destination-test.js';
import { DeferredAcknowledgments } from '../exits/mllp/sender/deferred-acknowledgments.js';
import { ReceivedOrders } from '../standards/hl7v2/records/received-orders.js';
import { MessageEncryption } from '../standards/hl7v2/encryption/message-encryption.js';
import { MessageFileStore } from '../standards/hl7v2/files/message-file-store.js';

const SHARED: readonly Provider[] = [MessageEncryption, ReceivedOrders];

/**
 * Outbound messages. Every process makes them, as every process relays events; processes with the role `hl7` send them.
 * `storage` is the module of the object store.
 */
@Module({})
export class Hl7OutboundModule {
  static register({ process: { roles } }: Settings, storage: Type): DynamicModule {
    const sends = roles.includes('hl7');
    const providers = [
      ...SHARED,
      ...HL7_OUTBOUND_PROVIDERS.filter((provider) => sends || provider !== DestinationSenders),
    ];
    return {
      module: Hl7OutboundModule,
      imports: [ReportsModule, storage],
      providers,
      exports: [
        MessageEncryption,
        ReceivedOrders,
        MessageFileStore,
        DestinationRegister,
        DestinationRemoval,
        OutboundQueue,
        OutboundQueries,
        OutboundControl,
        DeferredAcknowledgments,
        DestinationTest,
        ResultMessenger,
        MessageRebuilding,
      ],
    };
  }
}

/**
 * The HL7 v2 door: MLLP listeners in processes with the role `hl7`, POST /hl7v2 and the admin API in those with the
 * role `api`. `outbound` is the module made by Hl7OutboundModule.register.
 */
@Module({})
export class Hl7Module {
  static register({ process: { roles } }: Settings, outbound: DynamicModule): DynamicModule {
    const listens = roles.includes('hl7');
    const serves = roles.includes('api');
    return {
      module: Hl7Module,
      imports: [outbound],
      controllers: serves ? [Hl7Controller, ...HL7_ADMIN_GROUPS.map(({ controller }) => controller)] : [],
      providers: [
        ListenerRepository,
        DemoListener,
        InboundMapper,
        ...HL7_INBOX_PROVIDERS,
        ...(listens ? [ListenerSupervisor, ListenerProbe] : []),
        ...(serves ? [Hl7HttpSetup, MessageOperations, MessageDryRun, MessageReprocessing, MessageRebuilds] : []),
      ],
      exports: [
        DemoListener,
        MessageReceiver,
        InboundPipeline,
        ...(listens ? [ListenerSupervisor, ListenerProbe] : []),
      ],
    };
  }
}

/** The providers of commands: listeners, destinations and messages, without sockets and records. */
@Module({
  imports: [StorageModule],
  providers: [
    MessageEncryption,
    ListenerRepository,
    ServedListeners,
    InboundQueries,
    InboundControl,
    MessageOperations,
    ...HL7_OUTBOX_PROVIDERS,
  ],
  exports: [MessageOperations],
})
export class Hl7CommandsModule {}

/** The providers of a dry run, besides ClinicalRecords. */
@Module({ providers: [ListenerRepository, InboundMapper, MessageDryRun], exports: [MessageDryRun] })
export class Hl7DryRunModule {}

/** The providers of reading kept messages once more, besides ClinicalRecords. */
@Module({
  imports: [StorageModule],
  providers: [
    ...SHARED,
    ListenerRepository,
    InboundQueries,
    InboundMapper,
    AcknowledgmentWriter,
    MessageFileStore,
    ...REPROCESSING,
    MessageReprocessing,
    FailedMessages,
  ],
  exports: [MessageReprocessing, FailedMessages],
})
export class Hl7ReprocessModule {}

/** The providers of making parked results anew, besides ClinicalRecords. */
@Module({
  imports: [ReportsModule, StorageModule],
  providers: [...SHARED, ...HL7_OUTBOX_PROVIDERS, ...HL7_COMPOSING_PROVIDERS, MessageRebuilds],
  exports: [MessageRebuilds],
})
export class Hl7RebuildModule {}

/** The part of a photo's trace that messages tell. */
@Module({
  imports: [StorageModule],
  providers: [MessageEncryption, InboundQueries, ...HL7_OUTBOX_PROVIDERS, MessageTraces],
  exports: [MessageTraces],
})
export class Hl7TraceModule {}

/** Destinations and what goes out to them, in the words of all exits. */
@Module({
  imports: [StorageModule],
  providers: [MessageEncryption, ...HL7_OUTBOX_PROVIDERS, DestinationExit],
  exports: [DestinationExit],
})
export class Hl7ExitModule {}

/** The erasure of a patient's messages. Results first: they tell of analyses that the messages asked for. Needs PatientDataErasers, which is global. */
@Module({
  providers: [
    MessageEncryption,
    PatientResultsEraser,
    PatientMessagesEraser,
    { provide: RetainedMessages, useClass: AgedMessages },
  ],
  exports: [PatientResultsEraser, PatientMessagesEraser, RetainedMessages],
})
export class Hl7ErasureModule {}
