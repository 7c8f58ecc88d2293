import { ownTurn } from '../../../platform/turns/turns.js';

/**
 * Runs `work` over the items, at most `limit` at a time, started in their order, each in a turn of the event loop of its own.
 * After a failure starts nothing more and awaits running work. Never rejects.
 */
export async function yieldBetween<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  let next = 0;
  let failed = false;
  const run = async (): Promise<void> => {
    for (let at = next++; at < items.length && !failed; at = next++) {
      results[at] = await settled(work(items[at]!));
      failed ||= results[at]!.status === 'rejected';
      await ownTurn();
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  return results;
}

async function settled<R>(promise: Promise<R>): Promise<PromiseSettledResult<R>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}
