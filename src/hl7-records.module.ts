import { Global, Module } from '@nestjs/common';
import { FhirModule } from './fhir/fhir.module.js';
import { FhirRecords } from './fhir/records/index.js';
import { ClinicalRecords } from './hl7v2/records/clinical-records.js';

/** Binds the records that the HL7 v2 door writes to those of the FHIR door. */
@Global()
@Module({ imports: [FhirModule], providers: [{ provide: ClinicalRecords, useExisting: FhirRecords }], exports: [ClinicalRecords] })
export class Hl7RecordsModule {}
