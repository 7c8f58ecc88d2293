import type { ErrorCode } from '../errors/catalogue.js';

/** Failed jobs: of one code, or that ended in a range of time, or both. */
export interface FailedJobFilter {
  readonly code?: ErrorCode | undefined;
  readonly failedSince?: Date | undefined;
  readonly failedBefore?: Date | undefined;
}
