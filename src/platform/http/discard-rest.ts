import type { IncomingMessage } from 'node:http';

/** Long enough for the sender to see the answer, short enough not to read a refused photo to its end. */
const LINGER_MS = 2000;

/**
 * For a body that was refused halfway: reads on for a moment, keeping nothing, then closes the connection. Closed at
 * once, the sender would get a reset in place of the answer, because it is still sending (RFC 9112 9.6). Resolves
 * when the refusal may be answered: at once, or after the reading if the sender asked for `Connection: close`, as
 * Node.js closes such a connection together with the answer.
 */
export function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  const closesWithAnswer = /\bclose\b/i.test(request.headers.connection ?? '');
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      if (!closesWithAnswer) request.destroy();
      resolve();
    }, LINGER_MS);
    timer.unref();
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request
      .once('end', stop)
      .once('close', stop)
      .on('error', () => undefined);
  });
  // Not before the reader has let go of the stream.
  setImmediate(() => request.resume());
  return closesWithAnswer ? over : Promise.resolve();
}
