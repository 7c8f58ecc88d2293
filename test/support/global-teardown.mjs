export default async function stopServers() {
  await Promise.all((globalThis.suturaTestServers ?? []).map((server) => server.stop()));
}
