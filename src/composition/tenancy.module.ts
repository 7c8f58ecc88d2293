import { Module } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { KeyMint } from '../core/organizations/key-mint.js';
import { ApiKeyRepository } from '../core/organizations/api-key.repository.js';
import { QuotaLedger } from '../core/organizations/quota-ledger.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { ClientRegistry } from '../core/organizations/client-registry.js';
import { ClientRepository } from '../core/organizations/client.repository.js';
import { TenancyService } from '../core/organizations/tenancy.service.js';
import { RandomKeyMint } from '../identity/keys/random-key.mint.js';
import { bind } from '../platform/bind.js';

/** Binds TenancyService and ClientRegistry to their ports. Apart from CoreModule, so that the command line starts without images and models. */
@Module({
  providers: [
    { provide: KeyMint, useClass: RandomKeyMint },
    bind(TenancyService, {
      unitOfWork: UnitOfWork,
      organizations: OrganizationRepository,
      keys: ApiKeyRepository,
      quota: QuotaLedger,
      mint: KeyMint,
      clock: Clock,
      ids: IdSource,
    }),
    bind(ClientRegistry, {
      unitOfWork: UnitOfWork,
      organizations: OrganizationRepository,
      clients: ClientRepository,
      clock: Clock,
      ids: IdSource,
    }),
  ],
  exports: [TenancyService, ClientRegistry],
})
export class TenancyModule {}
