import type { Provider } from '@nestjs/common';
import { BatchBundle } from './batch-bundle.js';
import { BundleProcessor } from './bundle-processor.js';
import { StandardBundleProcessor } from './standard-bundle.processor.js';
import { TransactionBundle } from './transaction-bundle.js';
import { TransactionPerformer } from './transaction-performer.js';
import { UnservedEntries } from './unserved-entries.js';

/** What the FHIR module provides of Bundles; it needs ResourceInteractions, ResourceSearch, ResourceValidator and FhirAudit beside it. */
export const BUNDLE_PROVIDERS: readonly Provider[] = [
  UnservedEntries,
  TransactionPerformer,
  TransactionBundle,
  BatchBundle,
  { provide: BundleProcessor, useClass: StandardBundleProcessor },
];
export { BundleProcessor, type BundleRequest } from './bundle-processor.js';
