import { ehrAddressFault, fhirBaseOf } from './ehr-addresses.js';

describe('the address of an EHR', () => {
  it('is not one that another spelling of a base could be', () => {
    for (const odd of [
      'https://ehr.example/fh%69r',
      'https://ehr.example/%46HIR',
      'https://ehr.example//fhir',
      'https://ehr.example/fhir//r4',
      'https://ehr.example./fhir',
      'https://ehr.example/a%2fb',
      'https://ehr.example/%',
      'https://ehr.example/%zz',
    ])
      expect([odd, ehrAddressFault(odd)]).toEqual([odd, expect.stringContaining('plain spelling')]);
    for (const plain of ['https://ehr.example/fhir/r4', 'https://ehr.example/a%2Fb/%C3%A4', 'https://ehr.example'])
      expect([plain, ehrAddressFault(plain)]).toEqual([plain, null]);
  });

  it('is one base however host, port and end are written', () => {
    for (const one of [
      'HTTPS://EHR.example/fhir',
      'https://ehr.example:443/fhir/',
      'https://ehr.example/x/../fhir',
      'https://ehr.example/./fhir/',
    ])
      expect(fhirBaseOf(one)).toBe('https://ehr.example/fhir');
    // Compiled functions of Node.js may answer otherwise than those that were called a few times.
    const inLetters = Array.from({ length: 20_000 }, () => fhirBaseOf('https://ähr.example/fhir'));
    expect(new Set(inLetters)).toEqual(new Set(['https://xn--hr-uia.example/fhir']));
  });
});
