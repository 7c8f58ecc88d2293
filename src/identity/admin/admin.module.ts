import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AuditExportController } from './audit-export.controller.js';
import { ClientOperations } from './client-operations.js';
import { ClientsController } from './clients.controller.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveryOperations } from './delivery-operations.js';
import { ErasureController } from './erasure.controller.js';
import { ErasureOperations } from './erasure-operations.js';
import { FigureOperations } from './figure-operations.js';
import { FiguresController } from './figures.controller.js';
import { KeysController } from './keys.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationUserOperations } from './organization-user-operations.js';
import { OrganizationUsersController } from './organization-users.controller.js';
import { RetentionController } from './retention.controller.js';
import { RetentionOperations } from './retention-operations.js';
import { SessionController } from './session.controller.js';
import { SessionOperations } from './session-operations.js';
import { UserOperations } from './user-operations.js';
import { UsersController } from './users.controller.js';
import { TenancyOperations } from './tenancy-operations.js';
import { TraceController } from './trace.controller.js';
import { TraceOperations } from './trace-operations.js';

/** The admin API. Needs TenancyService and the providers of IdentityModule, all global. */
@Module({
  controllers: [
    OrganizationsController,
    KeysController,
    ClientsController,
    TraceController,
    FiguresController,
    DeliveriesController,
    ErasureController,
    RetentionController,
    AuditExportController,
    SessionController,
    UsersController,
    OrganizationUsersController,
  ],
  providers: [
    TenancyOperations,
    ClientOperations,
    TraceOperations,
    FigureOperations,
    DeliveryOperations,
    ErasureOperations,
    RetentionOperations,
    SessionOperations,
    UserOperations,
    OrganizationUserOperations,
  ],
})
export class AdminModule {
  /** The modules that provide PhotoTracer, Exits and PatientErasure. */
  static register(...modules: readonly Type[]): DynamicModule {
    return { module: AdminModule, imports: [...modules] };
  }
}
