import type { Observation, Patient, Resource } from '@medplum/fhirtypes';
import { R4Definitions } from '../../../standards/fhir/definitions/r4-definitions.js';
import { withPatch } from './sent-patch.js';

const part = (name: string, value: object) => ({ name, ...value });
const text = (name: string, valueString: string) => part(name, { valueString });
const whole = (name: string, valueInteger: number) => part(name, { valueInteger });
const operation = (type: string, path: string, ...more: object[]) => ({
  name: 'operation',
  part: [part('type', { valueCode: type }), text('path', path), ...more],
});
const apply = <T extends Resource>(resource: T, ...parameter: object[]): T =>
  withPatch(resource, { mediaType: 'application/fhir+json', content: { resourceType: 'Parameters', parameter } });

const PATIENT: Patient = {
  resourceType: 'Patient',
  id: 'p',
  birthDate: '1950-02-03',
  active: true,
  identifier: [
    { system: 'urn:a', value: '1' },
    { system: 'urn:b', value: '2' },
  ],
  name: [
    { use: 'official', family: 'Muster', given: ['Erika', 'Maria'] },
    { use: 'usual', text: 'Erika' },
  ],
  deceasedBoolean: false,
  extension: [{ url: 'urn:example:x', valueString: 'old' }],
};

beforeAll(() => {
  new R4Definitions().ensureType('Patient');
  new R4Definitions().ensureType('Observation');
});

describe('a FHIRPath Patch is refused', () => {
  it.each<[string, object[]]>([
    ['without an operation', []],
    ['of another kind', [operation('copy', 'Patient.name')]],
    [
      'with a path that leads nowhere',
      [operation('replace', 'Patient.gender', part('value', { valueCode: 'female' }))],
    ],
    ['with a path that leads to several places', [operation('delete', 'Patient.name')]],
    ['that deletes the resource', [operation('delete', 'Patient')]],
    [
      'with a path that calls a function of its own',
      [operation('delete', "Patient.name.where(family.matches('(a+)+$'))")],
    ],
    ['with a path that is none', [operation('delete', 'Patient..name')]],
    [
      'that adds an element which is there',
      [operation('add', 'Patient', text('name', 'birthDate'), part('value', { valueDate: '1951-01-01' }))],
    ],
    [
      'that adds another type of a choice which is there',
      [operation('add', 'Patient', text('name', 'deceased'), part('value', { valueDateTime: '2026' }))],
    ],
    [
      'that adds what the type does not have',
      [operation('add', 'Patient', text('name', 'constructor'), text('value', 'x'))],
    ],
    [
      'that gives a choice a type which it does not take',
      [operation('replace', 'Patient.deceased', part('value', { valueQuantity: {} }))],
    ],
    [
      'that inserts behind the end of a list',
      [operation('insert', 'Patient.name', whole('index', 3), part('value', { valueHumanName: {} }))],
    ],
    [
      'that inserts into what is no list',
      [operation('insert', 'Patient.birthDate', whole('index', 0), part('value', { valueDate: '1951' }))],
    ],
    [
      'that moves from a place which the list does not have',
      [operation('move', 'Patient.name', whole('source', 2), whole('destination', 0))],
    ],
    ['that lacks a part', [operation('add', 'Patient', text('name', 'gender'))]],
    ['with a part twice', [operation('delete', 'Patient.active', text('path', 'Patient.name'))]],
    ['with a part that no operation has', [operation('delete', 'Patient.active', text('where', 'x'))]],
    ['that changes the id', [operation('replace', 'Patient.id', part('value', { valueId: 'q' }))]],
  ])('%s', (_, operations) => {
    expect(() => apply(PATIENT, ...operations)).toThrow(expect.objectContaining({ code: 'fhir.patch' }));
  });

  it('as a whole where one operation does not fit, and the resource stays as it was', () => {
    const before = structuredClone(PATIENT);
    expect(() => apply(PATIENT, operation('delete', 'Patient.active'), operation('delete', 'Patient.name'))).toThrow(
      expect.objectContaining({ code: 'fhir.patch', detail: expect.stringContaining('Operation 2') }),
    );
    expect(PATIENT).toEqual(before);
  });

  it('where it makes more than a resource holds', () => {
    const many = { valueHumanName: { given: Array.from({ length: 900 }, () => 'x') } };
    const operations = Array.from({ length: 20 }, () =>
      operation('add', 'Patient', text('name', 'name'), part('value', many)),
    );
    expect(() => apply(PATIENT, ...operations)).toThrow(expect.objectContaining({ code: 'request.too_large' }));
  });
});

