import { createServer } from 'node:net';

/**
 * Below what the system hands out for port 0 (from 32768 on under Linux, from 49152 elsewhere). A sender goes on asking an address whose server has
 * ended; none of these ports comes to another server by chance, such as the listener of a test beside it that counts what arrives.
 */
const FIRST = 12_000;
/** Of each worker of one run. */
const SLICE = 5000;
const SLICES = 4;

/** Where this process looks next, over all test files that it runs: a port that was given is not given again soon. */
const NEXT = Symbol.for('sutura.tests.next-port');
const holder = process as { [NEXT]?: number };

/** A TCP port of 127.0.0.1 that is free now and that nobody else is given by chance. */
export async function freePort(): Promise<number> {
  const slice = FIRST + ((Number(process.env['JEST_WORKER_ID'] ?? 1) - 1) % SLICES) * SLICE;
  for (;;) {
    const next = (holder[NEXT] ?? process.pid * 7) % SLICE;
    holder[NEXT] = next + 1;
    if (await isFree(slice + next)) return slice + next;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isOurs = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(port, () => done(true));
  });
  if (isOurs) await new Promise((closed) => server.close(closed));
  return isOurs;
}
