import { Module, type Provider } from '@nestjs/common';
import { AUDIT_CONTROLLERS, AUDIT_PROVIDERS } from './audit/index.js';
import { FhirRecordsModule } from './fhir-records.module.js';
import { DOOR_CONTROLLERS, DOOR_PROVIDERS, operationProviders } from './http/index.js';
import { AttestPersons } from './operations/attest-persons.js';
import { OPERATIONS } from './operations/operations.js';

const PARTS: Provider[] = [AttestPersons, ...operationProviders(OPERATIONS), ...DOOR_PROVIDERS, ...AUDIT_PROVIDERS];

/** The FHIR R4 door. Core's services, the platform and identity are global; intakes and operations are listed in their own folders. */
@Module({
  imports: [FhirRecordsModule],
  controllers: [...AUDIT_CONTROLLERS, ...DOOR_CONTROLLERS],
  providers: PARTS,
  exports: [FhirRecordsModule],
})
export class FhirModule {}
