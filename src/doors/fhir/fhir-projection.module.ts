import { Module, type Provider } from '@nestjs/common';
import { FhirPhotoModule } from './fhir-photo.module.js';
import { FhirStoreModule } from './fhir-store.module.js';
import { MissingRecords } from '../../standards/fhir/store/missing-records.js';
import { OpenedTenants } from '../../standards/fhir/store/opened-tenants.js';
import { FhirActivation } from './projection/fhir-activation.js';
import { FhirProjectionHandler } from './projection/fhir-projection.handler.js';
import { ModelResources } from './interactions/model-resources.js';
import { ModelProjection } from './projection/model-projection.js';
import { OrderProjection } from './projection/order-projection.js';
import { PhotoProjection } from './projection/photo-projection.js';
import { MissingResources } from './projection/missing-resources.js';
import { ResourceBackfill } from './projection/resource-backfill.js';
import { ReportContexts } from './projection/report-contexts.js';
import { NamedResources } from './projection/named-resources.js';
import { ReportVersions } from './projection/report-versions.js';
import { ReportProjection } from './projection/report-projection.js';
import { ServiceResources } from './projection/service-resources.js';
import { SubjectProjection } from './projection/subject-projection.js';
import { TaskProjection } from './projection/task-projection.js';

const PROVIDERS: Provider[] = [
  ServiceResources,
  SubjectProjection,
  PhotoProjection,
  ModelProjection,
  { provide: ModelResources, useExisting: ModelProjection },
  TaskProjection,
  OrderProjection,
  NamedResources,
  ReportContexts,
  ReportVersions,
  ReportProjection,
  OpenedTenants,
  MissingRecords,
  MissingResources,
  ResourceBackfill,
  FhirActivation,
  FhirProjectionHandler,
];

/** Jobs and reports as resources. Runs in every process that hands on events, with or without the door. */
@Module({
  imports: [FhirStoreModule, FhirPhotoModule],
  providers: PROVIDERS,
  exports: [
    FhirActivation,
    FhirProjectionHandler,
    MissingResources,
    ModelResources,
    OpenedTenants,
    ReportProjection,
    ServiceResources,
    SubjectProjection,
  ],
})
export class FhirProjectionModule {}
