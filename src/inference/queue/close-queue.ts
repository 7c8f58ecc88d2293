import type { Queue } from 'bull';

const CLOSE_LIMIT_MS = 2000;

/** Closes a Bull queue's connections; by force where Redis does not answer, since Bull's own close then never settles. */
export async function closeQueue(queue: Queue): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  await Promise.race([queue.close(true).catch(() => undefined), late]);
  clearTimeout(timer);
  for (const client of queue.clients) client.disconnect();
}
