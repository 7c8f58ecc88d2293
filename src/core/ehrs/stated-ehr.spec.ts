import { SuturaError } from '../errors/sutura-error.js';
import { statedTerms, type StatedEhr } from './stated-ehr.js';

const BASE: StatedEhr = {
  name: 'EHR',
  fhirBaseUrl: 'https://ehr.example/fhir',
  patientSystem: 'https://hospital.example/mrn',
};
const CDS = { enabled: true, issuer: 'https://ehr.example', jwksUrl: 'https://keys.example/jwks' };

const pointersOf = (stated: StatedEhr, present?: Parameters<typeof statedTerms>[1]): string[] => {
  try {
    statedTerms(stated, present);
    return [];
  } catch (fault) {
    if (!(fault instanceof SuturaError)) throw fault;
    expect(fault.code).toBe('request.invalid');
    return (fault.facts.errors ?? []).map(({ pointer }) => pointer);
  }
};

const REFUSED: readonly (readonly [what: string, stated: StatedEhr, pointers: readonly string[]])[] = [
  ['no base', { name: 'EHR' }, ['/fhirBaseUrl']],
  ['a base that is a word', { ...BASE, fhirBaseUrl: 'ehr' }, ['/fhirBaseUrl']],
  ['a base of another protocol', { ...BASE, fhirBaseUrl: 'ftp://ehr.example/' }, ['/fhirBaseUrl']],
  ['a base with a password', { ...BASE, fhirBaseUrl: 'https://a:b@ehr.example/fhir' }, ['/fhirBaseUrl']],
  ['a base with a query', { ...BASE, fhirBaseUrl: 'https://ehr.example/fhir?' }, ['/fhirBaseUrl']],
  ['a base with a blank', { ...BASE, fhirBaseUrl: 'https://ehr.example/ fhir' }, ['/fhirBaseUrl']],
  ['an origin with a path', { ...BASE, origins: ['https://login.example/x'] }, ['/origins/0']],
  [
    'a frame without TLS, which no page may be',
    { ...BASE, frameAncestors: ['http://ehr.example'] },
    ['/frameAncestors/0'],
  ],
  ['a frame that is everywhere', { ...BASE, frameAncestors: ['*'] }, ['/frameAncestors/0']],
  [
    'a launch without a system of patients',
    { ...BASE, patientSystem: null, launch: { clientId: 'a' } },
    ['/patientSystem'],
  ],
  ['a launch without a client', { ...BASE, launch: { people: 'read' } }, ['/launch/clientId']],
  [
    'a symmetric client without its secret',
    { ...BASE, launch: { clientId: 'a', clientType: 'symmetric' } },
    ['/launch/clientSecret'],
  ],
  [
    'a secret of an asymmetric client',
    { ...BASE, launch: { clientId: 'a', clientSecret: 's' } },
    ['/launch/clientSecret'],
  ],
  ['bearer without a token', { ...BASE, push: { auth: 'bearer' } }, ['/push/token']],
  ['a token that nothing uses', { ...BASE, push: { token: 't' } }, ['/push/token']],
  ['signatures of no client', { ...BASE, push: { auth: 'backend-services' } }, ['/push/clientId']],
  ['nothing to send', { ...BASE, push: { send: [] } }, ['/push/send']],
  ['cards without an issuer', { ...BASE, cds: { jwksUrl: 'https://ehr.example/jwks' } }, ['/cds/issuer']],
  ['keys of another origin', { ...BASE, cds: CDS }, ['/cds/jwksUrl']],
  [
    'a push without a system of patients',
    { ...BASE, patientSystem: null, push: { enabled: true } },
    ['/patientSystem'],
  ],
];

describe('a registration of an EHR', () => {
  it.each(REFUSED)('is refused with %s, at its place', (_what, stated, pointers) => {
    expect(pointersOf(stated)).toEqual(pointers);
  });

  it('names every fault at once', () => {
    expect(pointersOf({ ...BASE, fhirBaseUrl: 'x', push: { send: [], token: 't' } })).toEqual([
      '/fhirBaseUrl',
      '/push/token',
      '/push/send',
    ]);
  });

  it('has one spelling of its base and origins', () => {
    expect(
      statedTerms({
        ...BASE,
        fhirBaseUrl: 'HTTPS://EHR.example:443/fhir/',
        origins: ['https://a.example', 'https://a.example'],
      }),
    ).toMatchObject({ fhirBaseUrl: 'https://ehr.example/fhir', origins: ['https://a.example'] });
  });

  it('keeps what a change does not name, within a part too, and takes a part away by null', () => {
    const before = statedTerms({ ...BASE, launch: { clientId: 'a', clientType: 'symmetric', clientSecret: 's' } });
    const after = statedTerms({ launch: { people: 'review' }, push: { when: 'reviewed' } }, before);
    expect(after.launch).toEqual({ ...before.launch, people: 'review' });
    expect(after.push).toMatchObject({ enabled: false, dialect: 'transaction', when: 'reviewed' });
    expect(statedTerms({ launch: null }, after)).toMatchObject({ launch: null, push: after.push });
  });

  it('drops a secret with the use that it had', () => {
    const before = statedTerms({
      ...BASE,
      launch: { clientId: 'a', clientType: 'symmetric', clientSecret: 's' },
      push: { auth: 'bearer', token: 't' },
    });
    const after = statedTerms({ launch: { clientType: 'public' }, push: { auth: 'none' } }, before);
    expect([after.launch?.clientSecret, after.push?.token]).toEqual([null, null]);
  });

  it('takes keys of an origin that it names', () => {
    expect(pointersOf({ ...BASE, origins: ['https://keys.example'], cds: CDS })).toEqual([]);
  });
});
