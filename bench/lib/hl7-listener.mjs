import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/** A listener of this tenant in the running gateway, once it is served; its port. */
export async function openListener(gateway, { organizationId }) {
  const port = await freePort();
  await gateway.admin('POST', '/hl7/listeners', {
    organizationId,
    environment: 'test',
    name: 'bench',
    settings: { port, timeZone: 'Europe/Berlin' },
  });
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(50))
    if (await isServed(port)) return port;
  throw new Error(`Nobody listens on port ${port}.`);
}

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

function isServed(port) {
  return new Promise((known) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), known(true)));
    socket.once('error', () => known(false));
  });
}
