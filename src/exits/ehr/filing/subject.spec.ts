import { subjectOf } from './subject.js';

const EHR = { fhirBaseUrl: 'https://ehr.example/fhir/R4' };
const of = (reference: unknown) => subjectOf({ subject: { reference } } as object, EHR);

describe('the chart of a resource', () => {
  it.each([
    ['of another kind', 'Group/1'],
    ['of another server', 'https://other.example/other/Patient/1'],
    ['of a base that begins alike', 'https://ehr.example/fhir/R4B/Patient/1'],
    ['contained', '#patient'],
    ['an identifier alone', undefined],
    ['no text', 7],
    ['with a path behind it', 'Patient/1/../2'],
    ['a name of no address', 'urn:uuid:0b0c'],
  ])('is nobody’s where the subject is %s', (_what, reference) => {
    expect(of(reference)).toBeNull();
  });

  it.each([
    ['relative', 'Patient/1'],
    ['of a version', 'Patient/1/_history/3'],
    ['absolute', 'https://ehr.example/fhir/R4/Patient/1'],
    ['absolute, with the host behind the proxy', 'http://10.0.0.1:8080/fhir/R4/Patient/1'],
  ])('is read from a reference that is %s', (_what, reference) => {
    expect(of(reference)).toBe('Patient/1');
  });

  it('is nobody’s where nothing is said', () => {
    expect(subjectOf({}, EHR)).toBeNull();
    expect(subjectOf({ subject: null } as object, EHR)).toBeNull();
  });
});
