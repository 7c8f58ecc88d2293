import { Module } from '@nestjs/common';
import { EhrPatients } from '../core/ehrs/ehr-patients.js';
import { LaunchedPatients } from '../core/launch/launched-patients.js';
import { LaunchOpening } from '../core/launch/launch-opening.js';
import { BirthDates } from '../core/patients/birth-dates.js';
import { ReviewLinks } from '../core/report/review-links.js';
import { FhirTablesModule } from '../doors/fhir/fhir-tables.module.js';
import { bind } from '../platform/bind.js';
import { CORE_PORTS } from './core-ports.js';

/** Binds what opens the desk from an EHR's chart to its ports. */
@Module({
  imports: [FhirTablesModule],
  providers: [
    bind(LaunchedPatients, EhrPatients, BirthDates),
    bind(LaunchOpening, CORE_PORTS, LaunchedPatients, ReviewLinks),
  ],
  exports: [LaunchOpening],
})
export class LaunchModule {}
