import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTestDatabase } from '../../support/test-database.js';

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
  // Two of them look, with one round trip, whether it is a photo that was sent before.
  // Of the test environment, in which this is measured, one reads the clock that its organization can move; in live there is none.
  create: { statements: 10, transactions: 1 },
  claim: { statements: 1, transactions: 1 },
  complete: { statements: 3, transactions: 1 },
  // Two of them keep the digest of the pixels and look, with one round trip, what else the photo is filed for; one reads the birth date, by which a child's
  // result waits for a person; in the test environment one reads its clock, if that was longer ago than a moment.
  report: { statements: 7, transactions: 0 },
  // An exit that nobody listens at costs nothing, nor does FHIR that nobody asked for: no event is kept for it.
  'FHIR opening': { statements: 0, transactions: 0 },
  'FHIR projection': { statements: 0, transactions: 0 },
  'HL7 out': { statements: 0, transactions: 0 },
  // The log of what happened is kept whether or not there is an endpoint.
  webhooks: { statements: 6, transactions: 1 },
  outbox: { statements: 2, transactions: 2 },
};
/** The same for an organization that asks for FHIR, whose Task is written before a worker takes the job; with the look whether it asks. */
const LIMITS_WITH_FHIR = {
  ...LIMITS,
  'FHIR opening': { statements: 1, transactions: 0 },
  'FHIR projection': { statements: 26, transactions: 3 },
};

describe('the price of one photo', () => {
  let counted: { readonly plain: Record<string, Price>; readonly fhir: Record<string, Price> };
  beforeAll(async () => {
    const database = await createTestDatabase();
    const most = JSON.stringify({ plain: LIMITS, fhir: LIMITS_WITH_FHIR });
    const words = ['--both', '--photos', '3', '--json', '--database', database.url, '--most', most];
    const { stdout } = await promisify(execFile)(process.execPath, ['bench/budget/measure-budget.mjs', ...words]);
    await database.drop();
    counted = JSON.parse(stdout) as typeof counted;
  }, 300_000);

  it.each([
    ['', LIMITS, 'plain'],
    [' where FHIR is asked for', LIMITS_WITH_FHIR, 'fhir'],
  ] as const)('in statements and transactions is no higher than it was%s', (_where, limits, side) => {
    const steps = counted[side];
    for (const [step, most] of Object.entries(limits)) {
      const { statements, transactions } = steps[step]!;
      expect({ step, statements, transactions }).toEqual({
        step,
        statements: Math.min(statements, most.statements),
        transactions: Math.min(transactions, most.transactions),
      });
    }
    // A step that is not counted any more would pass for ever.
    for (const step of ['upload-url', 'PUT', 'create', 'claim', 'complete', 'report', 'outbox', 'webhooks'])
      expect(steps[step]?.statements).toBeGreaterThan(0);
  });
});
