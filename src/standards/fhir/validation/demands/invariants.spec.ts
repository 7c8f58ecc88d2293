import type { ElementDefinitionConstraint } from '@medplum/fhirtypes';
import { parseFhirPath, type Constraint } from '../../definitions/medplum-core.js';
import { DefinitionFolder } from '../../definitions/definition-folder.js';
import { R4Definitions } from '../../definitions/r4-definitions.js';
import { CORE_DEFINITIONS } from '../../types/fhir-release.js';
import { checkStructure } from '../structure-check.js';
import { CHECKED_ELSEWHERE, CODED } from './coded-invariants.js';
import { Demands } from './demands.js';
import { CORRECTED } from './expression-corrections.js';
import { evaluatedExpression } from './invariants.js';

type Json = Record<string, unknown>;

const definitions = new R4Definitions();
const demands = new Demands(definitions.valueSets);
/** Functions of FHIRPath in R4's invariants that Medplum 5.2.13 has. It has none of children, descendants, htmlChecks, resolve (of contained resources). */
const EVALUATED = new Set(
  (
    'all empty exists count contains first iif is isDistinct matches not ofType select startsWith tail toInteger toString ' +
    'where hasValue replaceMatches substring'
  ).split(' '),
);

function allInvariants(): Constraint[] {
  const folder = new DefinitionFolder();
  return [...folder.types, ...folder.resources].flatMap((name) =>
    folder
      .structureDefinition(`${CORE_DEFINITIONS}${name}`)!
      .snapshot!.element.flatMap(({ constraint }) => constraint ?? [])
      .filter(({ severity }) => severity === 'error')
      .map(toConstraint),
  );
}

function toConstraint({ key, expression, human }: ElementDefinitionConstraint): Constraint {
  return { key: key!, severity: 'error', expression: expression ?? '', description: human! };
}

const INVARIANTS = allInvariants();

describe('every invariant of R4 that is an error', () => {
  it('is evaluated, checked in code, or checked elsewhere for a reason', () => {
    expect(new Set(INVARIANTS.map(({ key }) => key)).size).toBeGreaterThan(200);
    const unasked = INVARIANTS.filter(({ key }) => !CHECKED_ELSEWHERE.has(key)).flatMap((constraint) => {
      const expression = evaluatedExpression(constraint);
      if (expression === undefined) return [];
      parseFhirPath(expression);
      const functions = [...expression.replaceAll(/'[^']*'/g, "''").matchAll(/(\w+)\(/g)].map(([, name]) => name!);
      const unknown = functions.filter(
        (name) => !EVALUATED.has(name) && !['and', 'or', 'implies', 'in'].includes(name),
      );
      return expression === '' || unknown.length > 0 ? [`${constraint.key}: ${unknown.join(' ')}`] : [];
    });
    expect([...new Set(unasked)]).toEqual([]);
  });

  it('is one that R4 has, where it is checked in code, elsewhere, or by another expression', () => {
    const known = new Set(INVARIANTS.flatMap(({ key, expression }) => [key, expression]));
    expect(
      [...CODED.keys(), ...CHECKED_ELSEWHERE.keys(), ...CORRECTED.keys()].filter((key) => !known.has(key)),
    ).toEqual([]);
  });
});

const observation = (changes: Json): Json => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'x' },
  ...changes,
});
const patient = (changes: Json): Json => ({ resourceType: 'Patient', ...changes });
const condition = (changes: Json): Json => ({ resourceType: 'Condition', subject: { display: 'x' }, ...changes });
const extended = (changes: Json): Json => patient({ extension: [{ url: 'urn:x', ...changes }] });
const timing = (repeat: Json): Json => observation({ effectiveTiming: { repeat } });
const cm = (value: number): Json => ({ value, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' });
const held = { resourceType: 'Patient', id: 'p' };
const holding = (contained: Json, changes: Json = { subject: { reference: '#p' } }): Json =>
  observation({ contained: [contained], ...changes });
const concept = (system: string, code: string): Json => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
});

const found = (resource: Json) => checkStructure(resource, definitions, demands).map(({ details }) => details);

