import type { ApiKeyRepository } from '../../core/organizations/api-key.repository.js';
import type { ApiKeyRecord } from '../../core/tenancy/api-key.js';
import { Logger } from '../../platform/logging/logger.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { composeKeyText, digestOfKey } from './key-text.js';

const KEY = composeKeyText('test', 'a'.repeat(32));
const ADDRESS = '10.1.2.3';
const RECORD: ApiKeyRecord = {
  id: 'key-1',
  organizationId: 'organization-1',
  environment: 'test',
  prefix: 'sut_test_aaa',
  lastFour: KEY.slice(-4),
  scopes: ['analysis:read'],
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUsedAt: null,
  allowedNetworks: [],
  namesPersons: false,
};

class Bench {
  nowMs = 1_000_000;
  lookUps = 0;
  touches = 0;
  stored: ApiKeyRecord | null = RECORD;
  notify: () => void = () => undefined;
  beforeAnswer: () => Promise<void> = () => Promise.resolve();

  readonly repository = {
    findByDigest: async (sha256: Uint8Array) => {
      this.lookUps += 1;
      const found = Buffer.from(sha256).equals(digestOfKey(KEY)) ? this.stored : null;
      await this.beforeAnswer();
      return found;
    },
    touch: () => {
      this.touches += 1;
      return Promise.reject(new Error('the database is away'));
    },
  } as unknown as ApiKeyRepository;

  readonly authenticator = new KeyAuthenticator(
    this.repository,
    { now: () => new Date(this.nowMs) },
    Logger.create('silent'),
    {
      on: (_, handler) => {
        this.notify = () => handler('');
        return () => undefined;
      },
    },
    { authenticate: () => Promise.reject(new Error('no token was sent')) },
  );

  refusal(text: string | null, address = ADDRESS): Promise<string> {
    return this.authenticator.authenticate(text, address).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  }
}

let bench: Bench;

beforeEach(() => {
  bench = new Bench();
});

test('refuses a missing key', async () => {
  expect([await bench.refusal(null), await bench.refusal('')]).toEqual(['auth.missing', 'auth.missing']);
});

test('refuses a mistyped key without asking the database', async () => {
  expect(await bench.refusal(`${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`)).toBe('auth.invalid');
  expect(bench.lookUps).toBe(0);
});

test('refuses an unknown key, and finds it as soon as it exists', async () => {
  bench.stored = null;
  expect(await bench.refusal(KEY)).toBe('auth.invalid');
  bench.stored = RECORD;
  expect(await bench.refusal(KEY)).toBe('accepted');
});

test('refuses a revoked key, even where the database clock is ahead of ours', async () => {
  bench.stored = { ...RECORD, revokedAt: new Date(bench.nowMs + 5000) };
  expect(await bench.refusal(KEY)).toBe('auth.revoked');
});

test('refuses a key from the moment it expires, cached or not', async () => {
  bench.stored = { ...RECORD, expiresAt: new Date(bench.nowMs + 1000) };
  expect(await bench.refusal(KEY)).toBe('accepted');
  bench.nowMs += 1000;
  expect(await bench.refusal(KEY)).toBe('auth.expired');
  expect(bench.lookUps).toBe(1);
});

test('refuses a key revoked elsewhere within 4 seconds though no notification came', async () => {
  expect(await bench.refusal(KEY)).toBe('accepted');
  bench.stored = { ...RECORD, revokedAt: new Date(bench.nowMs) };
  bench.nowMs += 3999;
  expect(await bench.refusal(KEY)).toBe('accepted');
  bench.nowMs += 1;
  expect(await bench.refusal(KEY)).toBe('auth.revoked');
});

test('refuses a revoked key at once when the notification comes', async () => {
  expect(await bench.refusal(KEY)).toBe('accepted');
  bench.stored = { ...RECORD, revokedAt: new Date(bench.nowMs) };
  bench.notify();
  expect(await bench.refusal(KEY)).toBe('auth.revoked');
});

test('does not keep an answer that was read before the notification', async () => {
  let release: () => void = () => undefined;
  bench.beforeAnswer = () => new Promise((resolve) => (release = resolve));
  const early = bench.refusal(KEY);
  bench.stored = { ...RECORD, revokedAt: new Date(bench.nowMs) };
  bench.notify();
  release();
  expect(await early).toBe('accepted');
  bench.beforeAnswer = () => Promise.resolve();
  expect(await bench.refusal(KEY)).toBe('auth.revoked');
});

test.each([
  ['another network', '10.2.0.1'],
  ['another network of IPv6', '2001:db8:2::1'],
  ['an address within IPv6 of another network', '::ffff:10.2.0.1'],
  ['no address', ''],
])('refuses a key that is bound to networks, from %s', async (_, address) => {
  bench.stored = { ...RECORD, allowedNetworks: ['10.1.0.0/16', '2001:db8:1::/48'] };
  expect(await bench.refusal(KEY, address)).toBe('auth.network');
});

test.each(['10.1.255.1', '::ffff:10.1.2.3', '2001:db8:1::7'])(
  'takes a key that is bound to networks from %s',
  async (address) => {
    bench.stored = { ...RECORD, allowedNetworks: ['10.1.0.0/16', '2001:db8:1::/48'] };
    expect(await bench.refusal(KEY, address)).toBe('accepted');
  },
);

test('answers with the tenant, the key and its scopes', async () => {
  expect(await bench.authenticator.authenticate(KEY, ADDRESS)).toEqual({
    keyId: 'key-1',
    organizationId: 'organization-1',
    environment: 'test',
    scopes: ['analysis:read'],
  });
});

test('asks the database once for many simultaneous requests', async () => {
  await Promise.all(Array.from({ length: 50 }, () => bench.refusal(KEY)));
  expect(bench.lookUps).toBe(1);
});

test('notes the use of a key at most once a minute, and a failure to do so refuses nobody', async () => {
  for (let second = 0; second < 60; second += 1) {
    expect(await bench.refusal(KEY)).toBe('accepted');
    bench.nowMs += 1000;
  }
  expect(bench.touches).toBe(1);
  await bench.refusal(KEY);
  expect(bench.touches).toBe(2);
});
