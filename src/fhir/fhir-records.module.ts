import { Module, type Provider } from '@nestjs/common';
import { ReportsModule } from '../reports/index.js';
import { FhirAudit } from './audit/fhir-audit.js';
import { BUNDLE_PROVIDERS } from './bundle/index.js';
import { FhirPhotoModule } from './fhir-photo.module.js';
import { FhirProjectionModule } from './fhir-projection.module.js';
import { FhirStoreModule } from './fhir-store.module.js';
import { INTAKE_PROVIDERS } from './intake/index.js';
import { INTAKES } from './intake/intakes.js';
import { intakeProviders, INTERACTION_PROVIDERS } from './interactions/index.js';
import { RECORDS_PROVIDERS } from './records/index.js';
import { SEARCH_PROVIDERS } from './search/index.js';

/** What the door stands on besides the store: one line for each part. */
const PARTS: Provider[] = [
  FhirAudit,
  ...SEARCH_PROVIDERS,
  ...INTAKE_PROVIDERS,
  ...intakeProviders(INTAKES),
  ...INTERACTION_PROVIDERS,
  ...BUNDLE_PROVIDERS,
  ...RECORDS_PROVIDERS,
];
const MODULES = [FhirStoreModule, FhirPhotoModule, FhirProjectionModule, ReportsModule];

/** Resources and all that they mean, without HTTP: for the FHIR door and for doors that write their records through it, also in a process that serves no HTTP. */
@Module({ imports: MODULES, providers: PARTS, exports: [...MODULES, ...PARTS] })
export class FhirRecordsModule {}
