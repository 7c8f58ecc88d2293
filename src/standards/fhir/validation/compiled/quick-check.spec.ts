import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HL7_BUNDLES, hl7Resources } from '../../../../../test/support/hl7-resources.js';
import { Dice } from '../../../../../test/support/mutations.js';
import { eachSeed, seedsOf } from '../../../../../test/support/rounds.js';
import { R4_SAMPLES } from '../../../../../test/support/r4-samples.js';
import { ResourceTweaks } from '../../../../../test/support/resource-tweaks.js';
import { profilesDirectory } from '../../profiles/profile-library.js';
import { R4Definitions } from '../../definitions/r4-definitions.js';
import { Demands } from '../demands/demands.js';
import { checkStructure } from '../structure-check.js';
import { QuickCheck } from './quick-check.js';

type Json = Record<string, unknown>;

const definitions = new R4Definitions();
const demands = new Demands(definitions.valueSets);
const quick = new QuickCheck(definitions, demands);
const DIRECTORY = join(profilesDirectory(), 'examples');
const EXAMPLES = readdirSync(DIRECTORY).map((name): [string, Json] => [
  name,
  JSON.parse(readFileSync(join(DIRECTORY, name), 'utf8')) as Json,
]);
const SAMPLES = R4_SAMPLES.map((sample, index): [string, Json] => [
  `${sample['resourceType'] as string} ${index}`,
  sample,
]);
const CHANGES_A_SEED = 100;
/** 200 KiB, and more than a regular expression takes at once. */
const LONG = 'QUJD'.repeat(70_000);

const exactly = (resource: unknown) => checkStructure(resource, definitions, demands);
const observation = (changes: Json): Json => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'Pain' },
  ...changes,
});
const binary = (data: string): Json => ({ resourceType: 'Binary', contentType: 'image/png', data });

describe('what is certainly valid', () => {
  it.each([...EXAMPLES, ...SAMPLES])('%s', (_, resource) => {
    expect(exactly(structuredClone(resource))).toEqual([]);
    expect(quick.isCertainlyValid(resource)).toBe(true);
  });

  it.each(HL7_BUNDLES)('only what the exact way accepts of %s', (name) => {
    const accepted = hl7Resources(name, 40).filter((resource) => quick.isCertainlyValid(resource));
    expect(accepted.flatMap(exactly)).toEqual([]);
  });

  it('never what the exact way refuses, whatever was done to it', async () => {
    const resources = [...EXAMPLES, ...SAMPLES]
      .map(([, resource]) => resource)
      .filter((resource) => JSON.stringify(resource).length < 6_000);
    const seeds = seedsOf('quick-check', 40, 20_260_315);
    let accepted = 0;
    await eachSeed('quick-check', seeds, (seed) => {
      const tweaks = new ResourceTweaks(resources, new Dice(seed));
      for (let change = 0; change < CHANGES_A_SEED; change += 1) {
        const resource = tweaks.next();
        const text = JSON.stringify(resource);
        if (!quick.isCertainlyValid(resource)) continue;
        accepted += 1;
        expect({ change, left: JSON.stringify(resource), issues: exactly(resource) }).toEqual({
          change,
          left: text,
          issues: [],
        });
      }
    });
    expect(accepted).toBeGreaterThan((seeds.length * CHANGES_A_SEED) / 10);
  });
});

describe('what is looked at closer', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', [observation({})]],
    ['a type that R4 does not have', { resourceType: 'Wound' }],
    ['an abstract type', { resourceType: 'DomainResource' }],
    ['a member without a value', observation({ valueString: undefined })],
    [
      'a value and its extensions in a list',
      { resourceType: 'Patient', name: [{ given: ['Anna'], _given: [{ id: 'a' }] }] },
    ],
    ['extensions where a code is required', { resourceType: 'Patient', _gender: { id: 'a' } }],
    [
      'a value of a choice twice, once by its extensions',
      observation({ valueString: 'x', _valueInteger: { id: 'a' } }),
    ],
    ['an invariant that is not met', observation({ dataAbsentReason: { text: 'unknown' }, valueInteger: 1 })],
    [
      'an invariant that is not met by what FHIRPath finds',
      {
        resourceType: 'Condition',
        subject: { reference: 'Patient/1' },
        abatementString: 'healed',
        clinicalStatus: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
        },
      },
    ],
    [
      'an extension with a value and extensions',
      observation({ extension: [{ url: 'urn:x', valueCode: 'x', extension: [{ url: 'y', valueCode: 'x' }] }] }),
    ],
    ['an extension with neither', observation({ extension: [{ url: 'urn:x' }] })],
  ])('%s', (_, resource) => {
    expect(quick.isCertainlyValid(resource)).toBe(false);
  });

  it('what is nested deeper than the exact way goes, and nothing before', () => {
    const nested = (depth: number): Json =>
      depth === 0 ? { url: 'urn:x', valueString: 'x' } : { url: 'urn:x', extension: [nested(depth - 1)] };
    expect(
      [98, 99, 100, 101].map((depth) => quick.isCertainlyValid(observation({ extension: [nested(depth)] }))),
    ).toEqual([true, true, false, false]);
    expect(exactly(observation({ extension: [nested(99)] }))).toEqual([]);
  });

  it('long base64 that is none, or where it is not looked for', () => {
    expect(
      [LONG, `${LONG.slice(0, -4)}QU-D`, `${LONG}Q`, `QQ==${LONG}`].map((data) => quick.isCertainlyValid(binary(data))),
    ).toEqual([true, false, false, false]);
    expect(
      quick.isCertainlyValid({
        resourceType: 'Media',
        status: 'completed',
        content: { contentType: 'image/png', url: 'urn:x', hash: LONG },
      }),
    ).toBe(false);
  });
});
