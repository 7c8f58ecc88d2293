import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** mulberry32: the same rounds each time. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One place of a resource, any depth down, changed, added or taken out. */
function mutate(root: unknown, pick: (below: number) => number): void {
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
  it('never break the validator, and what it says never repeats them', () => {
    const pick = generator(20_260_315);
    const verdicts = { structure: 0, narrative: 0, profile: 0, valid: 0 };
    for (let round = 0; round < 5_000; round++) {
      const resource: unknown = JSON.parse(EXAMPLES[pick(EXAMPLES.length)]!);
      for (let changes = 1 + pick(3); changes > 0; changes--) mutate(resource, pick);
      // As it would come off the wire.
      const { level, issues } = validator.validate(JSON.parse(JSON.stringify(resource)));
      verdicts[level ?? 'valid']++;
      expect(JSON.stringify(issues)).not.toContain(MARK);
      expect(level === null || issues.some(({ severity }) => severity === 'error')).toBe(true);
    }
    expect(Math.min(verdicts.structure, verdicts.profile, verdicts.valid)).toBeGreaterThan(30);
  });
});
