import { command } from '../demo-operator.mjs';

/** Has results sent to a port of this machine from now on. What takes it back. */
export async function sendResultsTo(organizationId, environment, port) {
  const of = ['--org', organizationId, '--env', environment];
  const place = ['--name', `demo ${Date.now()}`, '--host', '127.0.0.1', '--port', String(port)];
  const { destinationId } = await command(['hl7', 'destination', 'create', ...of, ...place]);
  return () => command(['hl7', 'destination', 'delete', '--id', destinationId]);
}
