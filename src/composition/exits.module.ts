import { Module } from '@nestjs/common';
import { Exits } from '../core/deliveries/exits.js';
import { Hl7ExitModule } from '../hl7v2/hl7v2.module.js';
import { DestinationExit } from '../hl7v2/operator/operations/destination-exit.js';
import { WebhookCommandsModule, WebhookExit } from '../webhooks/index.js';

/** Binds Exits to those that there are; a new one is a line here. */
@Module({
  imports: [WebhookCommandsModule, Hl7ExitModule],
  providers: [
    {
      provide: Exits,
      inject: [WebhookExit, DestinationExit],
      useFactory: (webhooks: WebhookExit, destinations: DestinationExit) => new Exits([webhooks, destinations]),
    },
  ],
  exports: [Exits],
})
export class ExitsModule {}
