import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile, copyFile, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncryptionKeys, type EncryptionMode } from '../../../src/platform/encryption/encryption-keys.js';
import { KeyFile } from '../../../src/platform/encryption/key-file.js';
import { encryptionKey } from '../../../src/platform/encryption/key-ring.js';
import { BlobFolder } from '../../../src/storage/drivers/blob-folder.js';
import { readKeyUsage } from '../../../src/storage/drivers/key-change.js';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES } from '../../../src/storage/encryption/chunks.js';
import { HEADER_BYTES } from '../../../src/storage/encryption/object-header.js';
import { ObjectEncryption } from '../../../src/storage/encryption/object-encryption.js';

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
    ['its last chunk twice', (bytes) => Buffer.concat([bytes, chunk(bytes, 4)])],
    ['a whole chunk of its own added', (bytes) => Buffer.concat([bytes, chunk(bytes, 0)])],
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

describe('one bit that is not as it was written', () => {
  const FIRST_PLACE = 8;
  const chunkAt = (index: number): number => HEADER_BYTES + index * SEALED_CHUNK_BYTES;
  const flipped = async (at: number): Promise<void> => {
    const path = await put(KEY, FIVE_CHUNKS);
    await spoil(path, (bytes) => {
      bytes[at]! ^= 1 << (at % 8);
      return bytes;
    });
  };

  it.each([
    ['in the first word', 0],
    ['at the end of the first word', 5],
    ['in the zero behind it', 6],
    ['in the version', 7],
    ['in the id of the key', FIRST_PLACE],
    ['behind the id of the key', FIRST_PLACE + 20],
    ['in the fingerprint', FIRST_PLACE + 24],
    ['in the generation', FIRST_PLACE + 32],
    ['at the end of the generation', FIRST_PLACE + 35],
    ['in the IV', FIRST_PLACE + 36],
    ['in the wrapped key', FIRST_PLACE + 48],
    ['in the tag of the wrapped key', FIRST_PLACE + 80],
    ['in the first chunk', chunkAt(0)],
    ['in the tag of the first chunk', chunkAt(1) - 1],
    ['in a chunk between', chunkAt(2) + 300],
    ['in the tag of a chunk between', chunkAt(3) - 16],
    ['in the last chunk', chunkAt(4) + 999],
    ['in the last tag', chunkAt(4) + 1000],
  ])('%s is found', async (_where, at) => {
    await flipped(at);
    const code = expect.stringMatching(/^storage\.(altered|key_missing)$/) as string;
    await expect(blobs.read(KEY)).rejects.toMatchObject({ code });
  });

  it('in the empty place of the header harms nobody', async () => {
    await flipped(FIRST_PLACE + 96 + 40);
    expect(Buffer.from((await blobs.read(KEY))!).equals(FIVE_CHUNKS)).toBe(true);
  });

  it('nor one that makes the empty place look newer than the other, whose key is still named', async () => {
    await flipped(FIRST_PLACE + 96 + 33);
    expect(Buffer.from((await blobs.read(KEY))!).equals(FIVE_CHUNKS)).toBe(true);
    expect(await readKeyUsage(blobs)).toEqual({ byKey: { first: 1 }, plain: 0, altered: [] });
  });
});

