import { rmSync } from 'node:fs';

export default async function stopServers() {
  const { door, started, gateways } = globalThis.suturaTestServers;
  for (const [pid, folder] of gateways) endGateway(pid, folder);
  door.closeAllConnections();
  door.close();
  // A server that never came up was reported by the test that asked for it.
  await Promise.all([...started.values()].map((server) => server.then(({ stop }) => stop()).catch(() => undefined)));
}

function endGateway(pid, folder) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
