import { createHash, randomBytes } from 'node:crypto';
import { eventually } from '../../support/eventually.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { SlowRequest, type Answer } from './slow-request.js';
import { MAX_BYTES, UploadGround } from './upload-ground.js';

let ground: UploadGround;
let photo: Buffer;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const put = (url: URL, body: Uint8Array, headers: Record<string, string> = {}): Promise<Answer> =>
  new SlowRequest(url, 'PUT', { 'content-length': String(body.length), ...headers }).end(body);

beforeAll(async () => {
  [ground, photo] = await Promise.all([UploadGround.open(), drawWoundPhoto({ width: 160, height: 120 })]);
});

afterAll(() => ground.close());

afterEach(async () => {
  await eventually('nothing temporary remains', async () => (await ground.leftovers()).length === 0);
});

async function expectNothingStored(imageId: string): Promise<void> {
  expect(await ground.image(imageId)).toMatchObject({ status: 'awaiting_upload', sha256: null });
  expect(await ground.storedBytes(imageId)).toBeNull();
}

describe('an upload is refused', () => {
  test.each(['version', 'expiresMs', 'maxBytes', 'signature'])('as a bad request where %s is missing', async (name) => {
    const { imageId, url } = await ground.ticket();
    url.searchParams.delete(name);
    expect(await put(url, photo)).toMatchObject({ status: 400, code: 'upload.signature' });
    await expectNothingStored(imageId);
  });

  test('with a forged signature, for another image, and with anything changed', async () => {
    const { imageId, url } = await ground.ticket();
    const other = await ground.ticket();
    const forged = new URL(url);
    forged.searchParams.set('signature', randomBytes(32).toString('base64url'));
    const elsewhere = new URL(url.href.replace(imageId, other.imageId));
    const larger = new URL(url);
    larger.searchParams.set('maxBytes', '999999999');
    for (const address of [forged, elsewhere, larger])
      expect(await put(address, photo)).toMatchObject({ status: 403, code: 'upload.signature' });
    await expectNothingStored(imageId);
    await expectNothingStored(other.imageId);
  });

  test.each(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])('with the method %s', async (method) => {
    const { url } = await ground.ticket();
    expect(await fetch(url, { method })).toMatchObject({ status: 403 });
  });

  test('with an API key in place of a signature', async () => {
    const { url } = await ground.ticket();
    expect(
      await put(new URL(url.pathname, url), photo, { authorization: `Bearer sut_test_${'0'.repeat(38)}` }),
    ).toMatchObject({ status: 400, code: 'upload.signature' });
  });

  test('after its expiry', async () => {
    const { imageId, url } = await ground.ticket();
    expect(await put(await ground.expire(imageId, url), photo)).toMatchObject({ status: 410, code: 'upload.expired' });
    await expectNothingStored(imageId);
  });

  test('where the announced type or length is not what is sent', async () => {
    const { imageId, url, headers } = await ground.ticket({ contentType: 'image/jpeg', contentLength: photo.length });
    expect(headers).toEqual({ 'Content-Type': 'image/jpeg', 'Content-Length': String(photo.length) });
    expect(await put(url, photo)).toMatchObject({ status: 400, code: 'upload.signature' });
    expect(await put(url, photo, { 'content-type': 'image/png' })).toMatchObject({
      status: 403,
      code: 'upload.signature',
    });
    expect(await put(url, photo.subarray(1), { 'content-type': 'image/jpeg' })).toMatchObject({
      status: 403,
      code: 'upload.signature',
    });
    const inChunks = { 'content-type': 'image/jpeg', 'transfer-encoding': 'chunked' };
    expect(await new SlowRequest(url, 'PUT', inChunks).end(photo.subarray(0, -1))).toMatchObject({
      status: 403,
      code: 'upload.signature',
    });
    await expectNothingStored(imageId);
    expect((await put(url, photo, { 'content-type': 'IMAGE/JPEG; charset=binary' })).status).toBe(200);
  });

  test('at once where Content-Length is over the limit', async () => {
    const { imageId, url } = await ground.ticket();
    const upload = new SlowRequest(url, 'PUT', { 'content-length': String(MAX_BYTES + 1) });
    await upload.send(photo);
    expect(await upload.answer).toMatchObject({ status: 413, code: 'image.too_large' });
    await upload.closed;
    await expectNothingStored(imageId);
  });

  test('at the limit where no length was given, though the sender never ends', async () => {
    const { imageId, url } = await ground.ticket();
    const upload = new SlowRequest(url, 'PUT', { 'transfer-encoding': 'chunked' });
    let answered = false;
    void upload.answer.finally(() => (answered = true)).catch(() => undefined);
    await upload.send(photo);
    while (!answered) await upload.send(Buffer.alloc(64 * 1024)).catch(() => undefined);
    expect(await upload.answer).toMatchObject({ status: 413, code: 'image.too_large' });
    await upload.closed;
    await expectNothingStored(imageId);
  });

  test('where the body is empty, with and without a length', async () => {
    const { imageId, url } = await ground.ticket();
    expect(await put(url, Buffer.alloc(0))).toMatchObject({ status: 415, code: 'image.type' });
    expect(await new SlowRequest(url, 'PUT', { 'transfer-encoding': 'chunked' }).end()).toMatchObject({
      status: 415,
      code: 'image.type',
    });
    await expectNothingStored(imageId);
  });

  test.each([
    ['text', Buffer.from('not a picture at all')],
    ['less than a signature', Buffer.from([0xff, 0xd8])],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['PDF', Buffer.from('%PDF-1.7 and more')],
    ['ZIP', Buffer.from('PK\u0003\u0004 and more than that')],
    ['GIF', Buffer.from('GIF89a and more of it')],
    ['TIFF', Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0, 0, 0])],
    ['HEIC', Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0')],
    ['RIFF that is no WebP', Buffer.from('RIFF\u0010\0\0\0WAVEfmt ')],
  ])('by its first bytes where it is %s, whatever its header says', async (_, bytes) => {
    const { imageId, url } = await ground.ticket();
    expect(await put(url, bytes, { 'content-type': 'image/jpeg' })).toMatchObject({ status: 415, code: 'image.type' });
    await expectNothingStored(imageId);
  });

  test('by its first bytes before the rest has come', async () => {
    const { url } = await ground.ticket();
    const upload = new SlowRequest(url, 'PUT', { 'content-length': '100000' });
    await upload.send(Buffer.from('GIF89a and m'));
    expect(await upload.answer).toMatchObject({ status: 415, code: 'image.type' });
  });

  test('where the digest is not the announced one, and may be repeated', async () => {
    const { imageId, url } = await ground.ticket({ sha256: sha256(photo) });
    expect(await put(url, Buffer.concat([photo, Buffer.from([0])]))).toMatchObject({
      status: 400,
      code: 'upload.digest',
    });
    await expectNothingStored(imageId);
    expect((await put(url, photo)).status).toBe(200);
  });

  test('where the connection breaks off, and may be repeated', async () => {
    const { imageId, url } = await ground.ticket();
    const upload = new SlowRequest(url, 'PUT', { 'content-length': String(photo.length) });
    await upload.send(photo.subarray(0, 500));
    await eventually('the upload has begun', async () => (await ground.leftovers()).length === 1);
    upload.client.destroy();
    await upload.closed;
    await eventually('the half upload is gone', async () => (await ground.leftovers()).length === 0);
    await expectNothingStored(imageId);
    expect((await put(url, photo)).status).toBe(200);
  });

  test('with other bytes than the ones that are stored', async () => {
    const { imageId, url } = await ground.ticket();
    expect((await put(url, photo)).status).toBe(200);
    expect(await put(url, Buffer.concat([photo, Buffer.from([0])]))).toMatchObject({
      status: 409,
      code: 'image.already_uploaded',
    });
    expect(await ground.image(imageId)).toMatchObject({ sha256: sha256(photo) });
  });

  test('packed by a content encoding', async () => {
    const { url } = await ground.ticket();
    expect(await put(url, photo, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
      code: 'request.content_type',
    });
  });
});

