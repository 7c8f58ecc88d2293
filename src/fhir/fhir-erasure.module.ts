import { Module } from '@nestjs/common';
import { PatientResourcesKeeper } from './records/patient-resources.keeper.js';
import { PatientResources } from './store/patient-resources.js';

/** The erasure of a patient's resources: the database alone, no definitions and no search. Needs PatientKeepers, which is global. */
@Module({ providers: [PatientResources, PatientResourcesKeeper], exports: [PatientResourcesKeeper] })
export class FhirErasureModule {}
