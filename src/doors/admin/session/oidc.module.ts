import { Module } from '@nestjs/common';
import { OidcController } from './oidc.controller.js';
import { SessionOperations } from './session-operations.js';

/** Logins by OpenID Connect. Needs IdentityProvider, UserDirectory and UserLogin, which are global. */
@Module({ controllers: [OidcController], providers: [SessionOperations] })
export class OidcModule {}
