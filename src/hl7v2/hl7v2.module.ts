import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { ReportsModule } from '../reports/index.js';
import { HL7_HTTP_CONTROLLERS, HL7_HTTP_PROVIDERS } from './http/index.js';
import { HL7_INBOUND_PROVIDERS } from './inbound/index.js';
import { DemoListener, HL7_INBOX_PROVIDERS, InboundPipeline, ListenerProbe, ListenerRepository, ListenerSupervisor } from './inbox/index.js';
import { HL7_OPERATOR_CONTROLLERS, HL7_OPERATOR_PROVIDERS } from './operator/index.js';
import { DestinationRegister, HL7_OUTBOUND_PROVIDERS, LateAnswers, OutboundQueue, OutboxDesk, ResultMessenger, SenderPool } from './outbound/index.js';
import { OrderEchoes } from './records/order-echoes.js';
import { MessageVault } from './vault/message-vault.js';

const SHARED: readonly Provider[] = [MessageVault, OrderEchoes];

/** What goes out. Every process makes the messages, as every process relays events; those with the role `hl7` send them. */
@Module({})
export class Hl7OutboundModule {
  static register({ environment }: Settings): DynamicModule {
    const sends = environment.SUTURA_ROLES.includes('hl7');
    const providers = [...SHARED, ...HL7_OUTBOUND_PROVIDERS.filter((provider) => sends || provider !== SenderPool)];
    return {
      module: Hl7OutboundModule,
      imports: [ReportsModule],
      providers,
      exports: [MessageVault, OrderEchoes, DestinationRegister, OutboundQueue, OutboxDesk, LateAnswers, ResultMessenger],
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
      exports: [DemoListener, InboundPipeline, ...(listens ? [ListenerSupervisor, ListenerProbe] : [])],
    };
  }
}
