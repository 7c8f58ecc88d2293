import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AUTHORITY_ACTIONS } from './authorities/authorities.actions.js';
import { AuditExportController } from './audit/audit-export.controller.js';
import { DELIVERY_ACTIONS } from './deliveries/deliveries.actions.js';
import { EHR_ACTIONS } from './ehrs/ehrs.actions.js';
import { ERASURE_ACTIONS } from './erasure/erasure.actions.js';
import { RETENTION_ACTIONS } from './erasure/retention.actions.js';
import { FAILURE_ACTIONS } from './failures/failures.actions.js';
import { FigureSampler } from './figures/figure-sampler.js';
import { FIGURE_ACTIONS } from './figures/figures.actions.js';
import { HELD_GROUP } from './held/held.actions.js';
import { JOB_ACTIONS } from './jobs/jobs.actions.js';
import { CLIENT_ACTIONS } from './organizations/clients.actions.js';
import { KEY_ACTIONS } from './organizations/keys.actions.js';
import { ORGANIZATION_ACTIONS, USAGE_ACTIONS } from './organizations/organizations.actions.js';
import { OWN_CREDENTIAL_ACTIONS } from './session/own-credentials.actions.js';
import { REVIEWING_ACTIONS } from './reviewing/reviewing.actions.js';
import { SessionController } from './session/session.controller.js';
import { SessionOperations } from './session/session-operations.js';
import { STANDING_ACTIONS } from './standing/standing.actions.js';
import { TRACE_ACTIONS } from './trace/trace.actions.js';
import { ORGANIZATION_USER_ACTIONS } from './users/organization-users.actions.js';
import { USER_ACTIONS } from './users/users.actions.js';
import { WEBHOOK_ACTIONS } from './webhooks/webhooks.actions.js';

/** Those of HL7 v2 are in its module, as they need the door. */
export const ADMIN_GROUPS = [
  ORGANIZATION_ACTIONS,
  KEY_ACTIONS,
  USAGE_ACTIONS,
  CLIENT_ACTIONS,
  USER_ACTIONS,
  ORGANIZATION_USER_ACTIONS,
  OWN_CREDENTIAL_ACTIONS,
  STANDING_ACTIONS,
  FAILURE_ACTIONS,
  TRACE_ACTIONS,
  JOB_ACTIONS,
  HELD_GROUP,
  AUTHORITY_ACTIONS,
  REVIEWING_ACTIONS,
  FIGURE_ACTIONS,
  DELIVERY_ACTIONS,
  WEBHOOK_ACTIONS,
  EHR_ACTIONS,
  ERASURE_ACTIONS,
  RETENTION_ACTIONS,
] as const;

/** The admin API. Needs TenancyService and the providers of IdentityModule, all global. */
@Module({
  controllers: [...ADMIN_GROUPS.map(({ controller }) => controller), AuditExportController, SessionController],
  providers: [FigureSampler, SessionOperations],
})
export class AdminModule {
  /** The modules that provide PhotoTracer, Exits, PatientErasure, WebhookService, StandingService and FailureService. */
  static register(...modules: readonly Type[]): DynamicModule {
    return { module: AdminModule, imports: [...modules] };
  }
}
