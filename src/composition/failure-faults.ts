import { isSuturaError } from '../core/errors/sutura-error.js';
import type { FailureKind } from '../core/failures/failure-group.js';
import type { DoAgain } from '../core/failures/failure.service.js';
import { translateDatabaseFault } from '../platform/database/database-fault.js';
import type { Logger } from '../platform/logging/logger.js';

/**
 * Of many, a fault of this service with one of them holds up none behind it: it is logged, and that one is left as `service.internal`. A database that
 * is not there ends them all, as `service.unavailable`.
 */
export function passingFaults(kind: FailureKind, again: DoAgain, logger: Pick<Logger, 'error'>): DoAgain {
  return async (tenant, id, by) => {
    try {
      return await again(tenant, id, by);
    } catch (thrown) {
      const fault = translateDatabaseFault(thrown);
      if (isSuturaError(fault)) throw fault;
      // Its words may repeat what a message has.
      logger.error('failures.fault', { kind, id, fault: fault instanceof Error ? fault.name : 'Error' });
      return 'service.internal';
    }
  };
}
