import 'reflect-metadata';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FailureService } from '../../../src/core/failures/failure.service.js';
import { HeldService } from '../../../src/core/held/held.service.js';
import { AuthorityService } from '../../../src/core/patients/authorities.service.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { AdminModule } from '../../../src/doors/admin/admin.module.js';
import { IdentityModule } from '../../../src/identity/identity.module.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { RecordsModule } from '../../../src/records/records.module.js';
import { HttpAdapter } from '../../../src/platform/http/http.adapter.js';
import { HttpModule } from '../../../src/platform/http/http.module.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { PlatformModule } from '../../../src/platform/platform.module.js';
import { CoreModule } from '../../../src/composition/core.module.js';
import { ErasureModule } from '../../../src/composition/erasure.module.js';
import { ExitsModule } from '../../../src/composition/exits.module.js';
import { UsersModule } from '../../../src/composition/users.module.js';
import { StandingModule } from '../../../src/composition/standing.module.js';
import { TraceModule } from '../../../src/composition/trace.module.js';
import { WebhookCommandsModule } from '../../../src/exits/webhooks/index.js';

export const ADMIN_TOKEN = 'an-admin-token-of-this-test';

/** Nothing waits for a person here and nothing fails, and nobody asks who assigns numbers. */
@Global()
@Module({
  providers: [
    {
      provide: HeldService,
      inject: [UnitOfWork],
      useFactory: (unitOfWork: UnitOfWork) => new HeldService([], unitOfWork),
    },
    { provide: AuthorityService, useValue: {} },
    { provide: FailureService, useValue: {} },
  ],
  exports: [HeldService, AuthorityService, FailureService],
})
class NothingHeldModule {}

@Module({})
class IdentityGround {}

/** One instance of the service as far as identity goes, over a real database. */
export async function startInstance(
  databaseUrl: string,
  variables: NodeJS.ProcessEnv = { SUTURA_ADMIN_TOKEN: ADMIN_TOKEN },
): Promise<NestFastifyApplication> {
  const settings = readSettings(variables);
  const module = {
    module: IdentityGround,
    imports: [
      PlatformModule.register(settings, Logger.create('silent')),
      RecordsModule.register(databaseUrl),
      HttpModule,
      CoreModule,
      NothingHeldModule,
      UsersModule,
      IdentityModule,
      AdminModule.register(TraceModule, ExitsModule, ErasureModule, WebhookCommandsModule, StandingModule),
    ],
  };
  const app = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(settings), {
    logger: false,
    abortOnError: false,
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}
