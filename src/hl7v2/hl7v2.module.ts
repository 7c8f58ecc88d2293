import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { ReportsModule } from '../reports/index.js';
import { HL7_HTTP_CONTROLLERS, HL7_HTTP_PROVIDERS } from './http/index.js';
import { HL7_INBOUND_PROVIDERS, InboundMapper } from './mapping/index.js';
import {
  BatchReception,
  DemoListener,
  HL7_INBOX_PROVIDERS,
  InboundDesk,
  InboundPipeline,
  ListenerProbe,
  ListenerRepository,
  ListenerSupervisor,
  MessageErasure,
  ServedListeners,
} from './inbox/index.js';
import {
  HL7_OPERATOR_CONTROLLERS,
  HL7_OPERATOR_PROVIDERS,
  Hl7Trial,
  MessageDesks,
  MessageTraces,
  PeerDesks,
} from './operator/index.js';
import {
  DestinationRegister,
  DestinationRemoval,
  DestinationTest,
  HL7_OUTBOUND_PROVIDERS,
  HL7_OUTBOX_PROVIDERS,
  LateAnswers,
  OutboundQueue,
  OutboxControl,
  OutboxDesk,
  ResultMessenger,
  SenderPool,
} from './outbound/index.js';
import { OrderEchoes } from './records/received-orders.js';
import { MessageVault } from './encryption/message-encryption.js';

const SHARED: readonly Provider[] = [MessageVault, OrderEchoes];

/** What goes out. Every process makes the messages, as every process relays events; those with the role `hl7` send them. `storage` is the module of the object store. */
@Module({})
export class Hl7OutboundModule {
  static register({ environment }: Settings, storage: Type): DynamicModule {
    const sends = environment.SUTURA_ROLES.includes('hl7');
    const providers = [...SHARED, ...HL7_OUTBOUND_PROVIDERS.filter((provider) => sends || provider !== SenderPool)];
    return {
      module: Hl7OutboundModule,
      imports: [ReportsModule, storage],
      providers,
      exports: [
        MessageVault,
        OrderEchoes,
        DestinationRegister,
        DestinationRemoval,
        OutboundQueue,
        OutboxDesk,
        OutboxControl,
        LateAnswers,
        DestinationTest,
        ResultMessenger,
      ],
    };
  }
}

/**
 * The HL7 v2 door: MLLP listeners where the process has the role `hl7`, POST /hl7v2 and the operator's view where it has the role `api`. Needs
 * ClinicalRecords, core's services and identity, all global. `outbound` is the module that Hl7OutboundModule.register made.
 */
@Module({})
export class Hl7Module {
  static register({ environment }: Settings, outbound: DynamicModule): DynamicModule {
    const listens = environment.SUTURA_ROLES.includes('hl7');
    const serves = environment.SUTURA_ROLES.includes('api');
    return {
      module: Hl7Module,
      imports: [outbound],
      controllers: serves ? [...HL7_HTTP_CONTROLLERS, ...HL7_OPERATOR_CONTROLLERS] : [],
      providers: [
        ListenerRepository,
        DemoListener,
        ...HL7_INBOUND_PROVIDERS,
        ...HL7_INBOX_PROVIDERS,
        ...(listens ? [ListenerSupervisor, ListenerProbe] : []),
        ...(serves ? [...HL7_HTTP_PROVIDERS, ...HL7_OPERATOR_PROVIDERS] : []),
      ],
      exports: [DemoListener, BatchReception, InboundPipeline, ...(listens ? [ListenerSupervisor, ListenerProbe] : [])],
    };
  }
}

/** What commands need: listeners, destinations and messages, and neither sockets nor records. */
@Module({
  providers: [
    MessageVault,
    ListenerRepository,
    ServedListeners,
    InboundDesk,
    MessageErasure,
    PeerDesks,
    MessageDesks,
    ...HL7_OUTBOX_PROVIDERS,
  ],
  exports: [PeerDesks, MessageDesks],
})
export class Hl7CommandsModule {}

/** What trying a message needs besides ClinicalRecords. */
@Module({ providers: [ListenerRepository, InboundMapper, Hl7Trial], exports: [ListenerRepository, Hl7Trial] })
export class Hl7TrialModule {}

/** What happened to a photo as far as messages say it. */
@Module({ providers: [MessageVault, InboundDesk, ...HL7_OUTBOX_PROVIDERS, MessageTraces], exports: [MessageTraces] })
export class Hl7TraceModule {}
