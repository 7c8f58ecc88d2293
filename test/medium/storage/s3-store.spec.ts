import { createHash } from 'node:crypto';
import type { AnnouncedUpload } from '../../../src/core/images/image.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { connectS3, S3Store } from '../../../src/storage/drivers/s3.store.js';
import { S3Peer } from '../../peers/s3-peer.js';

const IMAGE_ID = '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f';
const FOLDER = `images/${IMAGE_ID}/`;
const KEY = `${FOLDER}original`;
const PHOTO = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5000, 7)]);
const DIGEST = createHash('sha256').update(PHOTO).digest('hex');

let peer: S3Peer;
let store: S3Store;
let now = new Date();

beforeEach(async () => {
  peer = await S3Peer.start();
  now = new Date();
  const { s3 } = readSettings(peer.environment);
  store = new S3Store(connectS3(s3), peer.bucket, { now: () => now });
});

afterEach(() => peer.stop());

function sign(announced: Partial<AnnouncedUpload> = {}, lifeS = 900) {
  return store.signUpload({
    imageId: IMAGE_ID,
    objectKey: KEY,
    announced: { contentType: null, contentLength: null, sha256: null, ...announced },
    maxBytes: 20_971_520,
    expiresAt: new Date(now.getTime() + lifeS * 1000),
  });
}

