import { createServer, type AddressInfo } from 'node:net';

/** A TCP port of 127.0.0.1 that is free now, for servers that cannot be asked which port they took. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
