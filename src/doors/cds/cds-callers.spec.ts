import { createHmac, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createLocalJWKSet, exportSPKI, importJWK, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { makeClientKey, type ClientKey } from '../../../test/support/smart-client.js';
import type { Ehr } from '../../core/ehrs/ehr.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { LaunchThrottle } from '../../identity/index.js';
import { readSettings } from '../../platform/config/settings.js';
import { CdsCallers } from './cds-callers.js';

const NOW = new Date('2026-11-30T08:00:00Z');
const NOW_S = NOW.getTime() / 1000;
const ADDRESS = 'https://sutura.example/cds-services/sutura-wound-patient-view';
const KEY_SET = 'https://ehr.example/cds/jwks.json';
const EHR: Ehr = {
  id: '01997f2e-7777-7000-8000-000000000007',
  organizationId: '01997f2e-1111-7000-8000-000000000001',
  environment: 'test',
  name: 'EHR',
  fhirBaseUrl: 'https://ehr.example/fhir',
  origins: [],
  patientSystem: 'https://hospital.example/mrn',
  launch: null,
  push: null,
  cds: { enabled: true, issuer: 'https://ehr.example/cds', jwksUrl: KEY_SET, language: 'en' },
  frameAncestors: [],
  createdAt: NOW,
  updatedAt: NOW,
};
const OTHER: Ehr = {
  ...EHR,
  id: '01997f2e-7777-7000-8000-000000000008',
  cds: { ...EHR.cds!, issuer: 'https://other.example' },
};
const PAUSED: Ehr = { ...EHR, cds: { ...EHR.cds!, issuer: 'https://paused.example', enabled: false } };

let key: ClientKey;
let rsaKey: ClientKey;
let foreignKey: ClientKey;
let used: Set<string>;
/** How often an issuer was looked up. */
let asked: number;
let callers: CdsCallers;

beforeAll(async () => {
  [key, rsaKey, foreignKey] = await Promise.all([
    makeClientKey('ES384'),
    makeClientKey('RS384'),
    makeClientKey('ES384'),
  ]);
});
beforeEach(() => {
  used = new Set();
  const known = [EHR, OTHER, PAUSED];
  asked = 0;
  callers = new CdsCallers(
    {
      byCdsIssuer: (issuer) => {
        asked += 1;
        return Promise.resolve(known.find(({ cds }) => cds?.issuer === issuer) ?? null);
      },
    },
    {
      of: ({ id }) =>
        createLocalJWKSet({ keys: id === EHR.id ? [key.publicJwk, rsaKey.publicJwk] : [foreignKey.publicJwk] }),
    },
    {
      use: (ehrId, digest) => {
        const place = `${ehrId} ${Buffer.from(digest).toString('hex')}`;
        const isNew = !used.has(place);
        used.add(place);
        return Promise.resolve(isNew);
      },
    },
    { now: () => NOW },
    new LaunchThrottle(readSettings({ SUTURA_READS_PER_S: '1', SUTURA_READ_BURST: '5' })),
  );
});

// Nothing is given back while a test takes.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

/** From somewhere, in the name of whoever signed. */
const ehrOf = (authorization: string | undefined, address: string, proven?: (ehr: Ehr) => void, from = '192.0.2.1') =>
  callers.ehrOf({ authorization, address, from }, proven);

interface Wish {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly by?: ClientKey;
}

const RIGHT = () => ({ iss: EHR.cds!.issuer, aud: ADDRESS, iat: NOW_S, exp: NOW_S + 240, jti: randomUUID() });

async function sign({ header = {}, claims = {}, by = key }: Wish = {}): Promise<string> {
  const payload = Object.entries({ ...RIGHT(), ...claims }).filter(([, value]) => value !== undefined);
  const signed = Object.entries({ alg: by.alg, kid: by.kid, typ: 'JWT', ...header }).filter(
    ([, value]) => value !== undefined,
  );
  return new SignJWT(Object.fromEntries(payload))
    .setProtectedHeader(Object.fromEntries(signed) as { alg: string })
    .sign(by.privateKey);
}

/** As a library would take it that lets the token choose how it is checked: the public key as a shared secret. */
async function signedWithPublicKey(): Promise<string> {
  const pem = await exportSPKI((await importJWK(key.publicJwk as JWK, key.alg)) as CryptoKey);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', kid: key.kid, typ: 'JWT' })}.${part(RIGHT())}`;
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
}

const tampered = async (): Promise<string> => {
  const [header, , signature] = (await sign()).split('.');
  const other = Buffer.from(JSON.stringify({ ...RIGHT(), tenant: 'another' })).toString('base64url');
  return `${header}.${other}.${signature}`;
};

const REFUSED: readonly (readonly [what: string, make: () => Promise<string> | string, says: RegExp])[] = [
  ['nothing', () => '', /Authorization: Bearer/],
  ['another scheme', async () => `Basic ${await sign()}`, /Authorization: Bearer/],
  ['three parts that are no token', () => 'Bearer a.b.c', /not a JSON Web Token/],
  ['a token that nobody signed', () => `Bearer ${new UnsecuredJWT(RIGHT()).encode()}`, /RS384/],
  ['the public key as a shared secret', async () => `Bearer ${await signedWithPublicKey()}`, /RS384/],
  [
    'an algorithm of other protocols',
    async () => `Bearer ${await sign({ by: await makeClientKey('RS256') })}`,
    /RS384/,
  ],
  ['no key id', async () => `Bearer ${await sign({ header: { kid: undefined } })}`, /kid/],
  ['a key id that is not published', async () => `Bearer ${await sign({ header: { kid: 'other' } })}`, /No key/],
  ['a type that is not JWT', async () => `Bearer ${await sign({ header: { typ: 'at+jwt' } })}`, /typ/],
  ['no type', async () => `Bearer ${await sign({ header: { typ: undefined } })}`, /typ/],
  ['a key set elsewhere', async () => `Bearer ${await sign({ header: { jku: 'https://evil.example/jwks' } })}`, /jku/],
  ['a part that was exchanged', async () => `Bearer ${await tampered()}`, /signature/],
  [
    'another’s key under the right id',
    async () => `Bearer ${await sign({ by: { ...foreignKey, kid: key.kid } })}`,
    /signature/,
  ],
  ['no issuer', async () => `Bearer ${await sign({ claims: { iss: undefined } })}`, /iss/],
  [
    'an issuer that is not registered',
    async () => `Bearer ${await sign({ claims: { iss: 'https://evil.example' } })}`,
    /not registered/,
  ],
  [
    'the issuer with a slash more',
    async () => `Bearer ${await sign({ claims: { iss: `${EHR.cds!.issuer}/` } })}`,
    /not registered/,
  ],
  [
    'another EHR’s name with one’s own key',
    async () => `Bearer ${await sign({ claims: { iss: 'https://other.example' } })}`,
    /No key/,
  ],
  [
    'an EHR that asks for no cards',
    async () => `Bearer ${await sign({ claims: { iss: 'https://paused.example' } })}`,
    /not registered/,
  ],
  ['another service’s address', async () => `Bearer ${await sign({ claims: { aud: `${ADDRESS}/feedback` } })}`, /aud/],
  [
    'the base for all addresses',
    async () => `Bearer ${await sign({ claims: { aud: 'https://sutura.example' } })}`,
    /aud/,
  ],
  [
    'several addresses',
    async () => `Bearer ${await sign({ claims: { aud: [ADDRESS, 'https://else.example'] } })}`,
    /several/,
  ],
  ['a time that is over', async () => `Bearer ${await sign({ claims: { exp: NOW_S - 11 } })}`, /expired/],
  ['a life of an hour', async () => `Bearer ${await sign({ claims: { exp: NOW_S + 3600 } })}`, /five minutes/],
  ['no end', async () => `Bearer ${await sign({ claims: { exp: undefined } })}`, /exp/],
  ['no time of signing', async () => `Bearer ${await sign({ claims: { iat: undefined } })}`, /iat/],
  ['a time of signing to come', async () => `Bearer ${await sign({ claims: { iat: NOW_S + 60 } })}`, /iat/],
  ['a time before which it does not hold', async () => `Bearer ${await sign({ claims: { nbf: NOW_S + 60 } })}`, /nbf/],
  ['no id of its own', async () => `Bearer ${await sign({ claims: { jti: undefined } })}`, /jti/],
  ['an id without end', async () => `Bearer ${await sign({ claims: { jti: 'x'.repeat(257) } })}`, /jti/],
];

describe('a call of CDS Hooks', () => {
  it.each(REFUSED)('is refused with %s, and says why without repeating it', async (_what, make, says) => {
    const fault = await ehrOf((await make()) || undefined, ADDRESS).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SuturaError);
    expect(fault).toMatchObject({ code: 'cds.token', detail: expect.stringMatching(says) as string });
    expect((fault as SuturaError).detail).not.toMatch(/evil|other\.example/);
    expect(used.size).toBe(0);
  });

  it('is refused when its token comes again, also for a moment after its end', async () => {
    const token = `Bearer ${await sign({ claims: { exp: NOW_S + 1 } })}`;
    await expect(ehrOf(token, ADDRESS)).resolves.toMatchObject({ id: EHR.id });
    await expect(ehrOf(token, ADDRESS)).rejects.toMatchObject({ code: 'cds.token' });
  });

  it('is let in once of two with one token at the same moment', async () => {
    const token = `Bearer ${await sign()}`;
    const ends = await Promise.allSettled([ehrOf(token, ADDRESS), ehrOf(token, ADDRESS)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is slowed down by its registration, whatever it proves, and no other with it', async () => {
    const ask = async (wish: Wish = {}) => ehrOf(`Bearer ${await sign(wish)}`, ADDRESS);
    let admitted = 0;
    const refusal = async (): Promise<unknown> => {
      for (; admitted < 1000; admitted += 1) await ask();
      return null;
    };
    await expect(refusal()).rejects.toMatchObject({ code: 'rate.limited', facts: { retryAfterS: 1 } });
    expect(admitted).toBeGreaterThanOrEqual(50);
    // Its token is used up: who sends it again takes no turn of the EHR.
    expect(used.size).toBe(admitted + 1);
    await expect(ask({ by: foreignKey, claims: { iss: OTHER.cds!.issuer } })).resolves.toMatchObject({ id: OTHER.id });
  });

  it('has no issuer looked up any more from where many were refused, and from elsewhere it has', async () => {
    const made = () => sign({ claims: { iss: `https://${randomUUID()}.example` } });
    const tokens = await Promise.all(Array.from({ length: 100 }, made));
    const refusals: string[] = [];
    for (const token of tokens)
      refusals.push(await ehrOf(`Bearer ${token}`, ADDRESS).then(String, ({ code }: SuturaError) => code));
    expect([...new Set(refusals)]).toEqual(['cds.token', 'rate.limited']);
    expect(asked).toBeGreaterThanOrEqual(50);
    expect(asked).toBeLessThan(tokens.length);
    await expect(ehrOf(`Bearer ${await sign()}`, ADDRESS)).rejects.toMatchObject({ code: 'rate.limited' });
    await expect(ehrOf(`Bearer ${await sign()}`, ADDRESS, undefined, '192.0.2.2')).resolves.toMatchObject({
      id: EHR.id,
    });
  });

  it('is let in by either algorithm, with the registered jku, and with one address in a list', async () => {
    for (const wish of [{}, { by: rsaKey }, { header: { jku: KEY_SET } }, { claims: { aud: [ADDRESS] } }])
      await expect(ehrOf(`Bearer ${await sign(wish)}`, ADDRESS)).resolves.toMatchObject({ id: EHR.id });
  });

  it('names its EHR only once the signature is right', async () => {
    const proven: string[] = [];
    const tell = ({ id }: Ehr) => void proven.push(id);
    await ehrOf(`Bearer ${await tampered()}`, ADDRESS, tell).catch(() => undefined);
    expect(proven).toEqual([]);
    await ehrOf(`Bearer ${await sign()}`, ADDRESS, tell);
    expect(proven).toEqual([EHR.id]);
  });
});
