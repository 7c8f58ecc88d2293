import type { IncomingMessage } from 'node:http';

/** Long enough for the sender to see the answer, short enough not to read a refused photo to its end. */
const LINGER_MS = 2000;

/**
 * For a body that was refused halfway: reads on without keeping anything, for a moment, then closes the connection.
 * Closed at once, the sender would get a reset in place of the answer, because it is still sending (RFC 9112 9.6).
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop).on('error', () => undefined);
  // Not before the intake has let go of the stream.
  setImmediate(() => request.resume());
}
