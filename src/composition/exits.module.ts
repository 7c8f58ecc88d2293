import { Module } from '@nestjs/common';
import type { DeliveryExit } from '../core/deliveries/delivery-exit.js';
import { Exits } from '../core/deliveries/exits.js';
import { SubscriptionCommandsModule } from '../doors/fhir/fhir-subscriptions.module.js';
import { SubscriptionExit } from '../exits/subscriptions/subscription-exit.js';
import { EhrsModule } from './ehrs.module.js';
import { Hl7ExitModule } from './hl7v2.module.js';
import { DestinationExit } from '../doors/admin/hl7v2/operations/destination-exit.js';
import { EhrExit, EhrPushCommandsModule } from '../exits/ehr/index.js';
import { WebhookCommandsModule, WebhookExit } from '../exits/webhooks/index.js';

/** Binds Exits to those that there are; a new one is a line here. */
@Module({
  imports: [WebhookCommandsModule, SubscriptionCommandsModule, Hl7ExitModule, EhrsModule, EhrPushCommandsModule],
  providers: [
    {
      provide: Exits,
      inject: [WebhookExit, SubscriptionExit, DestinationExit, EhrExit],
      useFactory: (...exits: DeliveryExit[]) => new Exits(exits),
    },
  ],
  exports: [Exits],
})
export class ExitsModule {}
