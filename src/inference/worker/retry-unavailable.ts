import { setTimeout as pause } from 'node:timers/promises';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { InferenceCancelled } from './inference-failure.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/**
 * Repeats what a fault of the database or the store interrupted until it succeeds or the signal is raised: such a fault says
 * nothing of the photo. Any other error is thrown on. InferenceCancelled when the signal is raised.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    if (signal.aborted) throw new InferenceCancelled();
    try {
      return await work();
    } catch (error) {
      if (!isSuturaError(error, 'service.unavailable', 'service.storage_full')) throw error;
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
