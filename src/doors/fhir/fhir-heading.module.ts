import { Module } from '@nestjs/common';
import { ReportHeadings } from '../../core/report/report-heading.js';
import { FhirReportHeadings } from './records/fhir-report-headings.js';
import { HeadingResources } from '../../standards/fhir/store/heading-resources.js';

/** Who and where a report is about, as far as resources tell it: the database alone, no definitions and no search. */
@Module({
  providers: [HeadingResources, { provide: ReportHeadings, useClass: FhirReportHeadings }],
  exports: [ReportHeadings],
})
export class FhirHeadingModule {}
