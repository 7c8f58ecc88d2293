import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSystem, ImplementationGuide, Resource, StructureDefinition } from '@medplum/fhirtypes';
import { ERROR_CATALOGUE } from '../../../core/errors/catalogue.js';
import { OBSERVABLE, TISSUE_SHARE } from '../../../reports/terminology/codes.js';
import { validateResource } from '../definitions/medplum-core.js';
import { CONFORMANCE_TYPES, type ConformanceResource } from '../types/served-types.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceValidator } from '../validation/resource-validator.js';
import { CANONICAL_BASE, profilesDirectory, ProfileLibrary } from './profile-library.js';
import { factsOf } from './published-facts.js';

const verified = JSON.parse(
  readFileSync(join(profilesDirectory(), '../test/fixtures/fhir/verified-codes.json'), 'utf8'),
) as Record<string, Record<string, string>>;
const definitions = new R4Definitions();
const library = new ProfileLibrary(definitions);
const validator = new ResourceValidator(definitions, library);
const named = (name: string, resource: Resource): [string, Resource] => [name, resource];
const EXAMPLES = readdirSync(join(profilesDirectory(), 'examples')).map((file) =>
  named(file, JSON.parse(readFileSync(join(profilesDirectory(), 'examples', file), 'utf8')) as Resource),
);
const OWN = library
  .resources()
  .map((resource) => named(`${resource.resourceType}/${resource.id!}`, resource) as [string, ConformanceResource]);

interface StatedCoding {
  system: string;
  code: string;
  display?: string;
}
/** Everything in a resource that has a system and a code; a unit says how it reads where a code has a display. */
function codingsIn(value: unknown): StatedCoding[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(codingsIn);
  const { system, code } = value as Partial<StatedCoding>;
  return typeof system === 'string' && typeof code === 'string' ? [value as StatedCoding, ...within] : within;
}
const CODINGS = [...EXAMPLES, ...OWN].flatMap(([name, resource]) =>
  codingsIn(resource).map((coding) => ({ name, ...coding })),
);
const withoutDisplay = (codings: StatedCoding[]) => [
  ...new Set(codings.map(({ system, code }) => `${system}|${code}`)),
];

describe('the codes of the profiles and examples', () => {
  it('are looked-up ones, with the display that was found', () => {
    for (const system of ['http://loinc.org', 'http://snomed.info/sct'] as const) {
      const known = verified[system]!;
      const used = CODINGS.filter((coding) => coding.system === system);
      expect(used.filter(({ code }) => !(code in known)).map(({ name, code }) => `${name}: ${code}`)).toEqual([]);
      expect(
        used
          .filter(({ code, display }) => display !== undefined && display !== known[code])
          .map(({ name, code, display }) => `${name}: ${code} ${display!}`),
      ).toEqual([]);
    }
  });

  it('of our own are defined, and say what the reports say', () => {
    const ours = CODINGS.filter(({ system }) => system.startsWith(`${CANONICAL_BASE}CodeSystem/`));
    const defined = (library.resources('CodeSystem') as CodeSystem[]).flatMap(({ url, concept }) =>
      concept!.map(({ code, display }) => ({ system: url!, code: code!, display })),
    );
    expect(
      withoutDisplay(ours).filter((coding) => !withoutDisplay(defined as StatedCoding[]).includes(coding)),
    ).toEqual([]);
    expect(defined).toEqual(
      expect.arrayContaining(
        [...Object.values(OBSERVABLE), ...Object.values(TISSUE_SHARE)].filter(({ system }) =>
          system.startsWith(CANONICAL_BASE),
        ),
      ),
    );
  });

  it('name every error of the service, by its own word with hyphens', () => {
    const { concept } = library.read('CodeSystem', 'error') as CodeSystem;
    const expected = Object.entries(ERROR_CATALOGUE).map(([code, { title }]) => ({
      code: code.replaceAll(/[._]/g, '-'),
      display: title,
    }));
    expect(concept).toEqual(expect.arrayContaining(expected));
    const jobErrors = (library.read('CodeSystem', 'job-error') as CodeSystem).concept!;
    expect(concept).toEqual(expect.arrayContaining(jobErrors));
  });
});

describe('what is published', () => {
  it('is of each kind', () => {
    expect(CONFORMANCE_TYPES.map((type) => `${type} ${library.resources(type).length}`)).toEqual([
      'StructureDefinition 27',
      'ValueSet 10',
      'CodeSystem 8',
      'ConceptMap 1',
      'SearchParameter 4',
      'OperationDefinition 9',
      'ImplementationGuide 1',
      'Basic 2',
    ]);
  });

  it.each(OWN)('%s is valid, and named as R4 wants it', (name, resource) => {
    expect(validator.validate(resource)).toEqual({ level: null, issues: [] });
    expect(factsOf(resource)).toMatchObject({
      url: `${CANONICAL_BASE}${name.replace('Basic', 'SubscriptionTopic')}`,
      version: '1.1.0',
      status: 'active',
      name: expect.stringMatching(/^[A-Z][A-Za-z0-9_]{0,254}$/),
    });
    expect(resource.id).toMatch(/^[A-Za-z0-9\-.]{1,64}$/);
  });

  it('is listed by the ImplementationGuide, each once and nothing else', () => {
    const [guide] = library.resources('ImplementationGuide') as ImplementationGuide[];
    expect(guide!.definition!.resource.map(({ reference }) => reference.reference)).toEqual(
      OWN.map(([name]) => name).filter((name) => !name.startsWith('ImplementationGuide')),
    );
  });

  it('is found by id and by canonical URL, and not in a version that there is not', () => {
    const url = `${CANONICAL_BASE}StructureDefinition/sutura-wound`;
    expect(library.read('ValueSet', 'sutura-wound')).toBeUndefined();
    expect(library.byCanonical(`${url}|2.0.0`)).toBeUndefined();
    expect(library.byCanonical(`${url}|1.1.0`)).toBe(library.read('StructureDefinition', 'sutura-wound'));
  });
});

describe('the examples', () => {
  it.each(EXAMPLES)('%s meets R4 and its profile', (_, resource) => {
    const { level, issues } = validator.validate(resource);
    expect({ level, errors: issues.filter(({ severity }) => severity !== 'information') }).toEqual({
      level: null,
      errors: [],
    });
  });

  const profiled = EXAMPLES.flatMap(([name, resource]) =>
    (resource.meta?.profile ?? [])
      .filter((url) => library.isOurs(url))
      .map((url): [string, string, Resource] => [name, url, resource]),
  );

  it.each(profiled)('%s meets the snapshot of %s in a validator that is not ours', (_, url, resource) => {
    expect(validateResource(resource, { profile: library.byCanonical(url) as StructureDefinition })).toEqual([]);
  });

  it('show every profile of a resource', () => {
    const shown = new Set(profiled.map(([, url]) => url));
    const profiles = (library.resources('StructureDefinition') as StructureDefinition[])
      .filter(({ type }) => type !== 'Extension')
      .map(({ url }) => url);
    expect(profiles.filter((url) => !shown.has(url))).toEqual([]);
  });
});