async function put(url: string, headers: Record<string, string>, body = PHOTO): Promise<number> {
  return (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;
}

describe('the store refuses a presigned upload', () => {
  test('to another object, with another method, or with its expiry moved', async () => {
    const { url, headers } = await sign();
    expect(await put(url.replace(IMAGE_ID, '01997f2e-3c1a-7a00-8000-000000000000'), headers)).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect(await put(url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604800'), headers)).toBe(403);
    expect(peer.objects.size).toBe(0);
  });

  test('after its expiry', async () => {
    now = new Date(now.getTime() - 901_000);
    const { url, headers } = await sign();
    expect(await put(url, headers)).toBe(403);
  });

  test('where the announced type, length or digest is not what is sent', async () => {
    const { url, headers } = await sign({ contentType: 'image/jpeg', contentLength: PHOTO.length, sha256: DIGEST });
    // fetch counts the body itself.
    const sendable = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Length'));
    expect(await put(url, { ...sendable, 'Content-Type': 'image/png' })).toBe(403);
    expect(await put(url, sendable, PHOTO.subarray(1))).toBe(403);
    expect(
      await put(url, { ...sendable, 'x-amz-checksum-sha256': createHash('sha256').update('other').digest('base64') }),
    ).toBe(403);
    expect(await put(url, sendable, Buffer.alloc(PHOTO.length, 9))).toBe(400);
    expect(peer.refusals).toEqual([
      'SignatureDoesNotMatch',
      'SignatureDoesNotMatch',
      'SignatureDoesNotMatch',
      'BadDigest',
    ]);
    expect(await put(url, sendable)).toBe(200);
  });

  test('of a second object under the same address', async () => {
    const { url, headers } = await sign();
    expect([await put(url, headers), await put(url, headers, Buffer.from('other'))]).toEqual([200, 412]);
    expect(peer.objects.get(KEY)?.bytes).toEqual(PHOTO);
  });
});

test('the headers to send say everything that is signed', async () => {
  expect((await sign()).headers).toEqual({ 'If-None-Match': '*' });
  const { url, headers } = await sign({ contentType: 'image/webp', contentLength: 17, sha256: DIGEST });
  expect(headers).toEqual({
    'If-None-Match': '*',
    'Content-Type': 'image/webp',
    'Content-Length': '17',
    'x-amz-checksum-sha256': Buffer.from(DIGEST, 'hex').toString('base64'),
  });
  expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')?.split(';').sort()).toEqual([
    'content-length',
    'content-type',
    'host',
    'if-none-match',
    'x-amz-checksum-sha256',
  ]);
  expect(Number(new URL(url).searchParams.get('X-Amz-Expires'))).toBe(900);
});

describe('with server-side encryption by a key of the KMS', () => {
  const encrypting = (by: 'aws:kms' | 'AES256', kmsKeyId?: string) =>
    new S3Store(
      connectS3(readSettings(peer.environment).s3),
      peer.bucket,
      { now: () => now },
      {
        conditionalPut: 'auto',
        encryption: { by, kmsKeyId },
      },
    );
  const grant = () => ({
    imageId: IMAGE_ID,
    objectKey: KEY,
    announced: { contentType: null, contentLength: null, sha256: null },
    maxBytes: 20_971_520,
    expiresAt: new Date(now.getTime() + 900_000),
  });

  beforeEach(() => {
    peer.deniesUnlessEncryptedBy = 'aws:kms';
  });

  test('a client that leaves out or changes a header of it is refused', async () => {
    const { url, headers } = await encrypting('aws:kms', 'key-1').signUpload(grant());
    const { 'x-amz-server-side-encryption': _by, ...without } = headers;
    expect(await put(url, without)).toBe(403);
    expect(await put(url, { ...headers, 'x-amz-server-side-encryption': 'AES256' })).toBe(403);
    expect(await put(url, { ...headers, 'x-amz-server-side-encryption-aws-kms-key-id': 'key-2' })).toBe(403);
    expect(peer.objects.has(KEY)).toBe(false);
    expect(await put(url, headers)).toBe(200);
    expect(peer.objects.get(KEY)?.encryption).toBe('aws:kms key-1');
  });

  test('what the gateway puts itself is encrypted so, and the trial of the bucket too', async () => {
    await encrypting('aws:kms', 'key-1').check();
    await encrypting('aws:kms').put(KEY, PHOTO, 'image/jpeg');
    expect([...peer.objects.values()].map(({ encryption }) => encryption)).toEqual(['aws:kms key-1', 'aws:kms']);
  });

  test('a bucket that wants another kind refuses what is put', async () => {
    await expect(encrypting('AES256').put(KEY, PHOTO, 'image/jpeg')).rejects.toMatchObject({
      code: 'service.unavailable',
    });
  });
});

test('an absent object is null, and one over the limit is refused', async () => {
  expect(await store.get(KEY)).toBeNull();
  await store.put(KEY, PHOTO, 'image/jpeg');
  await expect(store.get(KEY, PHOTO.length - 1)).rejects.toMatchObject({ code: 'image.too_large' });
  expect(Buffer.from((await store.get(KEY, PHOTO.length)) ?? [])).toEqual(PHOTO);
});

test('a download address works without a key, names its type and is offered as a file', async () => {
  await store.put(KEY, PHOTO, 'image/jpeg');
  const answer = await fetch((await store.signDownload(KEY, 'image/png', 60)) ?? '');
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'image/png',
    'attachment',
  ]);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PHOTO);
});

test('deleting an image deletes every page of what lies below it, and nothing else', async () => {
  const other = 'images/01997f2e-3c1a-7a00-8000-000000000000/original';
  for (const key of [KEY, ...[1, 2, 3, 4].map((job) => `${FOLDER}jobs/${job}/mask`), other])
    await store.put(key, PHOTO, 'image/png');
  await store.deleteAll(FOLDER);
  await store.deleteAll(FOLDER);
  expect([...peer.objects.keys()]).toEqual([other]);
});

test('the check fails for another bucket and for an unreachable store', async () => {
  await expect(store.check()).resolves.toBeUndefined();
  const { s3 } = readSettings(peer.environment);
  await expect(new S3Store(connectS3(s3), 'another', { now: () => now }).check()).rejects.toThrow();
  await peer.stop();
  await expect(store.check()).rejects.toThrow();
  peer = await S3Peer.start();
});