describe('an upload is stored', () => {
  test.each([
    ['as JPEG', {}],
    ['as a form, as curl names it', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['as JSON, by its header', { 'content-type': 'application/json' }],
    ['under a type that is none', { 'content-type': 'nonsense' }],
  ])('%s: header and answer', async (_, headers) => {
    const { imageId, url } = await ground.ticket();
    const answer = await put(url, photo, headers as Record<string, string>);
    expect(answer).toMatchObject({ status: 200, code: null, headers: { etag: `"${sha256(photo)}"` } });
    expect(await ground.image(imageId)).toMatchObject({
      status: 'stored',
      sha256: sha256(photo),
      size_bytes: String(photo.length),
    });
    expect(Buffer.from((await ground.storedBytes(imageId)) ?? [])).toEqual(photo);
  });

  test('without a length, byte by byte at first', async () => {
    const { imageId, url } = await ground.ticket();
    const upload = new SlowRequest(url, 'PUT', { 'transfer-encoding': 'chunked' });
    for (let at = 0; at < 20; at += 1) await upload.send(photo.subarray(at, at + 1));
    expect((await upload.end(photo.subarray(20))).status).toBe(200);
    expect(await ground.image(imageId)).toMatchObject({ status: 'stored', sha256: sha256(photo) });
  });

  test('up to exactly the limit', async () => {
    const { url } = await ground.ticket();
    expect((await put(url, Buffer.concat([photo, Buffer.alloc(MAX_BYTES - photo.length)]))).status).toBe(200);
  });

  test('once, however often and however simultaneously the same bytes come', async () => {
    const { imageId, url } = await ground.ticket();
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(url, photo)));
    answers.push(await put(url, photo));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await ground.image(imageId)).toMatchObject({ status: 'stored', sha256: sha256(photo) });
  });

  test('on a connection that is used again afterwards', async () => {
    const first = await ground.ticket();
    const second = await ground.ticket();
    expect((await fetch(first.url, { method: 'PUT', body: 'no picture, but short' })).status).toBe(415);
    expect((await fetch(second.url, { method: 'PUT', body: new Uint8Array(photo) })).status).toBe(200);
  });
});

test('no signature reaches the log', async () => {
  const { url } = await ground.ticket();
  await put(url, Buffer.from('not a picture at all'));
  await fetch(url);
  const signature = url.searchParams.get('signature') ?? 'none';
  expect(ground.logLines.join('\n')).not.toContain(signature);
});
