import { certificateNames, isNamedIn } from './certificates.js';

const subject = (CN?: string | string[]) =>
  ({ ...(CN === undefined ? {} : { CN }) }) as Parameters<typeof certificateNames>[0]['subject'];

describe('the names of a certificate', () => {
  it('do not fall apart where one name is written as if it were several', () => {
    const names = certificateNames({
      subject: subject('Mallory'),
      subjectaltname: 'DNS:"a, DNS:ehr.example.org, DNS:b", DNS:other.example.org',
    });
    expect(names).toEqual(['Mallory', 'a, DNS:ehr.example.org, DNS:b', 'other.example.org']);
    expect(isNamedIn(['ehr.example.org'], names)).toBe(false);
  });

  it('are none where it has none, and no mail addresses', () => {
    expect(certificateNames({ subject: subject(), subjectaltname: 'email:nurse@example.org' })).toEqual([]);
    expect(isNamedIn(['ehr'], [])).toBe(false);
  });

  it('are common names, DNS names, addresses and URIs, whatever their letter case', () => {
    const names = certificateNames({
      subject: subject(['EHR', 'ward']),
      subjectaltname: 'DNS:ehr.example.org, IP Address:10.20.0.7, URI:urn:ehr:1',
    });
    expect(names).toEqual(['EHR', 'ward', 'ehr.example.org', '10.20.0.7', 'urn:ehr:1']);
    expect(isNamedIn(['Ehr.Example.org'], names)).toBe(true);
  });
});
