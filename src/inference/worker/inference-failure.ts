import type { ErrorCode } from '../../core/errors/catalogue.js';

/** The reason why a photo got no analysis. */
export class InferenceFailure extends Error {
  /**
   * @param retryable true where another attempt may succeed: the process was at fault, or may have been
   * @param fromOutside true where something else than the photo, the model or ourselves ended the process
   */
  constructor(
    readonly code: Extract<ErrorCode, 'processing.failed' | 'processing.timeout' | 'model.output_invalid'>,
    readonly retryable: boolean,
    readonly fromOutside = false,
  ) {
    super(code);
    this.name = 'InferenceFailure';
  }
}

/** The work was given up on purpose: the lease was lost, the worker stops, or no inference server can be used. Says nothing of the photo. */
export class InferenceCancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'InferenceCancelled';
  }
}
