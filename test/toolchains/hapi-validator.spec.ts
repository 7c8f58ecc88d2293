import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startGateway, type Gateway } from '../support/gateway.js';
import { collect, liveThrough } from './emitted-resources.js';
import { buildHapi, hapi, LACKS_MAVEN, type Validated } from './hapi-program.js';
import { describeWith } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const PROFILES = join(ROOT, 'fhir-profiles');
/** Errors that are the tool's own, by HL7's name of the message or by its words, and why. */
const NOT_OURS: readonly (readonly [words: RegExp, why: string])[] = [
  [
    /Unable to resolve package id hl7\.fhir\.r4\.core/,
    'the snapshot of an extension is made from HL7’s package, which the offline tool does not have',
  ],
  [
    /hl7\.org\/fhir\/(?:5\.0|4\.3)\//,
    'a topic of a Subscription is written in R5’s elements, whose cross-version package it does not have',
  ],
  [/lower-extremity-skin-wound-assessment/, 'an example in the form of a guide that was never published'],
];
/** Warnings that stay, by HL7's name of the message, and why; docs/conformance/fhir-profiles.md has them in words. */
const REASONS: readonly (readonly [id: RegExp, why: string])[] = [
  [/dom-6$/, 'no resource has a narrative yet'],
  [/^Terminology_PassThrough_TX_Message/, 'LOINC and SNOMED CT are not there offline'],
  [/^Terminology_TX_(?:NoValid|Confirm)/, 'R4’s value set is extensible, and one of the codings beside is of it'],
  [/^SD_ED_EXPERIMENTAL_BINDING/, 'R4 itself binds languages to an experimental value set'],
  [/^IG_DEPENDENCY_INVALID_URL/, 'HL7’s guide on AI is named as a dependency, and is not there offline'],
  [/^BUNDLE_BUNDLE_POSSIBLE_MATCH_WRONG_FU/, 'a Provenance names the version before, which is not the one beside it'],
  [/^All_observations_should_have/, 'an example of an unpublished guide’s form has no performer'],
  [/^TYPE_SPECIFIC_CHECKS_DT_QTY_UCUM_ANNOTATIONS/, 'mm/{pixel} is UCUM, and UCUM has no unit for a pixel'],
];

describeWith(LACKS_MAVEN)('HAPI’s validator', () => {
  let gateway: Gateway;
  let folder: string;
  const validated: Validated[] = [];

  beforeAll(async () => {
    await buildHapi();
    folder = await mkdtemp(join(tmpdir(), 'sutura-emitted-'));
    gateway = await startGateway();
    const client = await liveThrough(gateway);
    for (const format of ['json', 'xml'] as const) await collect(client, join(folder, format), format);
    validated.push(...(await hapi<Validated>('validate', '--definitions', PROFILES, folder, PROFILES)));
  }, 900_000);
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds no error in what the gateway emits, in its definitions and in its examples', () => {
    const errors = validated.flatMap(({ file, thrown, issues = [] }) => [
      ...(thrown === undefined ? [] : [`${nameOf(file)}: ${thrown}`]),
      ...issues
        .filter(({ severity }) => severity === 'error' || severity === 'fatal')
        .map(({ location, message }) => `${nameOf(file)} ${location}: ${message}`),
    ]);
    expect(errors.filter((error) => !NOT_OURS.some(([words]) => words.test(error)))).toEqual([]);
    expect(validated.length).toBeGreaterThan(200);
  });

  it('has no warning without a reason', () => {
    const warnings = validated.flatMap(({ file, issues = [] }) =>
      issues
        .filter(({ severity, id }) => severity === 'warning' && !REASONS.some(([known]) => known.test(String(id))))
        .map(({ id, location, message }) => `${id} ${nameOf(file)} ${location}: ${message}`),
    );
    expect(warnings).toEqual([]);
  });
});

function nameOf(file: string): string {
  return file.split('/').slice(-2).join('/');
}
