import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eachSeed, failedSeeds, roundsOf, seedsOf } from '../support/rounds.js';

describe('rounds of tests of random inputs', () => {
  const before = process.env['SUTURA_TEST_ROUNDS'];
  const wish = (value: string | undefined) => {
    if (value === undefined) delete process.env['SUTURA_TEST_ROUNDS'];
    else process.env['SUTURA_TEST_ROUNDS'] = value;
  };
  afterEach(() => wish(before));

  it.each(['often', '', '0', '-1', 'Infinity'])('are refused where SUTURA_TEST_ROUNDS is "%s"', (value) => {
    wish(value);
    expect(() => roundsOf(10)).toThrow(/commit, full, night or a number/);
  });

  it.each<[string | undefined, number, number]>([
    [undefined, 250, 25],
    ['commit', 250, 25],
    ['commit', 3, 1],
    ['full', 250, 250],
    ['night', 250, 2500],
    ['0.5', 250, 125],
  ])('are, where SUTURA_TEST_ROUNDS is %s, of %i as many as %i', (value, full, rounds) => {
    wish(value);
    expect(roundsOf(full)).toBe(rounds);
    expect(seedsOf('nothing failed under this name', full, 7)).toEqual(
      Array.from({ length: rounds }, (_, round) => 7 + round),
    );
  });

  it('name the seed of the first that fails, what it said, and where to keep it', async () => {
    const tried: number[] = [];
    const ended = eachSeed('any', [4, 5, 6], (seed) => {
      tried.push(seed);
      expect(seed).toBe(4);
    });
    await expect(ended).rejects.toThrow(/^Seed 5 of any failed.*failed-seeds\.json under "any"[^]*Expected: 4/);
    expect(tried).toEqual([4, 5]);
  });

  it('keep seeds that failed under names that a test still asks for', () => {
    const specs = execFileSync('git', ['grep', '-l', 'seedsOf(', '--', '*.ts'], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const texts = specs.map((path) => readFileSync(resolve(path), 'utf8'));
    for (const name of Object.keys(failedSeeds())) expect(texts.some((text) => text.includes(`'${name}'`))).toBe(true);
    expect(specs.length).toBeGreaterThan(5);
  });
});
