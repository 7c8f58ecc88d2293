import type { OrganizationRepository } from '../../src/core/organizations/organization.repository.js';
import { FhirReportHeadings } from '../../src/doors/fhir/records/fhir-report-headings.js';
import { HeadingResources } from '../../src/standards/fhir/store/heading-resources.js';
import { readSettings } from '../../src/platform/config/settings.js';

/** Headings as the gateway reads them, for tests that wire core by themselves. */
export function storedHeadings(organizations: OrganizationRepository): FhirReportHeadings {
  return new FhirReportHeadings(new HeadingResources(), organizations, readSettings({}));
}
