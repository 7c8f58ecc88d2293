import { isSuturaError } from '../core/errors/sutura-error.js';
import { readSmartConfiguration } from './smart-configuration.js';

const EHR = { fhirBaseUrl: 'https://ehr.example.org/fhir', origins: ['https://login.example.org'] };
const DOCUMENT = {
  issuer: 'https://ehr.example.org/fhir',
  jwks_uri: 'https://ehr.example.org/keys',
  authorization_endpoint: 'https://login.example.org/authorize',
  token_endpoint: 'https://login.example.org/token',
  capabilities: ['launch-ehr', 'permission-v2'],
  code_challenge_methods_supported: ['S256'],
};

function read(document: unknown, status = 200) {
  const body = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
  return readSmartConfiguration(EHR, { status, headers: {}, body });
}

function refusalOf(document: unknown, status?: number): string {
  try {
    read(document, status);
  } catch (fault) {
    if (isSuturaError(fault, 'launch.answer')) return fault.detail;
    throw fault;
  }
  return 'none';
}

describe('what an EHR publishes of its authorization server', () => {
  it.each<readonly [string, unknown, string]>([
    ['is not JSON', '<html>', 'object'],
    ['is no object', '[]', 'object'],
    ['is not UTF-8 throughout', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 'object'],
    ['lacks the token endpoint', { ...DOCUMENT, token_endpoint: undefined }, 'token_endpoint'],
    ['does not say who issues id_tokens', { ...DOCUMENT, issuer: undefined }, 'issuer'],
    ['does not say where keys are', { ...DOCUMENT, jwks_uri: undefined }, 'jwks_uri'],
    ['says nothing of PKCE', { ...DOCUMENT, code_challenge_methods_supported: undefined }, 'code_challenge_methods'],
    ['offers plain PKCE alone', { ...DOCUMENT, code_challenge_methods_supported: ['plain'] }, 'S256'],
    [
      'sends browsers elsewhere',
      { ...DOCUMENT, authorization_endpoint: 'https://evil.example/a' },
      'authorization_endpoint',
    ],
    [
      'sends browsers into a script',
      { ...DOCUMENT, authorization_endpoint: 'javascript:alert(1)' },
      'authorization_endpoint',
    ],
    ['has codes redeemed elsewhere', { ...DOCUMENT, token_endpoint: 'https://evil.example/t' }, 'token_endpoint'],
    ['has codes redeemed inside', { ...DOCUMENT, token_endpoint: 'http://169.254.169.254/t' }, 'token_endpoint'],
    ['has keys elsewhere', { ...DOCUMENT, jwks_uri: 'https://ehr.example.org.evil.example/k' }, 'jwks_uri'],
    ['has keys without TLS', { ...DOCUMENT, jwks_uri: 'http://ehr.example.org/keys' }, 'jwks_uri'],
    ['has keys at another port', { ...DOCUMENT, jwks_uri: 'https://ehr.example.org:8443/keys' }, 'jwks_uri'],
  ])('is refused where it %s', (_what, document, named) => {
    expect(refusalOf(document)).toContain(named);
  });

  it('is refused with another status than 200, a redirect too', () => {
    expect([302, 401, 404, 500].map((status) => refusalOf(DOCUMENT, status))).toEqual([
      expect.stringContaining('302'),
      expect.stringContaining('401'),
      expect.stringContaining('404'),
      expect.stringContaining('500'),
    ]);
  });

  it('is read where all addresses are of the origins that the registration names', () => {
    expect(read(DOCUMENT)).toEqual({
      issuer: 'https://ehr.example.org/fhir',
      jwksUri: 'https://ehr.example.org/keys',
      authorizationEndpoint: 'https://login.example.org/authorize',
      tokenEndpoint: 'https://login.example.org/token',
      capabilities: ['launch-ehr', 'permission-v2'],
      assertionAlgorithms: undefined,
      statesIssuer: false,
    });
    expect(read({ ...DOCUMENT, authorization_response_iss_parameter_supported: true }).statesIssuer).toBe(true);
  });
});
