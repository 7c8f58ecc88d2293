import { Global, Module } from '@nestjs/common';
import { FhirRecordsModule } from '../doors/fhir/fhir-records.module.js';
import { FhirRecords } from '../doors/fhir/records/fhir-records.js';
import { ClinicalRecords } from '../standards/hl7v2/records/clinical-records.js';

/** Binds the records that the HL7 v2 door writes to those of the FHIR door. */
@Global()
@Module({
  imports: [FhirRecordsModule],
  providers: [{ provide: ClinicalRecords, useExisting: FhirRecords }],
  exports: [ClinicalRecords],
})
export class Hl7RecordsModule {}
