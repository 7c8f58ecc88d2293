import type { Provider, Type } from '@nestjs/common';
import { FhirAudit } from '../audit/fhir-audit.js';
import type { FhirOperation } from '../operations/fhir-operation.js';
import { OperationDirectory } from '../operations/operation-directory.js';
import { BinaryRoutes } from './binary-routes.js';
import { BundleRoutes } from './bundle-routes.js';
import { FhirHttpSetup } from './fhir-http-setup.js';
import { FhirRouter } from './fhir-router.js';
import { FhirController } from './fhir.controller.js';
import { GroupedCreates } from './grouped-creates.js';
import { MetadataController } from './metadata.controller.js';
import { OperationRoutes } from './operation-routes.js';
import { ResourceRoutes } from './resource-routes.js';

/** Metadata first: its address also fits the other's route. */
export const DOOR_CONTROLLERS: Type[] = [MetadataController, FhirController];

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

/** The routes, over interactions, operations and bundles that the module brings. */
export const DOOR_PROVIDERS: Provider[] = [
  FhirAudit,
  GroupedCreates,
  ResourceRoutes,
  BinaryRoutes,
  BundleRoutes,
  OperationRoutes,
  FhirRouter,
  FhirHttpSetup,
];
