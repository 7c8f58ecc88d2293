const addresses = new Map<string, Promise<string>>();

/**
 * Address of the run's real PostgreSQL (as superuser) or Redis, which starts with the first test that asks.
 * Shared by all test files: a test that empties, stops or crashes one starts its own.
 */
export function testServerUrl(name: 'postgres' | 'redis'): Promise<string> {
  const known = addresses.get(name) ?? askFor(name);
  addresses.set(name, known);
  return known;
}

/** Has a gateway killed at the end of the run, and its folder removed. */
export async function endsWithRun(pid: number, folder: string): Promise<void> {
  await fetch(`${door()}/gateways/${pid}`, { method: 'POST', body: folder });
}

function door(): string {
  const address = process.env['SUTURA_TEST_SERVERS'];
  if (address === undefined) throw new Error('No run offers servers (test/support/global-setup.mjs).');
  return address;
}

async function askFor(name: string): Promise<string> {
  const answer = await fetch(`${door()}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
