import { CORE_DEFINITIONS, FHIR_RELEASE } from '../types/fhir-release.js';
import { DefinitionFolder } from './definition-folder.js';
import { RequiredValueSets } from './required-value-sets.js';

const folder = new DefinitionFolder();
const read = (name: string) => folder.structureDefinition(`${CORE_DEFINITIONS}${name}`);

describe("HL7's definitions", () => {
  it('have no type of a later release, of somebody else, or above their folder', () => {
    expect(read('SubscriptionStatus')).toBeUndefined();
    expect(folder.structureDefinition('https://medplum.com/fhir/StructureDefinition/Project')).toBeUndefined();
    expect(read('../resources/Patient')).toBeUndefined();
  });

  it('are of R4, each with its snapshot and without words for people around it', () => {
    const names = [...folder.types, ...folder.resources];
    expect([folder.types.size, folder.resources.size]).toEqual([64, 148]);
    for (const name of names) {
      const { version, snapshot, differential, text } = read(name)!;
      expect({ name, version, elements: snapshot!.element.length > 0, differential, text }).toEqual({
        name,
        version: FHIR_RELEASE.version,
        elements: true,
        differential: undefined,
        text: undefined,
      });
    }
  });

  it('have Meta as HL7 has it', () => {
    expect(read('Meta')!.snapshot!.element.map(({ path }) => path)).toEqual(
      ['', '.id', '.extension', '.versionId', '.lastUpdated', '.source', '.profile', '.security', '.tag'].map(
        (path) => `Meta${path}`,
      ),
    );
  });

  it('have numbers, truth values and lists where JSON has them', () => {
    const max = read('Patient')!.snapshot!.element.find(({ id }) => id === 'Patient.name')!;
    expect(max).toMatchObject({ min: 0, max: '*', isSummary: true, type: [{ code: 'HumanName' }] });
  });
});

describe('required value sets', () => {
  const valueSets = new RequiredValueSets(() => folder.requiredValueSets());
  const GENDER = 'http://hl7.org/fhir/ValueSet/administrative-gender|4.0.1';
  const LANGUAGES = 'http://hl7.org/fhir/ValueSet/all-languages';

  it.each([
    ['a code that they do not have', GENDER, { code: 'x' }],
    ['a code of another system', GENDER, { system: 'urn:x', code: 'male' }],
    ['no code', GENDER, {}],
    ['a MIME type that is none', 'http://hl7.org/fhir/ValueSet/mimetypes', { code: 'picture' }],
    ['a language that nobody speaks', LANGUAGES, { code: 'xx' }],
    ['a language in words', LANGUAGES, { code: 'german language' }],
  ])('refuse %s', (_, valueSet, code) => {
    expect(valueSets.allows(valueSet, code)).toBe(false);
  });

  it.each([
    ['their codes', GENDER, { code: 'male' }],
    ['codes that are listed below others', 'http://hl7.org/fhir/ValueSet/observation-status', { code: 'corrected' }],
    ['MIME types', 'http://hl7.org/fhir/ValueSet/mimetypes', { code: 'text/plain; charset=utf-8' }],
    ['languages with regions', LANGUAGES, { system: 'urn:ietf:bcp:47', code: 'de-CH' }],
    ['private languages', LANGUAGES, { code: 'x-plain' }],
    ['what takes a terminology server', 'http://hl7.org/fhir/ValueSet/all-time-units', { code: 'whatever' }],
    ['value sets that R4 does not bind', 'urn:x', { code: 'whatever' }],
  ])('take %s', (_, valueSet, code) => {
    expect(valueSets.allows(valueSet, code)).toBe(true);
  });
});
