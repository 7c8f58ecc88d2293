import type { Patient } from '@medplum/fhirtypes';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { criteriaIn, hasIdentifierOf } from './choosing-criteria.js';

const BASE = 'https://wounds.example/fhir';
const PLACE = 'http.header.If-None-Exist';

describe('the criteria of a conditional create', () => {
  it.each([
    ['Encounter?identifier=urn:k|1', 'The criteria are about Encounter, and the resource is a Patient.'],
    [`${BASE}/Encounter?identifier=urn:k|1`, `The criteria name an address that is not ${BASE}/Patient.`],
    ['https://other.example/fhir/Patient?identifier=urn:k|1', 'The criteria name an address that is not'],
    ['/fhir/Patient?identifier=urn:k|1', 'The criteria name an address that is not'],
    [`${BASE}/Patient/7?identifier=urn:k|1`, 'The criteria name an address that is not'],
  ])('%s are refused, and the refusal says why', (written, words) => {
    const read = () => criteriaIn(written, 'Patient', BASE, PLACE);
    expect(read).toThrow(OutcomeError);
    try {
      read();
    } catch (thrown) {
      expect((thrown as OutcomeError).issues).toEqual([
        expect.objectContaining({ expression: PLACE, details: expect.stringContaining(words) as unknown }),
      ]);
    }
  });

  it.each([
    ['identifier=urn:k|1', 'identifier=urn:k|1'],
    ['identifier=https://ehr.example/mrn?area=2|1', 'identifier=https://ehr.example/mrn?area=2|1'],
    ['?identifier=urn:k|1', 'identifier=urn:k|1'],
    ['Patient?identifier=urn:k|1', 'identifier=urn:k|1'],
    [`${BASE}/Patient?identifier=urn:k|1&active=true`, 'identifier=urn:k|1&active=true'],
    [`${BASE}/R4/Patient?identifier=urn:k|1`, 'identifier=urn:k|1'],
    ['Patient?', ''],
  ])('%s are %s', (written, criteria) => {
    expect(criteriaIn(written, 'Patient', BASE, PLACE)).toBe(criteria);
    expect(criteriaIn(written, 'Patient', `${BASE}/R4`, PLACE)).toBe(criteria);
  });
});

describe('a resource carries the identifier of the criteria', () => {
  const patient: Patient = { resourceType: 'Patient', identifier: [{ system: 'urn:k', value: '1' }, { value: '2' }] };

  it.each([
    ['identifier=urn:k|2', false],
    ['identifier=urn:other|1', false],
    ['identifier=1', false],
    ['identifier=urn:k|1,urn:k|2', false],
    ['identifier=urn:k|1&active=true', false],
    ['name=1', false],
    ['identifier=urn:k|1', true],
    ['identifier=urn%3Ak%7C1', true],
    ['identifier=|2', true],
  ])('%s: %s', (criteria, carries) => {
    expect(hasIdentifierOf(criteria, patient)).toBe(carries);
  });

  it('has none', () => expect(hasIdentifierOf('identifier=urn:k|1', { resourceType: 'Patient' })).toBe(false));
});
