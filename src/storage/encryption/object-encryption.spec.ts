import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile, copyFile, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncryptionKeys, type EncryptionMode } from '../../platform/encryption/encryption-keys.js';
import { KeyFile } from '../../platform/encryption/key-file.js';
import { BlobFolder } from '../drivers/blob-folder.js';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES } from './chunks.js';
import { HEADER_BYTES } from './object-header.js';
import { ObjectEncryption } from './object-encryption.js';

const KEY = 'images/01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f/original';
const OTHER = 'images/01997f2e-0000-7a00-8000-5b1f0c2d4e6f/original';
const FIVE_CHUNKS = randomBytes(4 * CHUNK_BYTES + 1000);

let ground: string;
let keyFile: string;
let blobs: BlobFolder;

beforeEach(async () => {
  ground = await mkdtemp(join(tmpdir(), 'sutura-encryption-'));
  keyFile = join(ground, 'keys');
  await writeFile(keyFile, lineOf('first'));
  blobs = folderOf();
});
afterEach(() => rm(ground, { recursive: true, force: true }));

const lineOf = (id: string): string => `${id} ${randomBytes(32).toString('base64')}\n`;

function folderOf(mode: EncryptionMode = 'on', path = keyFile): BlobFolder {
  return new BlobFolder(ground, new ObjectEncryption(new EncryptionKeys(new KeyFile(path), mode)));
}

async function put(objectKey: string, bytes: Uint8Array, into = blobs): Promise<string> {
  const staged = await into.stage(objectKey);
  for (let at = 0; at < bytes.length; at += 10_007) await staged.write(bytes.subarray(at, at + 10_007));
  await staged.seal();
  expect(Buffer.from(await staged.read()).equals(bytes)).toBe(true);
  await into.keep(staged, objectKey);
  return pathOf(objectKey);
}

async function pathOf(objectKey: string): Promise<string> {
  for await (const { objectKey: found, path } of blobs.list()) if (found === objectKey) return join(ground, path);
  throw new Error('No such object.');
}

async function spoil(path: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  await writeFile(path, change(await readFile(path)));
}

const chunk = (bytes: Buffer, index: number): Buffer =>
  bytes.subarray(HEADER_BYTES + index * SEALED_CHUNK_BYTES, HEADER_BYTES + (index + 1) * SEALED_CHUNK_BYTES);

describe('an object that is not as it was written is refused', () => {
  const flip = (at: number) => (bytes: Buffer) => {
    bytes[at < 0 ? bytes.length + at : at]! ^= 1;
    return bytes;
  };
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['a bit of its first chunk', flip(HEADER_BYTES + 5)],
    ['a bit of its last tag', flip(-1)],
    ['a bit of its wrapped data key', flip(8 + 60)],
    ['its last chunk cut off', (bytes) => bytes.subarray(0, HEADER_BYTES + 4 * SEALED_CHUNK_BYTES)],
    ['a byte cut off', (bytes) => bytes.subarray(0, -1)],
    ['all but its header cut off', (bytes) => bytes.subarray(0, HEADER_BYTES)],
    ['cut within its header', (bytes) => bytes.subarray(0, 30)],
    ['cut within its first word', (bytes) => bytes.subarray(0, 3)],
    ['emptied', () => Buffer.alloc(0)],
    ['a byte added', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    [
      'two chunks in each other’s place',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, HEADER_BYTES),
          chunk(bytes, 1),
          chunk(bytes, 0),
          chunk(bytes, 2),
          chunk(bytes, 3),
          chunk(bytes, 4),
        ]),
    ],
    [
      'a chunk left out',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, HEADER_BYTES),
          chunk(bytes, 0),
          chunk(bytes, 2),
          chunk(bytes, 3),
          chunk(bytes, 4),
        ]),
    ],
  ])('%s', async (_what, change) => {
    const path = await put(KEY, FIVE_CHUNKS);
    await spoil(path, change);
    await expect(blobs.read(KEY)).rejects.toMatchObject({ code: 'storage.altered' });
  });

  it('an object in the place of another', async () => {
    const [path, other] = [await put(KEY, FIVE_CHUNKS), await put(OTHER, randomBytes(100))];
    await copyFile(other, path);
    await expect(blobs.read(KEY)).rejects.toMatchObject({ code: 'storage.altered' });
  });

  it('a plain photo in its place, where encryption is required', async () => {
    const path = await put(KEY, FIVE_CHUNKS);
    await writeFile(path, Buffer.from('a photo of somebody else'));
    await expect(folderOf('required').read(KEY)).rejects.toMatchObject({ code: 'storage.altered' });
  });
});

