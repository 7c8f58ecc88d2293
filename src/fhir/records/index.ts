import type { Provider } from '@nestjs/common';
import { AnalysesOfEntries } from './analyses-of-entries.js';
import { FhirRecords } from './fhir-records.js';
import { IdentifiedResources } from './identified-resources.js';
import { MergedPatientResources } from './merged-patient-resources.js';
import { PatientJoining } from './patient-joining.js';
import { OrderPhotos } from './order-photos.js';
import { WaitingOrders } from './waiting-orders.js';

export { FhirRecords } from './fhir-records.js';

/** Besides them the module provides Bundles, interactions, search, store and projection. */
export const RECORDS_PROVIDERS: Provider[] = [
  AnalysesOfEntries,
  IdentifiedResources,
  MergedPatientResources,
  OrderPhotos,
  PatientJoining,
  WaitingOrders,
  FhirRecords,
];
