import type { Connection } from './connection.js';

const connections = new WeakMap<object, Connection>();

/** Gives a client its connection. Beside it and not in it, so that nothing that prints or copies a client finds it. */
export function connect(client: object, connection: Connection): void {
  connections.set(client, connection);
}

export function connectionOf(client: object): Connection {
  const connection = connections.get(client);
  if (connection === undefined)
    throw new TypeError('Not a SuturaClient. Call its operations on the client itself, as in client.getJob(…).');
  return connection;
}
