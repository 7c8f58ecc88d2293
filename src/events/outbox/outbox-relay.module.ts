import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Outbox } from '../../core/domain-events/outbox.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { bind, from } from '../../platform/bind.js';
import { Logger } from '../../platform/logging/logger.js';
import { provided } from '../../platform/provided.js';
import { OutboxRelay } from './outbox.relay.js';

/** The relay over every DomainEventHandler that a module of the application provides. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    bind(
      OutboxRelay,
      Outbox,
      from(DiscoveryService, (discovery) => () => provided(discovery, DomainEventHandler)),
      Logger,
    ),
  ],
})
export class OutboxRelayModule {}
