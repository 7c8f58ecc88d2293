import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AuditExportController } from './audit/audit-export.controller.js';
import { ClientOperations } from './organizations/client-operations.js';
import { ClientsController } from './organizations/clients.controller.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveryOperations } from './deliveries/delivery-operations.js';
import { ErasureController } from './erasure/erasure.controller.js';
import { ErasureOperations } from './erasure/erasure-operations.js';
import { FigureOperations } from './figures/figure-operations.js';
import { FiguresController } from './figures/figures.controller.js';
import { KeysController } from './organizations/keys.controller.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { OrganizationUserOperations } from './users/organization-user-operations.js';
import { OrganizationUsersController } from './users/organization-users.controller.js';
import { RetentionController } from './erasure/retention.controller.js';
import { RetentionOperations } from './erasure/retention-operations.js';
import { SessionController } from './session/session.controller.js';
import { SessionOperations } from './session/session-operations.js';
import { UserOperations } from './users/user-operations.js';
import { UsersController } from './users/users.controller.js';
import { TenancyOperations } from './organizations/tenancy-operations.js';
import { AdminWebhooksController } from './webhooks/admin-webhooks.controller.js';
import { WebhookOperations } from './webhooks/webhook-operations.js';
import { TraceController } from './trace/trace.controller.js';
import { TraceOperations } from './trace/trace-operations.js';

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
    AdminWebhooksController,
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
    WebhookOperations,
  ],
})
export class AdminModule {
  /** The modules that provide PhotoTracer, Exits, PatientErasure and WebhookService. */
  static register(...modules: readonly Type[]): DynamicModule {
    return { module: AdminModule, imports: [...modules] };
  }
}