describe('an invariant that is not met is named with its text', () => {
  it.each<[string, Json]>([
    ['per-1', observation({ effectivePeriod: { start: '2026-02', end: '2026-01' } })],
    ['per-1', observation({ effectivePeriod: { start: '2026-01-01T10:00:00+01:00', end: '2026-01-01T08:30:00Z' } })],
    ['per-1', observation({ effectivePeriod: { start: '2026', end: '2026-05' } })],
    ['rng-2', observation({ valueRange: { low: cm(3), high: cm(1) } })],
    ['rng-2', observation({ valueRange: { low: { unit: 'cm' }, high: { unit: 'cm', value: 1 } } })],
    ['att-1', patient({ photo: [{ data: 'AAAA' }] })],
    ['qty-3', observation({ valueQuantity: { value: 1, code: 'cm' } })],
    ['cpt-2', patient({ telecom: [{ value: '1' }] })],
    ['rat-1', observation({ valueRatio: { numerator: cm(1) } })],
    ['sqty-1', observation({ referenceRange: [{ low: { value: 1, comparator: '<' } }] })],
    ['age-1', condition({ onsetAge: { value: -1, system: 'http://unitsofmeasure.org', code: 'a' } })],
    ['drt-1', extended({ valueDuration: { code: 'min', system: 'urn:x', value: 1 } })],
    ['dis-1', extended({ valueDistance: { value: 1 } })],
    ['cnt-3', extended({ valueCount: { value: 1.5, code: '1', system: 'http://unitsofmeasure.org' } })],
    ['ref-1', observation({ subject: { reference: '#nobody' } })],
    ['ref-1', observation({ subject: { reference: '#' } })],
    ['ext-1', extended({})],
    ['ext-1', extended({ valueCode: 'x', extension: [{ url: 'y', valueCode: 'x' }] })],
    ['ele-1', observation({ bodySite: { id: 'a' } })],
    ['ele-1', patient({ _birthDate: { id: 'a' } })],
    ['ele-1', patient({ name: [{ given: ['a', null], _given: [null, { id: 'b' }] }] })],
    ['dom-2', holding({ ...held, contained: [{ resourceType: 'Patient', id: 'q' }] })],
    ['dom-3', holding(held, {})],
    ['dom-3', holding({ ...held, link: [{ other: { reference: '#p' }, type: 'seealso' }] }, {})],
    ['dom-3', holding(held, { note: [{ text: '#p' }] })],
    ['dom-4', holding({ ...held, meta: { versionId: '1' } })],
    ['dom-5', holding({ ...held, meta: { security: [{ system: 'urn:x', code: 'x' }] } })],
    ['tim-1', timing({ duration: 1 })],
    ['tim-2', timing({ period: 1 })],
    ['tim-4', timing({ duration: -1, durationUnit: 's' })],
    ['tim-5', timing({ period: -1, periodUnit: 's' })],
    ['tim-6', timing({ periodMax: 1 })],
    ['tim-7', timing({ durationMax: 1 })],
    ['tim-8', timing({ countMax: 1 })],
    ['tim-9', timing({ offset: 1, when: ['ACM', 'CM'] })],
    ['tim-10', timing({ timeOfDay: ['10:00:00'], when: ['ACM'] })],
    ['obs-3', observation({ referenceRange: [{ type: { text: 'x' } }] })],
    ['obs-6', observation({ valueInteger: 1, dataAbsentReason: { text: 'x' } })],
    [
      'obs-7',
      observation({
        code: concept('x', 'a'),
        valueInteger: 1,
        component: [{ code: concept('x', 'a'), valueInteger: 1 }],
      }),
    ],
    ['pat-1', patient({ contact: [{ gender: 'female' }] })],
    ['org-1', { resourceType: 'Organization', active: true }],
    ['org-2', { resourceType: 'Organization', name: 'x', address: [{ use: 'home', text: 'x' }] }],
    ['org-3', { resourceType: 'Organization', name: 'x', telecom: [{ use: 'home', system: 'phone', value: '1' }] }],
    ['con-1', condition({ stage: [{ type: { text: 'x' } }] })],
    ['con-2', condition({ evidence: [{ extension: [{ url: 'urn:x', valueCode: 'x' }] }] })],
    ['con-4', condition({ abatementString: 'x', clinicalStatus: concept('condition-clinical', 'active') })],
    [
      'con-5',
      condition({
        verificationStatus: concept('condition-ver-status', 'entered-in-error'),
        clinicalStatus: concept('condition-clinical', 'active'),
      }),
    ],
    [
      'prr-1',
      {
        resourceType: 'ServiceRequest',
        status: 'active',
        intent: 'order',
        subject: { display: 'x' },
        orderDetail: [{ text: 'x' }],
      },
    ],
    [
      'inv-1',
      { resourceType: 'Task', status: 'ready', intent: 'order', authoredOn: '2026-02-01', lastModified: '2026-01-01' },
    ],
    ['inv-1', { resourceType: 'Parameters', parameter: [{ name: 'a' }] }],
    [
      'bdl-7',
      {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [1, 2].map(() => ({ fullUrl: 'urn:oid:1.2', resource: held })),
      },
    ],
    [
      'bdl-8',
      {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [{ fullUrl: 'http://a.example/Patient/p/_history/1', resource: held }],
      },
    ],
    ['bdl-3', { resourceType: 'Bundle', type: 'transaction', entry: [{ resource: held }] }],
    [
      'csd-1',
      {
        resourceType: 'CodeSystem',
        status: 'draft',
        content: 'complete',
        concept: [{ code: 'a', concept: [{ code: 'a' }] }],
      },
    ],
    ['vsd-1', { resourceType: 'ValueSet', status: 'draft', compose: { include: [{ version: '1' }] } }],
  ])('%s', (key, resource) => {
    const human = INVARIANTS.find((each) => each.key === key)!.description;
    const named = found(resource).filter((details) => details.startsWith(`Constraint ${key} not met: `));
    expect(named.length).toBeGreaterThan(0);
    if (key !== 'inv-1') expect(named[0]).toBe(`Constraint ${key} not met: ${human}`);
  });
});

