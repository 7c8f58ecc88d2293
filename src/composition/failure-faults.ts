import { isSuturaError } from '../core/errors/sutura-error.js';
import type { FailureKind } from '../core/failures/failure-group.js';
import type { DoAgain } from '../core/failures/failure.service.js';
import { translateDatabaseFault } from '../platform/database/database-fault.js';
import type { Logger } from '../platform/logging/logger.js';

/**
 * Of many, a fault of this service with one of them holds up none behind it: it is logged, and that one is left as `service.internal`. What the
 * database cannot do at the moment is `service.unavailable`.
 */
export function passingFaults(kind: FailureKind, again: DoAgain, logger: Pick<Logger, 'error'>): DoAgain {
  return async (tenant, failure, by) => {
    try {
      return await again(tenant, failure, by);
    } catch (thrown) {
      const fault = translateDatabaseFault(thrown);
      if (isSuturaError(fault)) throw fault;
      // Its words may repeat what a message has.
      logger.error('failures.fault', { kind, id: failure.id, fault: fault instanceof Error ? fault.name : 'Error' });
      return 'service.internal';
    }
  };
}
