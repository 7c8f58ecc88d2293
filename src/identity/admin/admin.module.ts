import { Module } from '@nestjs/common';
import { KeysController } from './keys.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { TenancyDesks } from './tenancy-desk.js';
import { TraceController } from './trace.controller.js';
import { TraceDesks } from './trace-desk.js';

/** The admin API. Needs TenancyService (CoreModule), PhotoTracer (TraceModule) and the guards' parts (IdentityModule), all global. */
@Module({
  controllers: [OrganizationsController, KeysController, TraceController],
  providers: [TenancyDesks, TraceDesks],
})
export class AdminModule {}
