import type { Provider } from '@nestjs/common';
import { UnprojectedReports } from '../store/unprojected-reports.js';
import { FhirProjectionHandler } from './fhir-projection.handler.js';
import { OrderProjection } from './order-projection.js';
import { PhotoProjection } from './photo-projection.js';
import { ReportBackfill } from './report-backfill.js';
import { ReportContexts } from './report-contexts.js';
import { ReportProjection } from './report-projection.js';
import { ServiceResources } from './service-resources.js';
import { SubjectProjection } from './subject-projection.js';
import { TaskProjection } from './task-projection.js';

export { FhirProjectionHandler } from './fhir-projection.handler.js';
export { PhotoProjection } from './photo-projection.js';
export { ReportBackfill } from './report-backfill.js';
export { ReportProjection } from './report-projection.js';
export { ServiceResources } from './service-resources.js';
export { toPatient } from './minimal-resources.js';
export { SubjectProjection } from './subject-projection.js';
export { readReportBinaryId } from './report-document.js';

/** Besides them the module provides the store (STORE_PROVIDERS) and R4Definitions. */
export const PROJECTION_PROVIDERS: Provider[] = [
  ServiceResources,
  SubjectProjection,
  PhotoProjection,
  TaskProjection,
  OrderProjection,
  ReportContexts,
  ReportProjection,
  UnprojectedReports,
  ReportBackfill,
  FhirProjectionHandler,
];
