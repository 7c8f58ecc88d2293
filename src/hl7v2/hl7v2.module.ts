import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { ReportsModule } from '../reports/index.js';
import { Hl7HttpSetup } from './http/hl7-http-setup.js';
import { Hl7Controller } from './http/hl7.controller.js';
import { InboundMapper } from './mapping/inbound-mapper.js';
import { HL7_INBOX_PROVIDERS } from './inbox/providers.js';
import { DemoListener } from './inbox/listeners/demo-listener.js';
import { ListenerRepository } from './inbox/listeners/listener.repository.js';
import { ServedListeners } from './inbox/listeners/served-listeners.js';
import { InboundPipeline } from './inbox/receiving/inbound-pipeline.js';
import { ListenerSupervisor } from './inbox/receiving/listener-supervisor.js';
import { RetainedMessages } from '../core/erasure/retention-policy.js';
import { AgedMessages } from './inbox/store/aged-messages.js';
import { PatientMessagesKeeper } from './inbox/store/patient-messages.keeper.js';
import { PatientResultsKeeper } from './outbound/outbox/patient-results.keeper.js';
import { ListenerProbe } from './inbox/receiving/listener.probe.js';
import { MessageReceiver } from './inbox/receiving/message-receiver.js';
import { InboundQueries } from './inbox/store/inbound-queries.js';
import { InboundControl } from './inbox/store/inbound-control.js';
import { Hl7MessagesController } from './operator/admin-api/hl7-messages.controller.js';
import { Hl7PeersController } from './operator/admin-api/hl7-peers.controller.js';
import { DestinationExit } from './operator/operations/destination-exit.js';
import { MessageDryRun } from './operator/operations/message-dry-run.js';
import { MessageOperationsFactory } from './operator/operations/message-operations.factory.js';
import { PeerOperationsFactory } from './operator/operations/peer-operations.factory.js';
import { MessageTraces } from './operator/trace/message-traces.js';
import { HL7_OUTBOUND_PROVIDERS, HL7_OUTBOX_PROVIDERS } from './outbound/providers.js';
import { DestinationRegister } from './outbound/destinations/destination-register.js';
import { DestinationRemoval } from './outbound/destinations/destination-removal.js';
import { OutboundControl } from './outbound/outbox/outbound-control.js';
import { OutboundQueries } from './outbound/outbox/outbound-queries.js';
import { OutboundQueue } from './outbound/outbox/outbound-queue.js';
import { ResultMessenger } from './outbound/results/result-messenger.handler.js';
import { DestinationSenders } from './outbound/sender/destination-senders.js';
import { DestinationTest } from './outbound/sender/destination-test.js';
import { DeferredAcknowledgments } from './outbound/sender/deferred-acknowledgments.js';
import { ReceivedOrders } from './records/received-orders.js';
import { MessageEncryption } from './encryption/message-encryption.js';

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
        DestinationRegister,
        DestinationRemoval,
        OutboundQueue,
        OutboundQueries,
        OutboundControl,
        DeferredAcknowledgments,
        DestinationTest,
        ResultMessenger,
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
      controllers: serves ? [Hl7Controller, Hl7PeersController, Hl7MessagesController] : [],
      providers: [
        ListenerRepository,
        DemoListener,
        InboundMapper,
        ...HL7_INBOX_PROVIDERS,
        ...(listens ? [ListenerSupervisor, ListenerProbe] : []),
        ...(serves ? [Hl7HttpSetup, PeerOperationsFactory, MessageOperationsFactory, MessageDryRun] : []),
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
  providers: [
    MessageEncryption,
    ListenerRepository,
    ServedListeners,
    InboundQueries,
    InboundControl,
    PeerOperationsFactory,
    MessageOperationsFactory,
    ...HL7_OUTBOX_PROVIDERS,
  ],
  exports: [PeerOperationsFactory, MessageOperationsFactory],
})
export class Hl7CommandsModule {}

/** The providers of a dry run, besides ClinicalRecords. */
@Module({ providers: [ListenerRepository, InboundMapper, MessageDryRun], exports: [ListenerRepository, MessageDryRun] })
export class Hl7DryRunModule {}

/** The part of a photo's trace that messages tell. */
@Module({
  providers: [MessageEncryption, InboundQueries, ...HL7_OUTBOX_PROVIDERS, MessageTraces],
  exports: [MessageTraces],
})
export class Hl7TraceModule {}

/** Destinations and what goes out to them, in the words of all exits. */
@Module({ providers: [MessageEncryption, ...HL7_OUTBOX_PROVIDERS, DestinationExit], exports: [DestinationExit] })
export class Hl7ExitModule {}

/** The erasure of a patient's messages. Results first: they tell of analyses that the messages asked for. Needs PatientKeepers, which is global. */
@Module({
  providers: [
    MessageEncryption,
    PatientResultsKeeper,
    PatientMessagesKeeper,
    { provide: RetainedMessages, useClass: AgedMessages },
  ],
  exports: [PatientResultsKeeper, PatientMessagesKeeper, RetainedMessages],
})
export class Hl7ErasureModule {}
