import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

interface Tiers {
  readonly WALKS: readonly string[];
  tierOf(path: string): 'unit' | 'commit' | 'slow' | 'system' | undefined;
  filesOf(...tiers: string[]): {
    readonly testRegex: readonly string[];
    readonly testPathIgnorePatterns: readonly string[];
  };
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { WALKS, tierOf, filesOf } = require('../jest/tiers.mjs') as Tiers;

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { LONGEST } = require('../jest/longest-first.cjs') as { LONGEST: readonly string[] };

const specs = ['src', 'tools', 'web', 'test', 'sdk'].flatMap((folder) =>
  readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules')),
);

const runs = (path: string, ...tiers: string[]): boolean => {
  const { testRegex, testPathIgnorePatterns } = filesOf(...tiers);
  const isNamed = (patterns: readonly string[]) =>
    patterns.some((pattern) => new RegExp(pattern).test(`${ROOT}/${path}`));
  return isNamed(testRegex) && !isNamed(testPathIgnorePatterns);
};

describe('the tiers of tests', () => {
  it('leave out no spec file, and no command but the nightly one runs the slow ones', () => {
    expect(specs.length).toBeGreaterThan(500);
    for (const path of specs) {
      const tier = tierOf(path);
      const commands = { 'npm test': runs(path, 'unit', 'commit'), 'test:system': runs(path, 'system') };
      expect([path, commands]).toEqual([
        path,
        { 'npm test': tier === 'unit' || tier === 'commit', 'test:system': tier === 'system' },
      ]);
      expect([path, runs(path, 'unit', 'commit', 'slow', 'system')]).toEqual([path, true]);
    }
  });

  it('run the units by themselves', () => {
    for (const path of specs) expect([path, runs(path, 'unit')]).toEqual([path, tierOf(path) === 'unit']);
  });

  it('walk through files that exist, and begin with such', () => {
    expect([...WALKS, ...LONGEST].filter((path) => !specs.includes(path))).toEqual([]);
    expect(LONGEST.filter((path) => tierOf(path) === 'slow')).toEqual([]);
  });

  it('have a scope of their own where timers are fake', () => {
    const shared = specs
      .map((path) => [path, readFileSync(resolve(ROOT, path), 'utf8')] as const)
      .filter(([, text]) => /\.useFakeTimers\(/.test(text) && !text.startsWith('/** @jest-environment node */'));
    expect(shared.map(([path]) => path)).toEqual([]);
  });

  it('are the commands of package.json and of CI', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect([scripts['test:unit'], scripts['test'], scripts['test:system']]).toEqual(
      ['unit', 'commit', 'system'].map((tier) => `jest --config test/jest/${tier}.config.mjs`),
    );
    const ci = readFileSync(resolve(ROOT, '.ci/run'), 'utf8');
    for (const command of ['npm test', 'npm run test:system', 'npm run lint', 'npm run check'])
      expect(ci).toContain(command);
  });
});