describe('without the key', () => {
  it('nothing is read, and the missing key is named', async () => {
    await put(KEY, FIVE_CHUNKS);
    await writeFile(join(ground, 'others'), lineOf('second'));
    await expect(folderOf('on', join(ground, 'others')).read(KEY)).rejects.toMatchObject({
      code: 'storage.key_missing',
      detail: expect.stringContaining('"first"') as string,
    });
  });

  it('nor with another key under its id, which is said', async () => {
    await put(KEY, FIVE_CHUNKS);
    await writeFile(join(ground, 'others'), lineOf('first'));
    await expect(folderOf('on', join(ground, 'others')).read(KEY)).rejects.toMatchObject({
      code: 'storage.key_missing',
      detail: expect.stringContaining('another key under the id "first"') as string,
    });
  });

  it('nor with no key file at all', async () => {
    await put(KEY, FIVE_CHUNKS);
    await expect(folderOf('on', join(ground, 'none')).read(KEY)).rejects.toMatchObject({ code: 'storage.key_missing' });
  });

  it('nothing is written where encryption is required', async () => {
    await expect(folderOf('required', join(ground, 'none')).stage(KEY)).rejects.toMatchObject({
      code: 'storage.key_missing',
    });
  });
});

describe('an object at rest', () => {
  it.each([1, 100, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 17 * CHUNK_BYTES, 20 * CHUNK_BYTES + 7])(
    'of %i bytes comes back as it was, and shows nothing',
    async (size) => {
      const bytes = Buffer.alloc(size, 'JFIF and more ');
      const path = await put(KEY, bytes);
      expect((await readFile(path)).includes('JFIF')).toBe(false);
      expect(Buffer.from((await blobs.read(KEY))!).equals(bytes)).toBe(true);
      await expect(blobs.read(KEY, size - 1)).rejects.toMatchObject({ code: 'image.too_large' });
      expect(await blobs.read(KEY, size)).toHaveLength(size);
    },
  );

  it('is never plain while it is written', async () => {
    const staged = await blobs.stage(KEY);
    for (let at = 0; at < 3; at += 1) await staged.write(Buffer.alloc(CHUNK_BYTES, 'JFIF and more '));
    const [name = ''] = await readdir(join(ground, 'tmp'));
    expect((await readFile(join(ground, 'tmp', name))).includes('JFIF')).toBe(false);
    await staged.discard();
  });

  it('from before there was a key is read as it is', async () => {
    await put(KEY, FIVE_CHUNKS, new BlobFolder(ground));
    expect(Buffer.from((await blobs.read(KEY))!).equals(FIVE_CHUNKS)).toBe(true);
  });

  it('is read without encryption too, which then leaves new ones plain', async () => {
    await put(KEY, FIVE_CHUNKS);
    const off = folderOf('off');
    expect(Buffer.from((await off.read(KEY))!).equals(FIVE_CHUNKS)).toBe(true);
    expect(await readFile(await put(OTHER, FIVE_CHUNKS, off))).toEqual(FIVE_CHUNKS);
  });

  it('is read by a process that began before its key was added', async () => {
    await blobs.read(KEY);
    const older = await readFile(keyFile, 'utf8');
    await writeFile(keyFile, lineOf('second') + older);
    await put(KEY, FIVE_CHUNKS, folderOf());
    expect(Buffer.from((await blobs.read(KEY))!).equals(FIVE_CHUNKS)).toBe(true);
  });

  it('goes on being read where the key file is gone or half edited, until the process ends', async () => {
    await put(KEY, FIVE_CHUNKS);
    await truncate(keyFile, 10);
    expect(await blobs.read(KEY)).toHaveLength(FIVE_CHUNKS.length);
    await rm(keyFile);
    expect(await blobs.read(KEY)).toHaveLength(FIVE_CHUNKS.length);
  });
});
