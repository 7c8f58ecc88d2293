import type { UploadGrant } from '../../core/images/object-store.js';
import { UploadSigner, type UploadQuery } from './upload-signer.js';

const IMAGE_ID = '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f';
const secrets = new Map([[1, Buffer.alloc(32, 1)]]);
const signer = new UploadSigner(
  {
    current: () =>
      Promise.resolve(
        [...secrets].map(([version, secret]) => ({ version, secret })).at(-1) as { version: number; secret: Buffer },
      ),
    find: (_, version) =>
      Promise.resolve(secrets.has(version) ? { version, secret: secrets.get(version) as Buffer } : null),
  },
  { url: 'https://sutura.example/base' },
);

const GRANT: UploadGrant = {
  imageId: IMAGE_ID,
  objectKey: `images/${IMAGE_ID}/original`,
  announced: { contentType: 'image/jpeg', contentLength: 1234, sha256: null },
  maxBytes: 20_971_520,
  expiresAt: new Date('2026-01-05T08:30:00.123Z'),
};

async function signedQuery(grant = GRANT): Promise<Record<string, string>> {
  return Object.fromEntries(new URL((await signer.sign(grant)).url).searchParams);
}

const without = (name: string, query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([other]) => other !== name));

const refusal = (query: UploadQuery, imageId = IMAGE_ID): Promise<[string, string]> =>
  signer.verify(imageId, query).then(
    () => ['accepted', ''],
    (error: { code: string; kind: string }) => [error.code, error.kind],
  );

describe('a signed address is refused', () => {
  test.each(['version', 'expiresMs', 'maxBytes', 'signature'])('as a bad request without %s', async (name) => {
    const rest = without(name, await signedQuery());
    expect(await refusal(rest)).toEqual(['upload.signature', 'bad_request']);
    expect(await refusal({ ...rest, [name]: '' })).toEqual(['upload.signature', 'bad_request']);
  });

  test.each([
    ['a later expiry', { expiresMs: '1799999999999' }],
    ['a higher limit', { maxBytes: '99999999' }],
    ['another type', { contentType: 'image/png' }],
    ['another length', { contentLength: '1235' }],
    ['another secret', { version: '2' }],
    ['no number where one belongs', { maxBytes: '1e9' }],
    ['a negative number', { expiresMs: '-1' }],
    ['a leading zero', { maxBytes: '020971520' }],
    ['something added', { method: 'GET' }],
    ['a repeated name', { maxBytes: ['20971520', '1'] }],
    ['another signature', { signature: 'A'.repeat(43) }],
    ['a signature that is cut off', { signature: 'AAAA' }],
  ])('as forbidden with %s', async (_, change) => {
    expect(await refusal({ ...(await signedQuery()), ...change })).toEqual(['upload.signature', 'forbidden']);
  });

  test.each(['contentType', 'contentLength'])('as forbidden where the signed %s was taken out', async (name) => {
    expect(await refusal(without(name, await signedQuery()))).toEqual(['upload.signature', 'forbidden']);
  });

  test('as forbidden for another image', async () => {
    expect(await refusal(await signedQuery(), '01997f2e-3c1a-7a00-8000-000000000000')).toEqual([
      'upload.signature',
      'forbidden',
    ]);
  });
});

test('the address says what is signed, and the headers what must be sent', async () => {
  const { url, headers } = await signer.sign(GRANT);
  expect(url.startsWith(`https://sutura.example/base/storage/uploads/${IMAGE_ID}?`)).toBe(true);
  expect(headers).toEqual({ 'Content-Type': 'image/jpeg', 'Content-Length': '1234' });
  expect(await signer.verify(IMAGE_ID, await signedQuery())).toEqual({
    imageId: IMAGE_ID,
    expiresMs: GRANT.expiresAt.getTime(),
    maxBytes: 20_971_520,
    contentType: 'image/jpeg',
    contentLength: 1234,
  });
});

test('what was not announced is neither signed nor asked for', async () => {
  const grant = { ...GRANT, announced: { contentType: null, contentLength: null, sha256: null } };
  expect((await signer.sign(grant)).headers).toEqual({});
  expect(await signer.verify(IMAGE_ID, await signedQuery(grant))).toMatchObject({
    contentType: null,
    contentLength: null,
  });
});

test('an address that an older secret signed stays good after a rotation', async () => {
  const old = await signedQuery();
  secrets.set(2, Buffer.alloc(32, 2));
  const fresh = await signedQuery();
  expect([old['version'], fresh['version']]).toEqual(['1', '2']);
  expect([await refusal(old), await refusal(fresh)]).toEqual([
    ['accepted', ''],
    ['accepted', ''],
  ]);
});
