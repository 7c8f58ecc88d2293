import { Module } from '@nestjs/common';
import { BulkExports } from './export/bulk-exports.js';
import { BulkExportsKeeper } from './export/bulk-exports.keeper.js';
import { PatientResourcesKeeper } from './records/patient-resources.keeper.js';
import { PatientSubscriptionsKeeper } from '../../exits/subscriptions/patient-subscriptions.keeper.js';
import { PatientResources } from '../../standards/fhir/store/patient-resources.js';

/** The erasure of a patient's resources, of exports that may have them, and of what Subscriptions tell: the database alone, no definitions and no search. Needs PatientKeepers, which is global. */
@Module({
  providers: [PatientResources, PatientResourcesKeeper, BulkExports, BulkExportsKeeper, PatientSubscriptionsKeeper],
  exports: [PatientResourcesKeeper, BulkExportsKeeper, PatientSubscriptionsKeeper],
})
export class FhirErasureModule {}
