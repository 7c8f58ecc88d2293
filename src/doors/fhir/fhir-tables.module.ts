import { Module } from '@nestjs/common';
import { RetainedVersions } from '../../core/erasure/retention-policy.js';
import { BirthDates } from '../../core/patients/birth-dates.js';
import { ReportHeadings } from '../../core/report/report-heading.js';
import { PatientSubscriptionsEraser } from '../../exits/subscriptions/patient-subscriptions.eraser.js';
import { HeadingResources } from '../../standards/fhir/store/heading-resources.js';
import { PastVersions } from '../../standards/fhir/store/past-versions.js';
import { PatientResources } from '../../standards/fhir/store/patient-resources.js';
import { StoredBirthDates } from '../../standards/fhir/store/stored-birth-dates.js';
import { TracedResources } from '../../standards/fhir/store/traced-resources.js';
import { BulkExports } from './export/bulk-exports.js';
import { BulkExportsEraser } from './export/bulk-exports.eraser.js';
import { FhirReportHeadings } from './records/fhir-report-headings.js';
import { PatientResourcesEraser } from './records/patient-resources.eraser.js';
import { ResourceTraces } from './records/resource-traces.js';

/** What is read from the tables of resources alone, without definitions and search: who and where a report is about, and the history of a photo. */
@Module({
  providers: [
    HeadingResources,
    { provide: ReportHeadings, useClass: FhirReportHeadings },
    { provide: BirthDates, useClass: StoredBirthDates },
    TracedResources,
    ResourceTraces,
  ],
  exports: [ReportHeadings, BirthDates, ResourceTraces],
})
export class FhirTablesModule {}

/** The erasure of a patient's resources, of exports that may have them, and of what Subscriptions tell, in the tables alone. Needs PatientDataErasers, which is global. */
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