describe('a FHIRPath Patch', () => {
  it('adds an element, a member of a list, one of a choice, and one that is made of parts', () => {
    const contact = part('value', {
      part: [part('name', { valueHumanName: { text: 'Max' } }), part('telecom', { valueContactPoint: { value: '1' } })],
    });
    const next = apply(
      { ...PATIENT, deceasedBoolean: undefined } as Patient,
      operation('delete', 'Patient.deceased'),
      operation('add', 'Patient', text('name', 'gender'), part('value', { valueCode: 'female' })),
      operation('add', 'Patient', text('name', 'contact'), contact),
      operation('add', "Patient.name.where(use = 'official')", text('name', 'given'), text('value', 'Anna')),
      operation('add', 'Patient', text('name', 'multipleBirth'), part('value', { valueInteger: 2 })),
    );
    expect(next).toMatchObject({
      gender: 'female',
      contact: [{ name: { text: 'Max' }, telecom: [{ value: '1' }] }],
      multipleBirthInteger: 2,
    });
    expect(next.name![0]!.given).toEqual(['Erika', 'Maria', 'Anna']);
  });

  it('replaces what a path leads to, with another type of a choice too', () => {
    const next = apply(
      PATIENT,
      operation('replace', "Patient.identifier.where(system = 'urn:b' and value = '2').value", text('value', '3')),
      operation('replace', 'Patient.name[1]', part('value', { valueHumanName: { text: 'E.' } })),
      operation('replace', "Patient.extension('urn:example:x').value", text('value', 'new')),
      operation('replace', 'Patient.deceased', part('value', { valueDateTime: '2026-01-01' })),
    );
    expect(next.identifier![1]).toEqual({ system: 'urn:b', value: '3' });
    expect(next.name![1]).toEqual({ text: 'E.' });
    expect(next.extension).toEqual([{ url: 'urn:example:x', valueString: 'new' }]);
    expect(next).toMatchObject({ deceasedDateTime: '2026-01-01' });
    expect(next.deceasedBoolean).toBeUndefined();
  });

  it('inserts into a list, moves within it, and deletes from it', () => {
    const next = apply(
      PATIENT,
      operation('insert', 'Patient.name.first().given', whole('index', 0), text('value', 'Anna')),
      operation('move', 'Patient.name[0].given', whole('source', 2), whole('destination', 0)),
      operation('delete', 'Patient.identifier.first()'),
      operation('delete', 'Patient.name.last()'),
    );
    expect(next.name).toEqual([{ use: 'official', family: 'Muster', given: ['Maria', 'Anna', 'Erika'] }]);
    expect(next.identifier).toEqual([{ system: 'urn:b', value: '2' }]);
  });

  it('takes with a name what stands beside it', () => {
    const beside = {
      ...PATIENT,
      name: [{ given: ['a', 'b'], _given: [null, { extension: [{ url: 'urn:x', valueCode: 'q' }] }] }],
    };
    const next = apply(beside as unknown as Patient, operation('delete', 'Patient.name.given[0]'));
    expect(next.name).toEqual([{ given: ['b'], _given: [{ extension: [{ url: 'urn:x', valueCode: 'q' }] }] }]);
  });

  it('deletes what is not there without a fault, and leaves no empty list', () => {
    const next = apply(PATIENT, operation('delete', 'Patient.gender'), operation('delete', 'Patient.extension[0]'));
    expect(next).not.toHaveProperty('extension');
  });

  it('finds a choice by the type that is there', () => {
    const observation = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'x' },
      valueQuantity: { value: 1 },
    } as Observation;
    const next = apply(
      observation,
      operation('replace', 'Observation.value.ofType(Quantity).value', part('value', { valueDecimal: 2 })),
    );
    expect(next.valueQuantity).toEqual({ value: 2 });
  });
});
