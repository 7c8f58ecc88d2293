import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import { SEARCHED_TYPES, typeParameters } from '../../types/type-parameters.js';
import { R4Definitions } from '../../definitions/r4-definitions.js';
import { evalFhirPathTyped, toTypedValue } from '../../definitions/medplum-core.js';
import { profilesDirectory } from '../../profiles/profile-library.js';
import { compileExpression, compilePath } from './compile-path.js';
import { definitionOf, includesOf, parametersOf, revIncludesOf, sortsOf } from './search-parameters.js';
import { TypeSearches } from './type-searches.js';

const searches = new TypeSearches(new R4Definitions());

function exampleResources(): Resource[] {
  const folder = join(profilesDirectory(), 'examples');
  const read = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Resource);
  const bundled = read.flatMap((resource) =>
    resource.resourceType === 'Bundle'
      ? ((resource as Bundle).entry ?? []).flatMap(({ resource: each }) => each ?? [])
      : [resource],
  );
  return bundled.filter(({ resourceType }) => typeParameters(resourceType) !== undefined);
}

/** Medplum knows a type by its own name alone, and takes `as` of one value only. */
const forMedplum = (expression: string, type: string): string =>
  expression
    .replace(/^\s*Resource\./, `${type}.`)
    .replaceAll('.as(', '.ofType(')
    .replaceAll(/ as (\w+)/g, '.ofType($1)');

describe('compiled search parameters', () => {
  it('refuse an expression that they do not understand, or an element that R4 does not have', () => {
    searches.of('Observation');
    expect(() => compileExpression('Observation.component.first()', 'Observation')).toThrow('not understood');
    expect(() => compileExpression('Observation.colour', 'Observation')).toThrow('No element');
    expect(searches.of('Subscription')).toBeUndefined();
    expect(searches.of('constructor')).toBeUndefined();
  });

  it.each(SEARCHED_TYPES)('find in %s what FHIRPath finds, in every worked example', (type) => {
    const compiled = searches.of(type)!;
    let found = 0;
    for (const resource of exampleResources().filter(({ resourceType }) => resourceType === type)) {
      for (const { name, paths, composite } of compiled.parameters.values()) {
        if (composite !== undefined) continue;
        const expression = definitionOf(type, name)!
          .expression!.split('|')
          .filter((each) => /^\s*\(?(\w+)/.exec(each)![1] === type || each.trim().startsWith('Resource.'));
        const expected = expression.flatMap((each) =>
          evalFhirPathTyped(forMedplum(each, type), [toTypedValue(resource)]).map(({ value }): unknown => value),
        );
        const walked = paths.flatMap((path) => path.walk(resource)).map(({ value }) => value);
        expect({ name, values: walked }).toEqual({ name, values: expected });
        found += walked.length;
      }
    }
    if (exampleResources().some(({ resourceType }) => resourceType === type)) expect(found).toBeGreaterThan(0);
  });

  it('take a component’s code and quantity from the same component', () => {
    const { base, code, quantity } = searches
      .of('Observation')!
      .parameters.get('component-code-value-quantity')!.composite!;
    const resource = exampleResources().find(({ id }) => id?.endsWith('01-tissue'))!;
    const pairs = base
      .walk(resource)
      .map(({ value }) => [
        code.walk(value).length,
        quantity.walk(value).map((each) => (each.value as { value: number }).value),
      ]);
    expect(pairs).toEqual([
      [1, [38]],
      [1, [47]],
      [1, [11.5]],
      [1, [3.5]],
    ]);
  });

  it('count for `patient` references to patients alone', () => {
    const [path] = searches.of('Observation')!.parameters.get('patient')!.paths;
    const walk = (subject: object) => path!.walk({ resourceType: 'Observation', subject }).length;
    expect(
      [
        { reference: 'Patient/1' },
        { reference: 'https://ehr.example/fhir/Patient/1/_history/2' },
        { type: 'Patient', identifier: { value: '1' } },
      ].map(walk),
    ).toEqual([1, 1, 1]);
    expect(
      [
        { reference: 'Group/1' },
        { reference: 'urn:uuid:0199d0a1-4a00-7b10-8a01-000000001001' },
        { display: 'A patient' },
      ].map(walk),
    ).toEqual([0, 0, 0]);
  });

  it('know the system that codes of a required binding are of', () => {
    const [path] = compileExpression('Observation.status', 'Observation');
    expect(path!.walk({ status: 'final' })).toEqual([
      { type: 'code', value: 'final', system: 'http://hl7.org/fhir/observation-status' },
    ]);
  });

  it('pass over nulls that keep the place of extensions', () => {
    expect(
      compilePath('Patient', ['name', 'given']).walk({
        name: [{ given: ['Anna', null], _given: [null, { extension: [] }] }],
      }),
    ).toHaveLength(1);
  });
});

describe('the search parameters of each type', () => {
  it('are those of the draft CapabilityStatement, with labels and their definitions', () => {
    expect(parametersOf('BodyStructure').map(({ name, type }) => `${name} ${type}`)).toEqual([
      '_id token',
      '_lastUpdated date',
      '_profile uri',
      '_tag token',
      '_security token',
      'identifier token',
      'patient reference',
      'location token',
      'morphology token',
    ]);
    expect(parametersOf('Media').find(({ name }) => name === 'wound')).toMatchObject({
      type: 'reference',
      definition: 'https://sutura.dev/fhir/SearchParameter/media-wound',
    });
    expect(parametersOf('Observation').find(({ name }) => name === 'code')).toMatchObject({
      definition: 'http://hl7.org/fhir/SearchParameter/clinical-code',
      documentation: 'The code of the observation type',
    });
    expect(parametersOf('Subscription')).toEqual([]);
    const documented = SEARCHED_TYPES.flatMap((type) => parametersOf(type));
    expect(
      documented.filter(({ documentation }) => documentation === undefined || documentation.includes('](')),
    ).toEqual([]);
  });

  it('say what can be included, what refers here, and what sorts', () => {
    expect(includesOf('BodyStructure')).toEqual(['BodyStructure:patient']);
    expect(revIncludesOf('BodyStructure')).toEqual(
      expect.arrayContaining(['DiagnosticReport:wound', 'Media:wound', 'Observation:focus']),
    );
    expect(revIncludesOf('BodyStructure')).not.toContain('Observation:patient');
    expect(revIncludesOf('Observation')).toEqual(
      expect.arrayContaining(['DiagnosticReport:result', 'Observation:has-member', 'Provenance:target']),
    );
    expect(sortsOf('DiagnosticReport')).toEqual(['_id', '_lastUpdated', 'status', 'date', 'issued', 'sequence']);
  });
});
