import type { Tenant } from '../tenancy/tenant.js';
import type { KeptFigures } from './service-figures.js';

/** Figures of one tenant, or, under SERVICE_TENANT, of the whole installation. */
export interface FigureSample extends Tenant {
  /** End of its five minutes. */
  readonly at: Date;
  readonly figures: KeptFigures;
}

/** Samples of the service's figures, a few days of them. For operators alone. */
export abstract class FigureSamples {
  /** Whether the whole installation has a sample of that moment. */
  abstract has(at: Date): Promise<boolean>;
  /** What happened after `from` until `at`, and what stands: by tenant, and those without anything left out. */
  abstract measure(from: Date, at: Date): Promise<FigureSample[]>;
  /** Stores them unless another process stored that moment, and deletes those before `olderThan`. */
  abstract keep(samples: readonly FigureSample[], olderThan: Date): Promise<void>;
  /** Oldest first, after `from`; of an organization both environments unless one is named. */
  abstract list(from: Date, of: Partial<Tenant>): Promise<FigureSample[]>;
}
