import { Module } from '@nestjs/common';
import { ProviderLogins } from '../../../core/users/provider-logins.js';
import { bind, from } from '../../../platform/bind.js';
import { Settings } from '../../../platform/config/settings.js';
import { Logger } from '../../../platform/logging/logger.js';
import { SessionOperations } from './session-operations.js';
import { IdentityProvider, type ProviderTerms } from '../../../identity/oidc/identity-provider.js';
import { OidcController } from './oidc.controller.js';

/** Logins by OpenID Connect. Needs UserDirectory and UserLogin, which are global. */
@Module({
  controllers: [OidcController],
  providers: [SessionOperations, bind(IdentityProvider, from(Settings, termsOf), ProviderLogins, Logger)],
})
export class OidcModule {}

function termsOf({ oidc: { issuer = '', clientId = '', clientSecret, scopes } }: Settings): ProviderTerms {
  return { issuer, clientId, clientSecret, scopes };
}
