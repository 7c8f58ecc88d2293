import { Module } from '@nestjs/common';
import { ClientRepository } from '../../core/organizations/client.repository.js';
import { Clock } from '../../core/ports/clock.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { AddressGuard, networksOf } from '../../platform/http-client/address-guard.js';
import type { GetRules } from '../../platform/http-client/guarded-get.js';
import { Logger } from '../../platform/logging/logger.js';
import { TokenThrottle } from '../throttle/token.throttle.js';
import { ClientAssertions } from './client-assertions.js';
import { ClientKeySets } from './client-key-sets.js';
import { SmartConfigurationController } from './smart-configuration.controller.js';
import { TokenController } from './token.controller.js';

const KEY_SET_TIMEOUT_MS = 5000;
const KEY_SET_LIMIT_BYTES = 64 * 1024;

/** SMART Backend Services. Needs the providers of IdentityModule. */
@Module({
  controllers: [TokenController, SmartConfigurationController],
  providers: [
    TokenThrottle,
    bind(ClientKeySets, from(Settings, keySetRules), Clock, Logger),
    bind(ClientAssertions, ClientRepository, ClientKeySets, Clock),
  ],
})
export class SmartModule {}

function keySetRules({ images }: Settings): GetRules {
  return {
    guard: new AddressGuard(networksOf(images.fetchNetworks)),
    timeoutMs: KEY_SET_TIMEOUT_MS,
    limitBytes: KEY_SET_LIMIT_BYTES,
  };
}
