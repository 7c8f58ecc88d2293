import { Module, type Provider } from '@nestjs/common';
import { BUNDLE_PROVIDERS } from './bundle/index.js';
import { FhirProjectionModule } from './fhir-projection.module.js';
import { FhirStoreModule } from './fhir-store.module.js';
import { DOOR_CONTROLLERS, DOOR_PROVIDERS } from './http/index.js';
import { INTERACTION_PROVIDERS } from './interactions/index.js';
import { AttestPersons } from './operations/attest-persons.js';

/** What the door stands on besides the store: one line for each part. */
const PARTS: Provider[] = [...INTERACTION_PROVIDERS, ...BUNDLE_PROVIDERS, ...DOOR_PROVIDERS, AttestPersons];

/** The FHIR R4 door. Core's services, the platform and identity are global; intakes and operations are listed in their own folders. */
@Module({ imports: [FhirStoreModule, FhirProjectionModule], controllers: DOOR_CONTROLLERS, providers: PARTS, exports: [FhirStoreModule] })
export class FhirModule {}
