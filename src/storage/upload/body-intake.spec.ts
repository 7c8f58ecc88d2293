import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { takeBody } from './body-intake.js';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 7)]);
const LIMITS = { maxBytes: 1000, idleMs: 30_000, announcedBytes: null };
const written: Buffer[] = [];
const write = (chunk: Uint8Array): Promise<void> => {
  written.push(Buffer.from(chunk));
  return Promise.resolve();
};

beforeEach(() => {
  written.length = 0;
});

test('a silent sender is given up, and what it sends later harms nobody', async () => {
  const body = new PassThrough();
  body.write(JPEG);
  await expect(takeBody(body, { ...LIMITS, idleMs: 20 }, write)).rejects.toMatchObject({ code: 'request.timeout' });
  expect(body.destroyed).toBe(false);
  body.end(JPEG);
});

test('a broken stream is incomplete', async () => {
  const body = new PassThrough();
  body.write(JPEG);
  const taking = takeBody(body, LIMITS, write);
  body.destroy(new Error('aborted'));
  await expect(taking).rejects.toMatchObject({ code: 'upload.incomplete' });
});

test('nothing beyond the limit is written, and the stream is left open for the answer', async () => {
  const body = new PassThrough();
  body.write(JPEG);
  body.write(JPEG);
  await expect(takeBody(body, LIMITS, write)).rejects.toMatchObject({ code: 'image.too_large' });
  expect(Buffer.concat(written).length).toBeLessThanOrEqual(LIMITS.maxBytes);
  expect(body.destroyed).toBe(false);
});

test.each([
  ['more', JPEG.length - 1, `The body has more than the ${JPEG.length - 1} bytes`],
  ['fewer', JPEG.length + 1, `The body has ${JPEG.length} bytes, and ${JPEG.length + 1}`],
])('%s bytes than announced are counted and refused', async (_, announcedBytes, said) => {
  const taking = takeBody(
    Readable.from([JPEG.subarray(0, 100), JPEG.subarray(100)]),
    { ...LIMITS, announcedBytes },
    write,
  );
  await expect(taking).rejects.toMatchObject({ code: 'upload.signature', detail: expect.stringContaining(said) });
  expect(Buffer.concat(written).length).toBeLessThanOrEqual(announcedBytes);
});

test('nothing of an unknown format is written once 12 bytes are there', async () => {
  const body = new PassThrough();
  body.write('GIF89a and more');
  await expect(takeBody(body, LIMITS, write)).rejects.toMatchObject({ code: 'image.type' });
  expect(written).toEqual([]);
});

test('a fault of the writer is its own', async () => {
  await expect(takeBody(Readable.from([JPEG]), LIMITS, () => Promise.reject(new Error('disk')))).rejects.toThrow(
    'disk',
  );
});

test.each([1, 3, 12, 13, 600])('size, digest and head are right in chunks of %i bytes', async (step) => {
  const chunks = Array.from({ length: Math.ceil(JPEG.length / step) }, (_, index) =>
    JPEG.subarray(index * step, (index + 1) * step),
  );
  const intake = await takeBody(Readable.from(chunks), LIMITS, write);
  expect(intake).toMatchObject({ sizeBytes: JPEG.length, sha256: createHash('sha256').update(JPEG).digest('hex') });
  expect(Buffer.from(intake.head)).toEqual(JPEG.subarray(0, 12));
  expect(Buffer.concat(written)).toEqual(JPEG);
});
