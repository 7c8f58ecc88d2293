import { Global, Module } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { ReviewDrafts } from '../core/report/review-drafts.js';
import { ReviewLinks } from '../core/report/review-links.js';
import { LoginDevices } from '../core/users/login-devices.js';
import { LoginMint, LoginCodes, PasswordDigest } from '../core/users/login-secrets.js';
import { OrganizationUsers } from '../core/users/organization-users.js';
import { UserDirectory } from '../core/users/user-directory.js';
import { ProviderLogins } from '../core/users/provider-logins.js';
import { ProviderSessions, ProviderVoice, ProviderWatch } from '../core/users/provider-sessions.js';
import { UserLogin } from '../core/users/user-login.js';
import { IdentityProvider, type ProviderTerms } from '../identity/oidc/identity-provider.js';
import { OidcProviderVoice } from '../identity/oidc/oidc-provider-voice.js';
import { Argon2PasswordDigest } from '../identity/sessions/argon2-password-digest.js';
import { RandomLoginMint } from '../identity/sessions/random-login.mint.js';
import { TotpCodes } from '../identity/sessions/totp-codes.js';
import { CORE_PORTS } from './core-ports.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { Logger } from '../platform/logging/logger.js';

/** Binds the users of the admin API to their ports. Global, because the guard of the admin API runs inside the modules of every door. */
@Global()
@Module({
  providers: [
    { provide: PasswordDigest, useClass: Argon2PasswordDigest },
    { provide: LoginCodes, useClass: TotpCodes },
    { provide: LoginMint, useClass: RandomLoginMint },
    bind(UserDirectory, { ...CORE_PORTS, mint: LoginMint }),
    bind(OrganizationUsers, { ...CORE_PORTS, directory: UserDirectory }),
    bind(IdentityProvider, from(Settings, termsOf), ProviderLogins, Logger, Clock),
    bind(
      OidcProviderVoice,
      IdentityProvider,
      from(Settings, ({ oidc }) => oidc),
    ),
    { provide: ProviderVoice, useExisting: OidcProviderVoice },
    bind(ProviderWatch, { ...CORE_PORTS, sessions: ProviderSessions, voice: ProviderVoice }),
    bind(ReviewLinks, { ...CORE_PORTS, mint: LoginMint }),
    bind(ReviewDrafts, CORE_PORTS),
    bind(
      UserLogin,
      {
        ...CORE_PORTS,
        devices: LoginDevices,
        passwords: PasswordDigest,
        codes: LoginCodes,
        mint: LoginMint,
        watch: ProviderWatch,
      },
      from(Settings, ({ admin }) => ({ idleS: admin.sessionIdleMin * 60, lifeS: admin.sessionLifeH * 3600 })),
    ),
  ],
  exports: [UserDirectory, OrganizationUsers, UserLogin, ReviewLinks, ReviewDrafts, IdentityProvider],
})
export class UsersModule {}

function termsOf({ oidc: { issuer = '', clientId = '', clientSecret, scopes } }: Settings): ProviderTerms {
  return { issuer, clientId, clientSecret, scopes };
}
