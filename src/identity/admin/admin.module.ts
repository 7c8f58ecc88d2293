import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ClientOperations } from './client-operations.js';
import { ClientsController } from './clients.controller.js';
import { KeysController } from './keys.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { TenancyOperations } from './tenancy-operations.js';
import { TraceController } from './trace.controller.js';
import { TraceOperations } from './trace-operations.js';

/** The admin API. Needs TenancyService and the providers of IdentityModule, all global. */
@Module({
  controllers: [OrganizationsController, KeysController, ClientsController, TraceController],
  providers: [TenancyOperations, ClientOperations, TraceOperations],
})
export class AdminModule {
  /** `traces`: the module that provides PhotoTracer. */
  static register(traces: Type): DynamicModule {
    return { module: AdminModule, imports: [traces] };
  }
}
