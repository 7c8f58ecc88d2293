import { isSuturaError } from '../../core/errors/sutura-error.js';

/** Projects, and once more after `service.unavailable`: several reports of one patient wait for each other, perhaps beyond the lock timeout. */
export async function onceMore(project: () => Promise<void>): Promise<void> {
  try {
    await project();
  } catch (error) {
    if (!isSuturaError(error, 'service.unavailable')) throw error;
    await project();
  }
}
