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
  // Two of them look, with one round trip, whether it is a photo that was sent before.
  create: { statements: 9, transactions: 1 },
  claim: { statements: 1, transactions: 1 },
  complete: { statements: 3, transactions: 1 },
  // Two of them keep the digest of the pixels and look, with one round trip, what else the photo is filed for; one reads the birth date, by which a child's
  // result waits for a person.
  report: { statements: 6, transactions: 0 },
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
  const count = async (...options: string[]): Promise<Record<string, Price>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      'bench/budget/measure-budget.mjs',
      '--photos',
      '3',
      '--json',
      ...options,
    ]);
    return JSON.parse(stdout) as Record<string, Price>;
  };

  const isDearer = (steps: Record<string, Price>, limits: Readonly<Record<string, Price>>): boolean =>
    Object.entries(limits).some(
      ([step, most]) => steps[step]!.statements > most.statements || steps[step]!.transactions > most.transactions,
    );

  it.each([
    ['', LIMITS, []],
    [' where FHIR is asked for', LIMITS_WITH_FHIR, ['--fhir']],
  ])('in statements and transactions is no higher than it was%s', async (_where, limits, options) => {
    let steps = await count(...options);
    // A busy machine handles in two turns what it else handles in one, which costs more and never less.
    for (let more = 0; more < 2 && isDearer(steps, limits); more += 1) steps = await count(...options);
    for (const [step, most] of Object.entries(limits)) {
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
  });
});
