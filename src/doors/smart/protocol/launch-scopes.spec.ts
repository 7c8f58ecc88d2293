import { scopesOf } from './launch-scopes.js';

describe('the scopes of a launch', () => {
  it('are those of version 2 where the server knows them, else those of version 1', () => {
    expect(scopesOf(null, ['permission-v1', 'permission-v2'])).toBe(
      'launch openid fhirUser patient/Patient.r patient/Encounter.rs',
    );
    expect([scopesOf(null, ['permission-v1']), scopesOf(null, [])]).toEqual([
      'launch openid fhirUser patient/Patient.read patient/Encounter.read',
      'launch openid fhirUser patient/Patient.read patient/Encounter.read',
    ]);
  });

  it('are those of the registration where it has its own, each once', () => {
    expect(scopesOf(['launch', 'openid', 'launch'], ['permission-v2'])).toBe('launch openid');
  });
});
