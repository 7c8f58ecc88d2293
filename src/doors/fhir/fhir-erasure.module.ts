import { Module } from '@nestjs/common';
import { BulkExports } from './export/bulk-exports.js';
import { BulkExportsEraser } from './export/bulk-exports.eraser.js';
import { PatientResourcesEraser } from './records/patient-resources.eraser.js';
import { PatientSubscriptionsEraser } from '../../exits/subscriptions/patient-subscriptions.eraser.js';
import { PatientResources } from '../../standards/fhir/store/patient-resources.js';
import { PastVersions } from '../../standards/fhir/store/past-versions.js';
import { RetainedVersions } from '../../core/erasure/retention-policy.js';

/** The erasure of a patient's resources, of exports that may have them, and of what Subscriptions tell: the database alone, no definitions and no search. Needs PatientDataErasers, which is global. */
@Module({
  providers: [
    PatientResources,
    PatientResourcesEraser,
    BulkExports,
    BulkExportsEraser,
    PatientSubscriptionsEraser,
    { provide: RetainedVersions, useClass: PastVersions },
  ],
  exports: [PatientResourcesEraser, BulkExportsEraser, PatientSubscriptionsEraser, RetainedVersions],
})
export class FhirErasureModule {}
