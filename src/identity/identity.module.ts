import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { ApiKeyRepository } from '../core/organizations/api-key.repository.js';
import { bind } from '../platform/bind.js';
import { NotificationListener } from '../platform/database/notification-listener.js';
import { Logger } from '../platform/logging/logger.js';
import { RefusalTrail } from './audit/refusal-trail.js';
import { RouteAccessCheck } from './guards/route-access.check.js';
import { KeyAuthenticator } from './keys/key-authenticator.js';
import { FailedLoginThrottle } from './throttle/failed-login.throttle.js';
import { ReadThrottle } from './throttle/read.throttle.js';
import { WriteThrottle } from './throttle/write.throttle.js';

/** Authentication and throttles. Global, because the guards run inside the modules of every door. */
@Global()
@Module({
  providers: [
    bind(KeyAuthenticator, ApiKeyRepository, Clock, Logger, NotificationListener),
    ReadThrottle,
    WriteThrottle,
    FailedLoginThrottle,
    RouteAccessCheck,
    RefusalTrail,
  ],
  exports: [KeyAuthenticator, ReadThrottle, WriteThrottle, FailedLoginThrottle],
})
export class IdentityModule implements OnApplicationShutdown {
  constructor(@Inject(KeyAuthenticator) private readonly authenticator: KeyAuthenticator) {}

  onApplicationShutdown(): void {
    this.authenticator.close();
  }
}
