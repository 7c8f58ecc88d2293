import { isSuturaError } from '../../../core/errors/sutura-error.js';

/**
 * Projects, and retries once after a conflict with another projection: reports of one patient wait for each other, perhaps beyond the lock timeout, or a concurrent write made what was read stale.
 */
export async function onceMore(project: () => Promise<void>): Promise<void> {
  try {
    await project();
  } catch (error) {
    if (!isSuturaError(error, 'service.unavailable', 'fhir.duplicate', 'fhir.version_conflict')) throw error;
    await project();
  }
}
