import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Price {
  readonly statements: number;
  readonly transactions: number;
}

/**
 * The most that one photo of a known wound may cost the database, step by step. A further statement costs the gateway and PostgreSQL some tenth of a
 * millisecond each, on every photo: a change that needs one raises the limit here, where it is seen.
 */
const LIMITS: Readonly<Record<string, Price>> = {
  'upload-url': { statements: 4, transactions: 1 },
  PUT: { statements: 4, transactions: 1 },
  create: { statements: 8, transactions: 1 },
  claim: { statements: 1, transactions: 1 },
  complete: { statements: 2, transactions: 1 },
  report: { statements: 8, transactions: 1 },
  'FHIR projection': { statements: 51, transactions: 3 },
  // One of them is a round that may fall into the photo's time.
  'HL7 out': { statements: 2, transactions: 0 },
  outbox: { statements: 2, transactions: 2 },
};

describe('the price of one photo', () => {
  it('in statements and transactions is no higher than it was', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      'bench/budget/measure-budget.mjs',
      '--photos',
      '3',
      '--json',
    ]);
    const steps = JSON.parse(stdout) as Record<string, Price>;
    for (const [step, most] of Object.entries(LIMITS)) {
      const { statements, transactions } = steps[step]!;
      expect({ step, statements, transactions }).toEqual({
        step,
        statements: Math.min(statements, most.statements),
        transactions: Math.min(transactions, most.transactions),
      });
    }
    // A step that is not counted any more would pass for ever.
    for (const step of ['upload-url', 'PUT', 'create', 'claim', 'complete', 'report', 'outbox'])
      expect(steps[step]?.statements).toBeGreaterThan(0);
  }, 120_000);
});
