import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTestDatabase } from '../../support/test-database.js';

interface Price {
  readonly statements: number;
  readonly commits: number;
}

/**
 * The most that one HL7 v2 message may cost the database, from its receipt to its acknowledgment in original mode: a feed has thousands an hour. A
 * change that needs a further statement raises the limit here, where it is seen.
 */
const LIMITS: Readonly<Record<string, Price>> = {
  'ADT^A08 that changes nothing': { statements: 9, commits: 3 },
  'ADT^A08 of another address': { statements: 21, commits: 4 },
  'ADT^A04 of a new patient': { statements: 16, commits: 3 },
  'ORU^R01 with two findings': { statements: 20, commits: 3 },
  // Of these four look for a photo that came before it, or that waits for its order.
  'OMG^O19 without a photo': { statements: 36, commits: 4 },
  // Those that come together share look-ups and commits: how many do depends on the machine.
  'ADT^A08 that changes nothing, ten at once': { statements: 6, commits: 2 },
};

it('a message of each kind costs no more statements and commits than it did', async () => {
  const database = await createTestDatabase();
  const words = ['--messages', '5', '--json', '--database', database.url, '--most', JSON.stringify(LIMITS)];
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/budget/measure-messages.mjs', ...words]);
  await database.drop();
  const prices = JSON.parse(stdout) as Record<string, Price>;
  const dearer = Object.entries(LIMITS)
    .filter(([kind, most]) => prices[kind]!.statements > most.statements || prices[kind]!.commits > most.commits)
    .map(([kind]) => `${kind}: ${JSON.stringify(prices[kind])}`);
  expect(dearer).toEqual([]);
  // A kind that is not counted any more would pass for ever.
  for (const kind of Object.keys(LIMITS)) expect(prices[kind]?.statements).toBeGreaterThan(1);
}, 600_000);
