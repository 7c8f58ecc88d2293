import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dice } from '../../../../test/support/mutations.js';
import { eachSeed, seedsOf } from '../../../../test/support/rounds.js';
import { profilesDirectory, ProfileLibrary } from '../profiles/profile-library.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceValidator } from './resource-validator.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const EXAMPLES = readdirSync(join(profilesDirectory(), 'examples'))
  // A photo of kilobytes takes the rounds' time and adds nothing.
  .filter((name) => name !== 'transaction-request.json')
  .map((name) => readFileSync(join(profilesDirectory(), 'examples', name), 'utf8'));
const MARK = 'Anna-Beispiel-778812';
const VALUES: unknown[] = [
  null,
  MARK,
  '',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  [null],
  [[]],
  [MARK],
  { [MARK]: MARK },
  { resourceType: MARK },
  { resourceType: 'Patient' },
  { reference: MARK },
  { reference: 5 },
  { url: MARK, valueString: MARK },
  'Patient/',
  'urn:uuid:',
  'http://',
  '\u0000',
];
const KEYS = [
  'resourceType',
  'meta',
  'extension',
  'modifierExtension',
  'contained',
  'reference',
  'coding',
  'valueReference',
  'valueString',
  'constructor',
  'valueOf',
  'toString',
  '__proto__',
  '_status',
  '_value',
  MARK,
  'entry',
  'part',
  'value[x]',
];

/** One place of a resource, any depth down, changed, added or taken out. */
function mutate(root: unknown, dice: Dice): void {
  const pick = (below: number) => dice.below(below);
  let place = root as Record<string, unknown>;
  for (;;) {
    const inner = Object.values(place).filter((value) => typeof value === 'object' && value !== null);
    if (inner.length === 0 || pick(3) === 0) break;
    place = inner[pick(inner.length)] as Record<string, unknown>;
  }
  const keys = Object.keys(place);
  const key = pick(2) === 0 || keys.length === 0 ? KEYS[pick(KEYS.length)]! : keys[pick(keys.length)]!;
  if (pick(4) === 0) delete place[key];
  else
    Object.defineProperty(place, key, {
      value: structuredClone(VALUES[pick(VALUES.length)]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

describe('resources that were tampered with', () => {
  it('never break the validator, and what it says never repeats them', async () => {
    const verdicts = { structure: 0, narrative: 0, profile: 0, valid: 0 };
    // So many that each verdict is met, however the examples are drawn.
    const seeds = seedsOf('hostile-resources', 5_000, 20_260_315, 1_500);
    await eachSeed('hostile-resources', seeds, (seed) => {
      const dice = new Dice(seed);
      const resource: unknown = JSON.parse(dice.pick(EXAMPLES));
      for (let changes = 1 + dice.below(3); changes > 0; changes--) mutate(resource, dice);
      // As it would come off the wire.
      const { level, issues } = validator.validate(JSON.parse(JSON.stringify(resource)));
      verdicts[level ?? 'valid']++;
      expect(JSON.stringify(issues)).not.toContain(MARK);
      expect(level === null || issues.some(({ severity }) => severity === 'error')).toBe(true);
    });
    expect(Math.min(verdicts.structure, verdicts.profile, verdicts.valid)).toBeGreaterThan(seeds.length / 500);
  });
});
