export default async function stopServers() {
  const { door, started } = globalThis.suturaTestServers;
  door.closeAllConnections();
  door.close();
  // A server that never came up was reported by the test that asked for it.
  await Promise.all([...started.values()].map((server) => server.then(({ stop }) => stop()).catch(() => undefined)));
}
