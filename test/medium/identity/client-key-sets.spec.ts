import { BlockList } from 'node:net';
import { jwtVerify } from 'jose';
import { ClientKeySets } from '../../../src/identity/smart/client-key-sets.js';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { ImageHost, type Answering } from '../../support/image-host.js';
import { makeClientKey, signAssertion, type ClientKey } from '../../support/smart-client.js';

const HOST = 'keys.example.org';
const AUDIENCE = 'https://sutura.example.org/auth/token';

describe('the keys of a client at an address', () => {
  let host: ImageHost;
  let key: ClientKey;
  let nowMs = 0;

  beforeAll(async () => {
    host = await ImageHost.start([HOST]);
    key = await makeClientKey('ES384', 'first');
  });

  beforeEach(() => {
    nowMs = Date.now();
    host.requested.length = 0;
  });

  afterAll(() => host.close());

  const setsWithin = (opened: BlockList) =>
    new ClientKeySets(
      {
        guard: new AddressGuard(opened, () => Promise.resolve(['127.0.0.1'])),
        timeoutMs: 2000,
        limitBytes: 4096,
        ca: host.ca,
      },
      { now: () => new Date(nowMs) },
      Logger.create('silent'),
    );
  const opened = () => setsWithin(networksOf(['127.0.0.0/8']));
  const serve = (keys: readonly unknown[], headers: Record<string, string> = {}): Answering => {
    return (_, response) => void response.writeHead(200, headers).end(JSON.stringify({ keys }));
  };
  const verify = async (sets: ClientKeySets, by = key): Promise<string> => {
    const client = { id: 'client', keys: { kind: 'address', url: `https://${HOST}:${host.port}/jwks.json` } } as const;
    const assertion = await signAssertion('client', AUDIENCE, by);
    return jwtVerify(assertion, sets.of(client)).then(
      () => 'verified',
      (fault: { code?: string }) => fault.code ?? 'other',
    );
  };

  it('are not asked for in a network that the operator has not opened', async () => {
    host.answer = serve([key.publicJwk]);
    expect([await verify(setsWithin(new BlockList())), host.requested]).toEqual(['ERR_JWKS_NO_MATCHING_KEY', []]);
  });

  it.each<[string, Answering]>([
    ['redirects', (_, response) => void response.writeHead(302, { location: `https://${HOST}/other` }).end()],
    ['refuses', (_, response) => void response.writeHead(500).end()],
    ['answers with no JSON', (_, response) => void response.writeHead(200).end('<html>')],
    ['answers with another JSON', (_, response) => void response.writeHead(200).end('{"keys":7}')],
    ['never stops', (_, response) => void response.writeHead(200).end('['.repeat(10_000))],
    [
      'ends early',
      (_, response) => void response.writeHead(200, { 'content-length': '500' }).write('{', () => response.destroy()),
    ],
  ])('are none where it %s', async (_, answer) => {
    host.answer = answer;
    expect(await verify(opened())).toBe('ERR_JWKS_NO_MATCHING_KEY');
  });

  it('are taken from among others that cannot be used', async () => {
    host.answer = serve([
      { kty: 'oct', k: 'AAAA', kid: 'secret' },
      null,
      { ...key.publicJwk, kid: 'private', d: 'AA' },
      key.publicJwk,
    ]);
    expect(await verify(opened())).toBe('verified');
  });

  it('are kept as long as the address says, and no shorter than a minute', async () => {
    host.answer = serve([key.publicJwk], { 'cache-control': 'public, max-age=120' });
    const sets = opened();
    for (const [laterMs, asked] of [
      [0, 1],
      [119_000, 1],
      [2000, 2],
    ] as const) {
      nowMs += laterMs;
      expect([await verify(sets), host.requested.length]).toEqual(['verified', asked]);
    }
    host.answer = serve([key.publicJwk], { 'cache-control': 'no-store, max-age=0' });
    nowMs += 121_000;
    expect([await verify(sets), await verify(sets), host.requested.length]).toEqual(['verified', 'verified', 3]);
  });

  it('are asked for again where a new kid appears, but not for each forged one', async () => {
    const next = await makeClientKey('ES384', 'second');
    host.answer = serve([key.publicJwk], { 'cache-control': 'max-age=3600' });
    const sets = opened();
    expect(await verify(sets)).toBe('verified');
    host.answer = serve([key.publicJwk, next.publicJwk]);
    expect([await verify(sets, next), host.requested.length]).toEqual(['ERR_JWKS_NO_MATCHING_KEY', 1]);
    nowMs += 11_000;
    expect([await verify(sets, next), host.requested.length]).toEqual(['verified', 2]);
    const forged = await makeClientKey('ES384', 'forged');
    for (let times = 0; times < 5; times += 1) expect(await verify(sets, forged)).toBe('ERR_JWKS_NO_MATCHING_KEY');
    expect(host.requested.length).toBe(2);
  });

  it('are asked for once by requests that come together', async () => {
    host.answer = serve([key.publicJwk]);
    const sets = opened();
    expect(await Promise.all(Array.from({ length: 10 }, () => verify(sets)))).toEqual(Array(10).fill('verified'));
    expect(host.requested.length).toBe(1);
  });
});
