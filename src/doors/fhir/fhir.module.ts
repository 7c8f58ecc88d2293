import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { AuditEventsController } from './audit/audit-events.controller.js';
import { AuditSealer } from './audit/audit-sealer.js';
import { AuditedCalls } from './audit/audited-calls.js';
import { FhirAudit } from './audit/fhir-audit.js';
import { EXPORT_PROVIDERS } from './export/bulk-export-providers.js';
import { FhirRecordsModule } from './fhir-records.module.js';
import { FhirSubscriptionsModule } from './fhir-subscriptions.module.js';
import { AddressRoutes } from './http/address-routes.js';
import { AuditEventRoutes } from './http/audit-event-routes.js';
import { BinaryRoutes } from './http/binary-routes.js';
import { BundleRoutes } from './http/bundle-routes.js';
import { DryRunController } from './http/dry-run.controller.js';
import { ExportController } from './http/export.controller.js';
import { FhirHttpSetup } from './http/fhir-http-setup.js';
import { FhirRouter } from './http/fhir-router.js';
import { FhirController } from './http/fhir.controller.js';
import { GroupedCreates } from './http/grouped-creates.js';
import { MetadataController } from './http/metadata.controller.js';
import { OperationRoutes } from './http/operation-routes.js';
import { ResourceRoutes } from './http/resource-routes.js';
import { SubscriptionOperations } from './http/subscription-operations.js';
import { SubscriptionRoutes } from './http/subscription-routes.js';
import { SubscriptionStateOperation } from './http/subscription-state.operation.js';
import { AttestPersons } from './operations/attest-persons.js';
import { EraseOperation } from './operations/erase.operation.js';
import type { FhirOperation } from './operations/fhir-operation.js';
import { OperationDirectory } from './operations/operation-directory.js';
import { OPERATIONS } from './operations/operations.js';
import { ReportSurroundings } from './operations/report-surroundings.js';
import { BundleDryRun } from './records/bundle-dry-run.js';

/** Metadata first: its address also fits the other's route. */
export const HTTP_CONTROLLERS: Type[] = [MetadataController, FhirController];

/** The routes, over interactions, operations and bundles. */
export const HTTP_PROVIDERS: Provider[] = [
  FhirAudit,
  AuditedCalls,
  GroupedCreates,
  ResourceRoutes,
  BinaryRoutes,
  BundleRoutes,
  OperationRoutes,
  AddressRoutes,
  SubscriptionStateOperation,
  SubscriptionOperations,
  SubscriptionRoutes,
  AuditEventRoutes,
  FhirRouter,
  FhirHttpSetup,
];

/** The operations, and the directory that finds them. */
export function operationProviders(operations: readonly Type<FhirOperation>[]): Provider[] {
  return [
    ...operations,
    {
      provide: OperationDirectory,
      inject: [...operations],
      useFactory: (...made: FhirOperation[]) => new OperationDirectory(made),
    },
  ];
}

/** The FHIR R4 door. Core's services, the platform and identity are global; intakes and operations are listed in their own folders. */
@Module({})
export class FhirModule {
  /** `storage`: the module of ObjectStore, where the files of exports lie; `erasure`: that of PatientErasure, where `$erase` is offered. */
  static register(storage: Type, erasure: Type | null): DynamicModule {
    return {
      module: FhirModule,
      imports: [FhirRecordsModule, FhirSubscriptionsModule, storage, ...(erasure === null ? [] : [erasure])],
      controllers: [AuditEventsController, DryRunController, ExportController, ...HTTP_CONTROLLERS],
      providers: [
        AttestPersons,
        AuditSealer,
        BundleDryRun,
        ...EXPORT_PROVIDERS,
        ...operationProviders(erasure === null ? OPERATIONS : [...OPERATIONS, EraseOperation]),
        ...HTTP_PROVIDERS,
        ReportSurroundings,
      ],
      exports: [FhirRecordsModule],
    };
  }
}
