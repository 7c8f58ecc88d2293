import { Module } from '@nestjs/common';
import { KeysController } from './keys.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { TenancyOperations } from './tenancy-operations.js';
import { TraceController } from './trace.controller.js';
import { TraceOperations } from './trace-operations.js';

/** The admin API. Needs TenancyService (CoreModule), PhotoTracer (TraceModule) and the guards' parts (IdentityModule), all global. */
@Module({
  controllers: [OrganizationsController, KeysController, TraceController],
  providers: [TenancyOperations, TraceOperations],
})
export class AdminModule {}
