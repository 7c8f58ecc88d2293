import { Module } from '@nestjs/common';
import { FhirPhotoModule } from './fhir-photo.module.js';
import { FhirStoreModule } from './fhir-store.module.js';
import { FhirProjectionHandler } from './projection/fhir-projection.handler.js';
import { PROJECTION_PROVIDERS } from './projection/index.js';
import { ReportProjection } from './projection/report-projection.js';
import { ServiceResources } from './projection/service-resources.js';
import { SubjectProjection } from './projection/subject-projection.js';

/** Jobs and reports as resources. Runs in every process that hands on events, with or without the door. */
@Module({
  imports: [FhirStoreModule, FhirPhotoModule],
  providers: PROJECTION_PROVIDERS,
  exports: [FhirProjectionHandler, ReportProjection, ServiceResources, SubjectProjection],
})
export class FhirProjectionModule {}
