import { Module } from '@nestjs/common';
import { FhirStoreModule } from './fhir-store.module.js';
import { PhotoFollower } from './intake/photo-follower.handler.js';
import { PhotoRecords } from './photo/photo-records.js';

/** Lets Media follow their photos, also in a process without the door. Core's services are global. */
@Module({
  imports: [FhirStoreModule],
  providers: [PhotoRecords, PhotoFollower],
  exports: [PhotoRecords, PhotoFollower],
})
export class FhirPhotoModule {}
