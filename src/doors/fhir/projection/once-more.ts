import { isSuturaError } from '../../../core/errors/sutura-error.js';

/**
 * Projects, and once more where it met another projection: several reports of one patient wait for each other, perhaps beyond the lock timeout;
 * or somebody wrote in between what was taken for absent, or for the present version.
 */
export async function onceMore(project: () => Promise<void>): Promise<void> {
  try {
    await project();
  } catch (error) {
    if (!isSuturaError(error, 'service.unavailable', 'fhir.duplicate', 'fhir.version_conflict')) throw error;
    await project();
  }
}
