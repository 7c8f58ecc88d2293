import type { Provider } from '@nestjs/common';
import { PastResources } from '../../../standards/fhir/store/past-resources.js';
import { BulkExports } from './bulk-exports.js';
import { ExportMoments } from './export-moments.js';
import { ExportPages } from './export-pages.js';
import { ExportParts } from './export-parts.js';
import { ExportQueue } from './export-queue.js';
import { ExportReadiness } from './export-readiness.js';
import { ExportMetrics } from './export.metrics.js';
import { ExportWorker } from './export-worker.js';
import { ExportWriter } from './export-writer.js';

/** The work on exports. Needs ObjectStore, and the resources with their projection. */
export const EXPORT_PROVIDERS: readonly Provider[] = [
  PastResources,
  BulkExports,
  ExportQueue,
  ExportMoments,
  ExportPages,
  ExportParts,
  ExportReadiness,
  ExportMetrics,
  ExportWriter,
  ExportWorker,
];