describe('a header that is not of this object', () => {
  const headerOfFile = (bytes: Buffer): Buffer => bytes.subarray(0, HEADER_BYTES);
  const codeOf = async (path: string, change: (bytes: Buffer) => Buffer): Promise<unknown> => {
    await spoil(path, change);
    return blobs.read(KEY).then(
      () => 'read',
      (fault: { code?: unknown }) => fault.code,
    );
  };

  it.each([0, 2, 255])('of version %i is no plain photo: it is refused', async (version) => {
    const path = await put(KEY, FIVE_CHUNKS);
    const code = await codeOf(path, (bytes) => {
      bytes[7] = version;
      return bytes;
    });
    expect(code).toBe('storage.altered');
    expect(await readKeyUsage(blobs)).toEqual({ byKey: {}, plain: 0, altered: [KEY] });
  });

  it('but of another opens neither that one’s bytes nor its own', async () => {
    const [path, other] = [await put(KEY, FIVE_CHUNKS), await put(OTHER, randomBytes(FIVE_CHUNKS.length))];
    const theirs = await readFile(other);
    const withTheirs = (bytes: Buffer) => Buffer.concat([headerOfFile(theirs), bytes.subarray(HEADER_BYTES)]);
    const ofTheirs = (bytes: Buffer) => Buffer.concat([headerOfFile(bytes), theirs.subarray(HEADER_BYTES)]);
    const own = await readFile(path);
    expect(await codeOf(path, withTheirs)).toBe('storage.altered');
    await writeFile(path, own);
    expect(await codeOf(path, ofTheirs)).toBe('storage.altered');
  });

  it('that names another key of the file, by its fingerprint or not, opens nothing', async () => {
    const second = randomBytes(32);
    await writeFile(keyFile, `first ${randomBytes(32).toString('base64')}\nother ${second.toString('base64')}\n`);
    const path = await put(KEY, FIVE_CHUNKS);
    const named = (bytes: Buffer) => {
      bytes.fill(0, 8, 8 + 24);
      bytes.write('other', 8);
      return bytes;
    };
    expect(await codeOf(path, named)).toBe('storage.key_missing');
    const { fingerprint } = encryptionKey('other', second);
    expect(await codeOf(path, (bytes) => Buffer.from(named(bytes).fill(fingerprint, 32, 40)))).toBe('storage.altered');
  });

  it('that was torn while a new key was written into it still names the key that opens it', async () => {
    const path = await put(KEY, FIVE_CHUNKS);
    await spoil(path, (bytes) => {
      bytes.copy(bytes, 8 + 96, 8, 8 + 60);
      bytes.write('newer', 8 + 96);
      bytes.writeUInt32BE(2, 8 + 96 + 32);
      return bytes;
    });
    expect(Buffer.from((await blobs.read(KEY))!).equals(FIVE_CHUNKS)).toBe(true);
    expect(await readKeyUsage(blobs)).toEqual({ byKey: { first: 1 }, plain: 0, altered: [] });
  });
});

describe('without the key', () => {
  it('what needs it is counted under its id', async () => {
    await put(KEY, FIVE_CHUNKS);
    await writeFile(join(ground, 'others'), lineOf('second'));
    expect(await readKeyUsage(folderOf('on', join(ground, 'others')))).toMatchObject({ byKey: { first: 1 } });
  });

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

  it.each([0, 8 * CHUNK_BYTES])('is never plain while it is written: %i bytes announced', async (bytesToRead) => {
    const staged = await blobs.stage(KEY, bytesToRead);
    for (let at = 0; at < 8; at += 1) await staged.write(Buffer.alloc(CHUNK_BYTES, 'JFIF and more '));
    const [name = ''] = await readdir(join(ground, 'tmp'));
    const written = await readFile(join(ground, 'tmp', name));
    expect([written.length > CHUNK_BYTES, written.includes('JFIF')]).toEqual([true, false]);
    await staged.discard();
  });

  it.each([1, 7, 1023, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES + 5])(
    'that comes in pieces of %i bytes is what it would be in one',
    async (step) => {
      const bytes = randomBytes(step < 8 ? CHUNK_BYTES + 9 : 5 * CHUNK_BYTES + 9);
      for (const announced of [0, bytes.length, bytes.length - 1, bytes.length + 1]) {
        const staged = await blobs.stage(KEY, announced);
        for (let at = 0; at < bytes.length; at += step) await staged.write(bytes.subarray(at, at + step));
        await staged.seal();
        expect(Buffer.from(await staged.read()).equals(bytes)).toBe(true);
        await blobs.keep(staged, KEY);
        await staged.discard();
        expect(Buffer.from((await blobs.read(KEY))!).equals(bytes)).toBe(true);
      }
    },
  );

  it('of no bytes is still one that opens', async () => {
    const path = await put(KEY, Buffer.alloc(0));
    expect((await readFile(path)).length).toBeGreaterThan(HEADER_BYTES);
    expect(await blobs.read(KEY)).toHaveLength(0);
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
