// The one place where tests let time pass: between two looks at what they wait for.
// eslint-disable-next-line sutura/no-waiting-for-time
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `read` answers something other than undefined, false or null, and gives it back.
 * Fails with `what` and the last answer or fault after `timeoutMs`.
 */
export async function eventually<T>(
  what: string,
  read: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = 60_000,
  intervalMs = 50,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await read();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
      last = answer;
    } catch (fault) {
      last = fault;
    }
    if (performance.now() > end) throw new Error(`Not within ${timeoutMs} ms: ${what} (last: ${String(last)})`);
    await delay(intervalMs);
  }
}
