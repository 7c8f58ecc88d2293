import { Module, type Provider } from '@nestjs/common';
import { ReportsModule } from '../reports/index.js';
import { AUDIT_CONTROLLERS, AUDIT_PROVIDERS } from './audit/index.js';
import { BUNDLE_PROVIDERS } from './bundle/index.js';
import { FhirPhotoModule } from './fhir-photo.module.js';
import { FhirProjectionModule } from './fhir-projection.module.js';
import { FhirStoreModule } from './fhir-store.module.js';
import { DOOR_CONTROLLERS, DOOR_PROVIDERS, operationProviders } from './http/index.js';
import { INTAKE_PROVIDERS, INTAKES } from './intake/index.js';
import { intakeProviders, INTERACTION_PROVIDERS } from './interactions/index.js';
import { AttestPersons } from './operations/attest-persons.js';
import { OPERATIONS } from './operations/operations.js';
import { FhirRecords, RECORDS_PROVIDERS } from './records/index.js';
import { SEARCH_PROVIDERS } from './search/index.js';

/** What the door stands on besides the store: one line for each part. */
const PARTS: Provider[] = [
  ...SEARCH_PROVIDERS,
  ...INTAKE_PROVIDERS,
  ...intakeProviders(INTAKES),
  ...INTERACTION_PROVIDERS,
  ...BUNDLE_PROVIDERS,
  ...RECORDS_PROVIDERS,
  AttestPersons,
  ...operationProviders(OPERATIONS),
  ...DOOR_PROVIDERS,
  ...AUDIT_PROVIDERS,
];

/** The FHIR R4 door. Core's services, the platform and identity are global; intakes and operations are listed in their own folders. */
@Module({ imports: [FhirStoreModule, FhirPhotoModule, FhirProjectionModule, ReportsModule], controllers: [...AUDIT_CONTROLLERS, ...DOOR_CONTROLLERS], providers: PARTS, exports: [FhirStoreModule, FhirRecords] })
export class FhirModule {}
