import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { ApiKeyRepository } from '../core/organizations/api-key.repository.js';
import { BrowserOrigins } from '../core/organizations/browser-origins.js';
import { ClientRepository } from '../core/organizations/client.repository.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { bind } from '../platform/bind.js';
import { NotificationListener } from '../platform/database/notification-listener.js';
import { ServiceSecrets } from '../platform/database/service-secrets.js';
import { Logger } from '../platform/logging/logger.js';
import { RefusalTrail } from './audit/refusal-trail.js';
import { RouteAccessCheck } from './guards/route-access.check.js';
import { AccessTokens } from './keys/access-tokens.js';
import { KeyAuthenticator } from './keys/key-authenticator.js';
import { FailedLoginThrottle } from './throttle/failed-login.throttle.js';
import { LaunchThrottle } from './throttle/launch.throttle.js';
import { LoginThrottle } from './throttle/login.throttle.js';
import { ReadThrottle } from './throttle/read.throttle.js';
import { WriteThrottle } from './throttle/write.throttle.js';

/** Authentication and throttles. Global, because the guards run inside the modules of every door. */
@Global()
@Module({
  providers: [
    bind(AccessTokens, ServiceSecrets, ClientRepository, Clock, IdSource, NotificationListener),
    bind(KeyAuthenticator, ApiKeyRepository, Clock, Logger, NotificationListener, AccessTokens),
    bind(BrowserOrigins, { unitOfWork: UnitOfWork, organizations: OrganizationRepository, clock: Clock }),
    ReadThrottle,
    WriteThrottle,
    FailedLoginThrottle,
    LoginThrottle,
    LaunchThrottle,
    RouteAccessCheck,
    RefusalTrail,
  ],
  exports: [
    BrowserOrigins,
    AccessTokens,
    KeyAuthenticator,
    ReadThrottle,
    WriteThrottle,
    FailedLoginThrottle,
    LoginThrottle,
    LaunchThrottle,
  ],
})
export class IdentityModule implements OnApplicationShutdown {
  constructor(
    @Inject(KeyAuthenticator) private readonly authenticator: KeyAuthenticator,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
  ) {}

  onApplicationShutdown(): void {
    this.authenticator.close();
    this.tokens.close();
  }
}
