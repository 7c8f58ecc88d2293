import type { Verdict } from './resource-issue.js';

/** What is to be validated, as data that can be copied between threads. */
export interface ValidationTask {
  readonly resource: unknown;
  readonly profiles: readonly string[];
}

/** Where what takes long to validate is validated, so that nobody else waits for it. */
export abstract class ValidationAside {
  /** The same verdict as `ResourceValidator.validate`. `request.too_large` for what takes too long or too much memory; `rate.limited` where too much waits already. */
  abstract validate(task: ValidationTask): Promise<Verdict>;
}
