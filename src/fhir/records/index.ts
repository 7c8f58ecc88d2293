import type { Provider } from '@nestjs/common';
import { AnalysesOfEntries } from './applied-analyses.js';
import { FhirRecords } from './fhir-records.js';
import { IdentifiedResources } from './identified-resources.js';
import { MovedResources } from './moved-resources.js';
import { PatientJoining } from './patient-joining.js';
import { OrderPhotos } from './order-photos.js';
import { WaitingOrders } from './waiting-orders.js';

export { FhirRecords } from './fhir-records.js';

/** Besides them the module provides Bundles, interactions, search, store and projection. */
export const RECORDS_PROVIDERS: Provider[] = [
  AnalysesOfEntries,
  IdentifiedResources,
  MovedResources,
  OrderPhotos,
  PatientJoining,
  WaitingOrders,
  FhirRecords,
];
