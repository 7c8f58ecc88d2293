import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Outbox, type DomainEventHandler } from '../../core/ports/outbox.js';
import { Logger } from '../../platform/logging/logger.js';
import { OutboxRelay } from './outbox.relay.js';

/** The relay over the handlers that the composition names: `imports` are the modules that provide them. */
@Module({})
export class OutboxRelayModule {
  static register(imports: NonNullable<DynamicModule['imports']>, handlers: readonly Type<DomainEventHandler>[]): DynamicModule {
    return {
      module: OutboxRelayModule,
      imports,
      providers: [
        {
          provide: OutboxRelay,
          inject: [Outbox, Logger, ...handlers],
          useFactory: (outbox: Outbox, logger: Logger, ...found: DomainEventHandler[]) => new OutboxRelay(outbox, found, logger),
        },
      ],
      exports: [OutboxRelay],
    };
  }
}
