import { Module } from '@nestjs/common';
import { FhirPhotoModule } from './fhir-photo.module.js';
import { FhirStoreModule } from './fhir-store.module.js';
import {
  FhirProjectionHandler,
  PROJECTION_PROVIDERS,
  ReportProjection,
  ServiceResources,
  SubjectProjection,
} from './projection/index.js';

/** Jobs and reports as resources. Runs in every process that hands on events, with or without the door. */
@Module({
  imports: [FhirStoreModule, FhirPhotoModule],
  providers: PROJECTION_PROVIDERS,
  exports: [FhirProjectionHandler, ReportProjection, ServiceResources, SubjectProjection],
})
export class FhirProjectionModule {}