test('a full store and a failing store are named, and a wrong set-up is said once in the log', async () => {
  peer.fault = { status: 507, code: 'InsufficientStorage' };
  await expect(store.put(KEY, PHOTO, 'image/jpeg')).rejects.toMatchObject({ code: 'service.storage_full' });
  peer.fault = { status: 503, code: 'SlowDown' };
  await expect(store.get(KEY)).rejects.toMatchObject({ code: 'service.unavailable' });
  peer.fault = { status: 403, code: 'AccessDenied' };
  const lines: unknown[] = [];
  const { s3 } = readSettings(peer.environment);
  const watched = new S3Store(
    connectS3(s3),
    peer.bucket,
    { now: () => now },
    { logger: { warn: (event, fields) => void lines.push([event, fields]) } },
  );
  await expect(watched.deleteAll(FOLDER)).rejects.toMatchObject({ code: 'service.unavailable' });
  await expect(watched.get(KEY)).rejects.toMatchObject({ code: 'service.unavailable' });
  expect(lines).toEqual([['storage.refused', { reason: 'AccessDenied', status: 403, bucket: peer.bucket }]]);
  peer.fault = null;
  const elsewhere = new S3Store(connectS3(s3), 'another', { now: () => now });
  await expect(elsewhere.get(KEY)).rejects.toMatchObject({ code: 'service.unavailable' });
});

describe('with S3_CONDITIONAL_PUT=auto', () => {
  const lines: unknown[] = [];
  const auto = () => {
    lines.length = 0;
    const { s3 } = readSettings(peer.environment);
    return new S3Store(
      connectS3(s3),
      peer.bucket,
      { now: () => now },
      { conditionalPut: 'auto', logger: { warn: (event, fields) => void lines.push([event, fields]) } },
    );
  };
  const grant = () => ({
    imageId: IMAGE_ID,
    objectKey: KEY,
    announced: { contentType: null, contentLength: null, sha256: null },
    maxBytes: 20_971_520,
    expiresAt: new Date(now.getTime() + 900_000),
  });

  test('a store that knows the condition is asked for it', async () => {
    expect((await auto().signUpload(grant())).headers).toEqual({ 'If-None-Match': '*' });
    expect(lines).toEqual([]);
  });

  test('a store that refuses writes with it, as OpenStack Swift does, gets them without, and the log says so once', async () => {
    peer.conditionalPut = 'refused';
    const swift = auto();
    const { url, headers } = await swift.signUpload(grant());
    await swift.check();
    expect(headers).toEqual({});
    expect(await put(url, headers)).toBe(200);
    expect(lines).toEqual([['storage.conditional_put', { verdict: 'refused' }]]);
  });

  test('a store that ignores it is said to', async () => {
    peer.conditionalPut = 'ignored';
    expect((await auto().signUpload(grant())).headers).toEqual({ 'If-None-Match': '*' });
    expect(lines).toEqual([['storage.conditional_put', { verdict: 'ignored' }]]);
  });

  test('a trial without a verdict is made again', async () => {
    const store = auto();
    peer.fault = { status: 503, code: 'SlowDown' };
    await expect(store.signUpload(grant())).rejects.toMatchObject({ code: 'service.unavailable' });
    peer.fault = null;
    expect((await store.signUpload(grant())).headers).toEqual({ 'If-None-Match': '*' });
  });
});

test('clients are sent to S3_PUBLIC_ENDPOINT, while the gateway goes its own way', async () => {
  const { s3 } = readSettings({
    ...peer.environment,
    S3_PUBLIC_ENDPOINT: peer.endpoint.replace('127.0.0.1', 'localhost'),
  });
  const split = new S3Store(
    connectS3(s3),
    peer.bucket,
    { now: () => now },
    { publicClient: connectS3(s3, s3.publicEndpoint) },
  );
  const { url, headers } = await split.signUpload({
    imageId: IMAGE_ID,
    objectKey: KEY,
    announced: { contentType: null, contentLength: null, sha256: null },
    maxBytes: 20_971_520,
    expiresAt: new Date(now.getTime() + 900_000),
  });
  expect(new URL(url).hostname).toBe('localhost');
  expect(await put(url, headers)).toBe(200);
  expect(Buffer.from((await split.get(KEY)) ?? [])).toEqual(PHOTO);
  expect(new URL(await split.signDownload(KEY, 'image/jpeg', 60)).hostname).toBe('localhost');
});
