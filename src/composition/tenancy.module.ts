import { Module } from '@nestjs/common';
import { KeyMint } from '../core/organizations/key-mint.js';
import { ClientRegistry } from '../core/organizations/client-registry.js';
import { SandboxClock, SandboxClocks } from '../core/organizations/sandbox-clock.js';
import { TenancyService } from '../core/organizations/tenancy.service.js';
import { RandomKeyMint } from '../identity/keys/random-key.mint.js';
import { CORE_PORTS } from './core-ports.js';
import { bind } from '../platform/bind.js';

/** Binds TenancyService and ClientRegistry to their ports. Apart from CoreModule, so that the command line starts without images and models. */
@Module({
  providers: [
    { provide: KeyMint, useClass: RandomKeyMint },
    bind(TenancyService, { ...CORE_PORTS, mint: KeyMint }),
    bind(ClientRegistry, CORE_PORTS),
    bind(SandboxClock, SandboxClocks),
  ],
  exports: [TenancyService, ClientRegistry, SandboxClock],
})
export class TenancyModule {}
