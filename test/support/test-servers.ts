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

async function askFor(name: string): Promise<string> {
  const door = process.env['SUTURA_TEST_SERVERS'];
  if (door === undefined) throw new Error('No run offers servers (test/support/global-setup.mjs).');
  const answer = await fetch(`${door}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
