import type { Ehr } from '../../../src/core/ehrs/ehr.js';
import { EhrCaller, EhrKeySets, EhrTrial, NoEhrAnswerError, PushNeeds } from '../../../src/ehrs/index.js';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import { EhrHost } from '../../support/ehr-host.js';

const INSIDE = new AddressGuard(networksOf(['127.0.0.0/8']));
const RULES = { guard: INSIDE, timeoutMs: 2000, limitBytes: 10_000 };
const NOW = new Date('2026-11-30T08:00:00Z');

describe('what is asked of an EHR', () => {
  let host: EhrHost;
  let caller: EhrCaller;

  beforeEach(async () => {
    host = await EhrHost.start();
    caller = new EhrCaller(RULES);
  });
  afterEach(() => host.close());

  const placed = () => ({ fhirBaseUrl: host.base, origins: [] as readonly string[] });
  const faultOf = async (url: string, of = placed(), by = caller): Promise<string> => {
    const end = await by.ask(of, { method: 'GET', url }).catch((fault: unknown) => fault);
    return end instanceof NoEhrAnswerError ? end.fault : `answered ${JSON.stringify(end)}`;
  };

  it('is of its own origin and of those that are registered, and nothing is sent elsewhere', async () => {
    const other = await EhrHost.start();
    try {
      expect(await faultOf(`${other.base}/jwks.json`)).toBe('address_refused');
      expect(await faultOf('http://169.254.169.254/latest/meta-data')).toBe('address_refused');
      expect(await faultOf(`${host.origin.replace('http://', 'http://user:word@')}/x`)).toBe('address_refused');
      expect(await faultOf('file:///etc/passwd')).toBe('address_refused');
      expect(other.requested).toEqual([]);
      const answer = await caller.ask(
        { ...placed(), origins: [other.origin] },
        { method: 'GET', url: other.keySetUrl },
      );
      expect(answer.status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('is nothing in a network that is not opened, nor without TLS on the public internet', async () => {
    const strict = new EhrCaller({ ...RULES, guard: new AddressGuard(networksOf([])) });
    expect(await faultOf(host.keySetUrl, placed(), strict)).toBe('address_refused');
    expect(await strict.mayCall(host.base)).toBe(false);
    expect(await strict.mayCall('http://8.8.8.8/fhir')).toBe(false);
    expect(await strict.mayCall('https://8.8.8.8/fhir')).toBe(true);
    expect(await caller.mayCall(host.base)).toBe(true);
    expect(host.requested).toEqual([]);
  });

  it('follows no redirect, and reads no more than it may', async () => {
    host.documents.set(
      '/metadata',
      (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    expect((await caller.ask(placed(), { method: 'GET', url: `${host.base}/metadata` })).status).toBe(302);
    host.documents.set('/large', { text: 'x'.repeat(20_000) });
    expect(await faultOf(`${host.base}/large`)).toBe('too_large');
  });

  it('ends in time, and says whether the request may have arrived', async () => {
    host.documents.set('/silent', () => undefined);
    const call = { method: 'POST', url: `${host.base}/silent`, body: '{}', timeoutMs: 300 } as const;
    await expect(caller.ask(placed(), call)).rejects.toMatchObject({ fault: 'timeout', mayHaveArrived: true });
    host.documents.set('/trickle', (_request, response) => void response.writeHead(200).write('{'));
    await expect(caller.ask(placed(), { ...call, url: `${host.base}/trickle` })).rejects.toMatchObject({
      fault: 'timeout',
    });
    host.documents.set('/gone', (request) => void request.socket.destroy());
    await expect(caller.ask(placed(), { ...call, url: `${host.base}/gone` })).rejects.toMatchObject({
      mayHaveArrived: true,
    });
    const { base } = host;
    await host.close();
    await expect(caller.ask({ fhirBaseUrl: base, origins: [] }, { method: 'GET', url: base })).rejects.toMatchObject({
      fault: 'unreachable ECONNREFUSED',
      mayHaveArrived: false,
    });
    host = await EhrHost.start();
  });

  describe('at its set-up', () => {
    const ehrOf = (wish: Partial<Ehr> = {}): Ehr => ({
      id: 'e',
      organizationId: 'o',
      environment: 'test',
      name: 'EHR',
      patientSystem: 'https://h.example/mrn',
      launch: { clientId: 'a', clientSecret: null, clientType: 'asymmetric', scopes: null, people: 'read' },
      push: null,
      cds: { enabled: true, issuer: host.issuer, jwksUrl: host.keySetUrl, language: 'en' },
      frameAncestors: [],
      createdAt: NOW,
      updatedAt: NOW,
      ...placed(),
      ...wish,
    });
    const keySets = () => new EhrKeySets(caller, { now: () => NOW }, { error: () => undefined });
    let isOnly = true;
    beforeEach(() => (isOnly = true));
    const trialOf = (ehr: Ehr, needs = new PushNeeds()) =>
      new EhrTrial(caller, keySets(), needs, { isOnly: () => Promise.resolve(isOnly) }).run(ehr);
    const sayings = async (ehr: Ehr) =>
      (await trialOf(ehr)).findings.map(({ about, isWell, says }) => `${about} ${isWell} ${says}`);
    const statement = (fhirVersion: string, types: readonly string[]) => ({
      resourceType: 'CapabilityStatement',
      fhirVersion,
      software: { name: 'Example <b>EHR</b>\u202e', version: '1' },
      rest: [{ mode: 'server', resource: types.map((type) => ({ type, interaction: [{ code: 'create' }] })) }],
    });
    const smart = (origin: string) => ({
      issuer: host.base,
      jwks_uri: host.keySetUrl,
      capabilities: ['launch-ehr'],
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      code_challenge_methods_supported: ['S256'],
    });

    it('says that the short address of our keys is not the one to register where there are several organizations', async () => {
      const saying = async (ehr: Ehr) =>
        (await trialOf(ehr)).findings.filter(({ says }) => says.includes('/.well-known/jwks.json has'));
      expect(await saying(ehrOf())).toEqual([]);
      isOnly = false;
      const says = expect.stringContaining('do not register it') as string;
      expect(await saying(ehrOf())).toEqual([{ about: 'smart-configuration', isWell: false, isTried: false, says }]);
      expect(await saying(ehrOf({ launch: null }))).toEqual([]);
    });

    it('says of a server that is not there, or is another one, what does not answer', async () => {
      host.documents.clear();
      expect(await sayings(ehrOf())).toEqual([
        expect.stringMatching(/^metadata false .*404/),
        expect.stringMatching(/^smart-configuration false .*404/),
        expect.stringMatching(/^cds false/),
      ]);
      host.documents.set('/metadata', { resourceType: 'Bundle' });
      expect((await sayings(ehrOf()))[0]).toMatch(/no CapabilityStatement/);
      host.documents.set('/metadata', (_request, response) => void response.writeHead(301, { location: '/x' }).end());
      expect((await sayings(ehrOf()))[0]).toMatch(/redirects are not followed/);
      host.documents.set('/metadata', (_request, response) => void response.end('<html>'));
      expect((await sayings(ehrOf()))[0]).toMatch(/not written as such/);
    });

    it('says that R4 is needed, that a token comes from elsewhere, and what PKCE lacks', async () => {
      host.documents.set('/metadata', statement('3.0.2', []));
      host.documents.set('/.well-known/smart-configuration', {
        ...smart('https://login.example'),
        code_challenge_methods_supported: [],
      });
      expect((await sayings(ehrOf())).sort()).toEqual([
        'cds true Its key set has 1 RSA or EC key with a kid.',
        expect.stringMatching(/^metadata false .*3\.0\.2.*R4/),
        expect.stringMatching(/^smart-configuration false Its authorization_endpoint.*https:\/\/login\.example/),
        expect.stringMatching(/^smart-configuration false Its token_endpoint.*https:\/\/login\.example/),
        expect.stringMatching(/^smart-configuration false .*S256/),
      ]);
    });

    it('says what is well, in words that nobody else wrote', async () => {
      host.documents.set('/metadata', statement('4.0.1', ['DocumentReference', 'Observation']));
      host.documents.set('/.well-known/smart-configuration', smart(host.origin));
      const { findings, fhirVersion, creates } = await trialOf(ehrOf());
      expect(findings.map(({ isWell }) => isWell)).toEqual([true, true, true, true]);
      expect([fhirVersion, creates]).toEqual(['4.0.1', ['DocumentReference', 'Observation']]);
      expect(JSON.stringify(findings)).not.toMatch(/\u202e/);
    });

    it('calls nothing well that a launch or a token would fail by', async () => {
      host.documents.set('/metadata', statement('4.0.1', []));
      const found = async (changes: object, wish: Partial<Ehr> = {}) => {
        host.documents.set('/.well-known/smart-configuration', { ...smart(host.origin), ...changes });
        return (await sayings(ehrOf({ cds: null, ...wish }))).slice(1);
      };
      for (const [changes, says] of [
        [{ issuer: undefined }, /issuer/],
        [{ jwks_uri: undefined }, /jwks_uri/],
        [{ jwks_uri: 'https://keys.example/k' }, /jwks_uri is of another origin \(https:\/\/keys\.example\)/],
        [{ jwks_uri: `${host.base}/none` }, /The key set of its id_tokens cannot be read/],
        [{ capabilities: undefined }, /capabilities/],
        [{ token_endpoint: undefined }, /token_endpoint/],
        [{ code_challenge_methods_supported: ['plain'] }, /S256/],
        [{ token_endpoint_auth_signing_alg_values_supported: ['RS256'] }, /neither ES384 nor RS384/],
      ] as const)
        expect([changes, await found(changes)]).toEqual([
          changes,
          expect.arrayContaining([expect.stringMatching(new RegExp(`^smart-configuration false .*${says.source}`))]),
        ]);
      const token = { auth: 'backend-services', enabled: false } as NonNullable<Ehr['push']>;
      const pushed = async (changes: object) => (await found(changes, { launch: null, push: token }))[0];
      expect(await pushed({ token_endpoint: undefined })).toMatch(/false It names no token_endpoint/);
      expect(await pushed({ token_endpoint_auth_signing_alg_values_supported: ['RS256'] })).toMatch(/false .*neither/);
      expect(await pushed({ jwks_uri: undefined, code_challenge_methods_supported: [] })).toMatch(/true/);
    });

    it('says what a dialect needs and the server does not create', async () => {
      host.documents.set('/metadata', statement('4.0.1', ['Observation']));
      const push = {
        enabled: true,
        dialect: 'oracle',
        auth: 'none',
        token: null,
        clientId: null,
        scopes: null,
        send: ['pdf'],
        when: 'final',
        encounterRule: 'none',
        codes: null,
      } as const;
      class Needs extends PushNeeds {
        override lacking(): readonly string[] {
          return ['It does not create DocumentReference.'];
        }
      }
      const { findings } = await trialOf(ehrOf({ launch: null, cds: null, push }), new Needs());
      const says = 'It does not create DocumentReference.';
      expect(findings).toContainEqual({ about: 'push', isWell: false, isTried: true, says });
      expect((await sayings(ehrOf({ launch: null, cds: null, push })))[1]).toBe(
        'push true It declares all that is going to be filed. Whether a token is given and a patient is found, only a filed result shows.',
      );
    });
  });
});
