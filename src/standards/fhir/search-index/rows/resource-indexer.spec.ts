import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation, Resource } from '@medplum/fhirtypes';
import { profilesDirectory } from '../../profiles/profile-library.js';
import { SEARCHED_TYPES } from '../../types/type-parameters.js';
import { R4Definitions } from '../../definitions/r4-definitions.js';
import { TypeSearches } from '../parameters/type-searches.js';
import { addressOf, indexKey, linkOf, parameterNumber, qualifierOf } from '../values/index-key.js';
import { INDEX_FORM } from './index-form.js';
import { ResourceIndexer } from './resource-indexer.js';

const TENANT = { organizationId: '0199d0a1-0000-7000-8000-000000000001', environment: 'test' } as const;
const indexer = new ResourceIndexer(new TypeSearches(new R4Definitions()));
const example = (name: string): Resource =>
  JSON.parse(readFileSync(join(profilesDirectory(), 'examples', `${name}.json`), 'utf8')) as Resource;
const key = (path: string, value = ''): string => indexKey(TENANT, path, value);

describe('the index rows of a resource', () => {
  it('are none for a type that is not searched', () => {
    expect(indexer.rowsOf(TENANT, { resourceType: 'Basic', code: {} } as Resource)).toMatchObject({
      clinical: null,
      terms: [],
      references: [],
      present: [],
    });
  });

  it('hold each value once, however many parameters ask for it', () => {
    const { terms, references, quantities, dates, clinical } = indexer.rowsOf(TENANT, example('observation-area-1'));
    expect(new Set(terms.map(({ term, qualifier }) => term + qualifier)).size).toBe(terms.length);
    expect(references.filter(({ link }) => link === linkOf(TENANT, 'Observation.subject'))).toEqual([
      {
        link: linkOf(TENANT, 'Observation.subject'),
        target: addressOf(TENANT, 'Patient', '0199d0a1-4a00-7b10-8a01-000000001001'),
      },
    ]);
    // The main date is in columns, and the component with an integer is no quantity.
    expect(dates).toEqual([]);
    expect(clinical).toEqual({ low: new Date('2026-03-01T09:12:00Z'), high: new Date('2026-03-01T09:12:01Z') });
    expect(quantities.map(({ code, unit, low }) => `${code} ${low} ${unit}`)).toEqual([
      '89260-4 842 mm2',
      'pixel-spacing 0.112 mm/{pixel}',
      'model-confidence 0.93 1',
      'lower-bound 783 mm2',
      'upper-bound 901 mm2',
      'wound-perimeter 113 mm',
    ]);
  });

  it('have a quantity under each code of its component', () => {
    const { quantities } = indexer.rowsOf(TENANT, example('observation-tissue-1'));
    expect(quantities.map(({ code, low, unit }) => `${code} ${low}${unit}`)).toEqual([
      '72370-0 38%',
      'tissue-granulation 38%',
      '72370-0 47%',
      'tissue-slough 47%',
      '72370-0 11.5%',
      'tissue-necrosis 11.5%',
      '72370-0 3.5%',
      'tissue-other 3.5%',
    ]);
    expect(new Set(quantities.map(({ link }) => link))).toEqual(
      new Set([linkOf(TENANT, 'Observation.component.value.ofType(Quantity)')]),
    );
  });

  it('mark one row of a code that stands with several systems, for searches without a system', () => {
    const resource: Observation = {
      resourceType: 'Observation',
      status: 'final',
      code: {
        coding: [
          { code: 'x' },
          { system: 'urn:a', code: 'x' },
          { system: 'urn:a', code: 'x' },
          { system: 'urn:b', code: 'x' },
        ],
      },
    };
    const rows = indexer.rowsOf(TENANT, resource).terms.filter(({ term }) => term === key('Observation.code', 'x'));
    expect(rows.map(({ qualifier, foremost }) => [qualifier, foremost])).toEqual([
      ['0', true],
      [qualifierOf('urn:a'), false],
      [qualifierOf('urn:b'), false],
    ]);
  });

  it('leave out what points inside the resource, and what is no value', () => {
    const resource = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'x' },
      subject: { reference: '#p' },
      valueQuantity: { unit: 'cm2' },
      effectiveDateTime: 'never',
      component: [{ code: {}, valueQuantity: { value: 1 } }],
    } as Observation;
    const rows = indexer.rowsOf(TENANT, resource);
    expect(rows.references).toEqual([]);
    expect(rows.clinical).toBeNull();
    expect(rows.quantities.map(({ code, unit, low }) => [code, unit, low])).toEqual([['', '', 1]]);
  });

  it('fold names, and keep them as they were written beside it', () => {
    const { strings } = indexer.rowsOf(TENANT, {
      resourceType: 'Patient',
      name: [{ family: 'Müller', given: ['Ån'] }],
    });
    expect(
      strings.filter(({ link }) => link === linkOf(TENANT, 'Patient.name')).map(({ value, exact }) => [value, exact]),
    ).toEqual([
      ['muller', 'Müller'],
      ['an', 'Ån'],
    ]);
  });
});

describe('the numbers of search parameters', () => {
  it('are different for different names, and fit into an int', () => {
    const searches = new TypeSearches(new R4Definitions());
    const names = new Set(SEARCHED_TYPES.flatMap((type) => [...searches.of(type)!.parameters.keys()]));
    const numbers = new Set([...names].map(parameterNumber));
    expect(numbers.size).toBe(names.size);
    expect([...numbers].filter((number) => number < -(2 ** 31) || number >= 2 ** 31)).toEqual([]);
  });
});

describe('the form of the index', () => {
  it('is raised with every change of what resources are found by, so that those from before are indexed anew', () => {
    const searches = new TypeSearches(new R4Definitions());
    const found = SEARCHED_TYPES.map((type) => {
      const { parameters, clinicalDate } = searches.of(type)!;
      const each = [...parameters.values()].map(({ name, type: kind, paths, composite }) => [
        name,
        kind,
        ...paths.map(({ key: path, targetType }) => `${path} ${targetType ?? ''}`),
        composite?.key,
        composite?.code.key,
      ]);
      return [type, clinicalDate?.name, each];
    });
    // Where this fails, raise INDEX_FORM by one and write its digest here.
    expect([INDEX_FORM, hash('sha256', JSON.stringify(found)).slice(0, 16)]).toEqual([5, '970f7b4b15e7cd86']);
  });
});
