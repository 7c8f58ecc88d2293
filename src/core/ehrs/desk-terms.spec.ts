import { isOpenedOtherwise } from './desk-terms.js';
import { statedTerms, type StatedEhr } from './stated-ehr.js';

const BEFORE = statedTerms({
  name: 'EHR',
  fhirBaseUrl: 'https://ehr.example/fhir',
  origins: ['https://login.example', 'https://keys.example'],
  patientSystem: 'https://h.example/mrn',
  launch: { clientId: 'a', clientType: 'symmetric', clientSecret: 's', scopes: ['launch', 'openid'] },
});
const ends = (stated: StatedEhr) => isOpenedOtherwise(BEFORE, statedTerms(stated, BEFORE));

describe('a desk that an EHR opened', () => {
  it('ends with what it was opened by', () => {
    for (const stated of [
      { fhirBaseUrl: 'https://other.example/fhir' },
      { patientSystem: 'https://h.example/other' },
      { origins: ['https://login.example'] },
      { launch: null },
      { launch: { people: 'review' } },
      { launch: { clientId: 'b' } },
      { launch: { clientSecret: 't' } },
      { launch: { clientType: 'public' } },
      { launch: { scopes: null } },
    ] as const)
      expect([stated, ends(stated)]).toEqual([stated, true]);
  });

  it('goes on through every other change', () => {
    for (const stated of [
      { name: 'EHR North' },
      { origins: ['https://keys.example', 'https://login.example'] },
      { frameAncestors: ['https://ehr.example'] },
      { push: { enabled: false } },
      { launch: { people: 'read' } },
    ] as const)
      expect([stated, ends(stated)]).toEqual([stated, false]);
  });
});
