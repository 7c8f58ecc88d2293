import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Seeds that failed before, by the name under which a test asks for its seeds. They are tried in every run. */
export const FAILED_SEEDS_FILE = resolve(__dirname, 'failed-seeds.json');

/** Shares of a test's full rounds by the value of SUTURA_TEST_ROUNDS. */
const FACTORS: Readonly<Record<string, number>> = { commit: 0.1, full: 1, night: 10 };

/**
 * How many rounds a test of random inputs runs, out of its full count: a tenth where SUTURA_TEST_ROUNDS is `commit` or not set, all where
 * it is `full`, ten times as many where it is `night`, and that many times as many where it is a number. At least `least`.
 */
export function roundsOf(full: number, least = 1): number {
  return Math.max(least, Math.ceil(full * factorOf(process.env['SUTURA_TEST_ROUNDS'] ?? 'commit')));
}

/** A seed for each round: those that failed before, then as many as `roundsOf` says, counted from `first`. */
export function seedsOf(name: string, full: number, first = 1, least = 1): number[] {
  const drawn = Array.from({ length: roundsOf(full, least) }, (_, round) => first + round);
  return [...new Set([...(failedSeeds()[name] ?? []), ...drawn])];
}

/** Runs a round for each seed, one after another. The first that fails is named with its seed. */
export async function eachSeed(
  name: string,
  seeds: readonly number[],
  round: (seed: number) => Promise<void> | void,
): Promise<void> {
  for (const seed of seeds) {
    try {
      await round(seed);
    } catch (thrown) {
      const said = thrown instanceof Error ? thrown.message : String(thrown);
      const advice = `To try it in every run, add it to test/support/failed-seeds.json under "${name}".`;
      throw new Error(`Seed ${seed} of ${name} failed. ${advice}\n\n${said}`, { cause: thrown });
    }
  }
}

export function failedSeeds(): Readonly<Record<string, readonly number[]>> {
  return JSON.parse(readFileSync(FAILED_SEEDS_FILE, 'utf8')) as Record<string, number[]>;
}

function factorOf(wish: string): number {
  const factor = FACTORS[wish] ?? Number(wish);
  if (!(factor > 0) || !Number.isFinite(factor))
    throw new Error(`SUTURA_TEST_ROUNDS is "${wish}": it must be commit, full, night or a number above 0.`);
  return factor;
}