describe('an invariant is met', () => {
  it.each<[string, Json]>([
    [
      'by a period that ends when it starts',
      observation({ effectivePeriod: { start: '2026-01-01', end: '2026-01-01' } }),
    ],
    [
      'by one in two time zones',
      observation({ effectivePeriod: { start: '2026-01-01T10:00:00+02:00', end: '2026-01-01T09:00:00+01:00' } }),
    ],
    ['by a period without an end', observation({ effectivePeriod: { start: '2026-01-01' } })],
    [
      'by a range in two units, which are not compared',
      observation({ valueRange: { low: cm(1), high: { ...cm(20), unit: 'mm', code: 'mm' } } }),
    ],
    [
      'by a resource that another contained one refers to',
      holding(
        { ...held, managingOrganization: { reference: '#o' } },
        {
          subject: { reference: '#p' },
          contained: [
            { ...held, managingOrganization: { reference: '#o' } },
            { resourceType: 'Organization', id: 'o', name: 'x' },
          ],
        },
      ),
    ],
    ['by one that an extension refers to by its URI', holding(held, { extension: [{ url: 'urn:x', valueUri: '#p' }] })],
    [
      'by the entry of a Bundle that contains what it refers to',
      { resourceType: 'Bundle', type: 'collection', entry: [{ fullUrl: 'urn:oid:1.2', resource: holding(held) }] },
    ],
    [
      'by an extension that says why there is no value',
      patient({ _birthDate: { extension: [{ url: 'urn:x', valueCode: 'x' }] } }),
    ],
    [
      'by an entry without a fullUrl',
      {
        resourceType: 'Bundle',
        type: 'batch',
        entry: [{ resource: held, request: { method: 'POST', url: 'Patient' } }],
      },
    ],
    ['by an offset before a meal', timing({ offset: 10, when: ['ACM'] })],
  ])('%s', (_, resource) => {
    expect(found(resource)).toEqual([]);
  });
});
