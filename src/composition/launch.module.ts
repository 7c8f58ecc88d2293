import { Module } from '@nestjs/common';
import { ChartPatients } from '../core/ehrs/chart-patients.js';
import { EhrPatients } from '../core/ehrs/ehr-patients.js';
import { LaunchedPatients } from '../core/launch/launched-patients.js';
import { LaunchOpening } from '../core/launch/launch-opening.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { BirthDates } from '../core/patients/birth-dates.js';
import { Clock } from '../core/ports/clock.js';
import { ReviewLinks } from '../core/report/review-links.js';
import { FhirTablesModule } from '../doors/fhir/fhir-tables.module.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { CORE_PORTS } from './core-ports.js';

/** Binds what finds the patient of an EHR's chart, and opens the desk from it, to its ports. */
@Module({
  imports: [FhirTablesModule],
  providers: [
    bind(ChartPatients, {
      patients: EhrPatients,
      birthDates: BirthDates,
      organizations: OrganizationRepository,
      clock: Clock,
      timeZone: from(Settings, ({ process }) => process.timeZone),
    }),
    bind(LaunchedPatients, ChartPatients),
    bind(LaunchOpening, CORE_PORTS, LaunchedPatients, ReviewLinks),
  ],
  exports: [LaunchOpening, ChartPatients],
})
export class LaunchModule {}
