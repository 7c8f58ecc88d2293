import type { Verdict } from './resource-issue.js';

/** A task for validation, as data that can be copied between threads. */
export interface ValidationTask {
  readonly resource: unknown;
  readonly profiles: readonly string[];
}

/** Validates heavy resources elsewhere, so that other requests do not wait. */
export abstract class ValidationAside {
  /** The same verdict as `ResourceValidator.validate`. `request.too_large` for what takes too long or too much memory; `rate.limited` where too much waits already. */
  abstract validate(task: ValidationTask): Promise<Verdict>;
}
