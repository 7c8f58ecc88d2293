import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { clinicianOf, ownReference } from './fhir-user.js';
import { readTokenAnswer } from './token-answer.js';

const EHR = { fhirBaseUrl: 'https://ehr.example.org/fhir' };
const ANSWER = { access_token: 't', token_type: 'bearer', patient: '5' };

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (fault) {
    if (isSuturaError(fault)) return fault.code;
    throw fault;
  }
  return 'none';
}

describe('what a token answer says of the launch', () => {
  it.each([
    ['without a patient', { ...ANSWER, patient: undefined }, 'launch.patient_unknown'],
    ['without a token', { ...ANSWER, access_token: undefined }, 'launch.answer'],
    ['with a patient that leads to another address', { ...ANSWER, patient: '../Group/1' }, 'launch.answer'],
    ['with a patient that is the folder above', { ...ANSWER, patient: '..' }, 'launch.answer'],
    ['with a patient that is a list', { ...ANSWER, patient: ['5', '6'] }, 'launch.answer'],
    ['with an encounter that asks something else', { ...ANSWER, encounter: '7?_include=*' }, 'launch.answer'],
  ])('is refused %s', (_what, answer, code) => {
    expect(codeOf(() => readTokenAnswer(answer))).toBe(code);
  });

  it('shows our banner in full unless the EHR says that it is not needed', () => {
    expect(readTokenAnswer(ANSWER)).toEqual({
      accessToken: 't',
      patientId: '5',
      encounterId: null,
      needsBanner: true,
      appContext: null,
    });
    expect(readTokenAnswer({ ...ANSWER, need_patient_banner: false, encounter: '7', scope: 'launch' })).toMatchObject({
      needsBanner: false,
      encounterId: '7',
    });
  });

  it('leaves out an appContext that is too long to be an id', () => {
    expect(readTokenAnswer({ ...ANSWER, appContext: 'x'.repeat(257) }).appContext).toBeNull();
    expect(readTokenAnswer({ ...ANSWER, appContext: 'w-1' }).appContext).toBe('w-1');
  });
});

describe('the clinician whom fhirUser names', () => {
  it.each([
    ['a patient', 'Patient/5', 'launch.person'],
    ['a relative', 'https://ehr.example.org/fhir/RelatedPerson/5', 'launch.person'],
    ['nobody', undefined, 'launch.person'],
    ['somebody at another server', 'https://evil.example/fhir/Practitioner/5', 'launch.answer'],
    [
      'somebody at a server whose address begins alike',
      'https://ehr.example.org/fhir2/Practitioner/5',
      'launch.answer',
    ],
    ['the folder above', 'Practitioner/..', 'launch.answer'],
    ['a version', 'Practitioner/5/_history/1', 'launch.answer'],
    ['a search', 'Practitioner?name=a', 'launch.answer'],
    ['a number', 5, 'launch.answer'],
  ])('is refused where it is %s', (_who, claim, code) => {
    expect(codeOf(() => clinicianOf(EHR, claim))).toBe(code);
  });

  it('is one person whether the reference is relative or absolute', () => {
    expect(clinicianOf(EHR, 'Practitioner/a-1')).toEqual({ type: 'Practitioner', id: 'a-1' });
    expect(clinicianOf(EHR, 'https://EHR.example.org:443/fhir/Practitioner/a-1')).toEqual({
      type: 'Practitioner',
      id: 'a-1',
    });
    expect(clinicianOf(EHR, 'PractitionerRole/2').type).toBe('PractitionerRole');
  });

  it('is asked for below the base of the EHR and nowhere else', () => {
    expect(
      ['urn:uuid:1', '#p', '//evil.example/Practitioner/1', '/Practitioner/1', ''].map((text) =>
        ownReference(EHR, text),
      ),
    ).toEqual([null, null, null, null, null]);
  });
});
