import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UploadSigner } from '../signing/upload-signer.js';
import { BlobFolder } from './blob-folder.js';
import { LocalStore } from './local.store.js';

const KEY = 'images/01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f/original';
const FOLDER = 'images/01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f/';

let root: string;
let blobs: BlobFolder;
let store: LocalStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sutura-store-'));
  blobs = new BlobFolder(root);
  store = new LocalStore(blobs, {} as UploadSigner);
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('a key that core did not make', () => {
  test.each([
    '../outside/file',
    'images/../../etc/passwd',
    '/images/a/b',
    'images//original',
    'images/a/..',
    'images/A/original',
    'images/a\0b/original',
    'images',
    '',
  ])('is refused: case %#', async (key) => {
    await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('no object key');
    await expect(store.get(key)).rejects.toThrow('no object key');
  });

  test.each(['', 'images/', 'images', 'images/a', 'images/a/b/', '../x/'])(
    'names nothing that may be deleted: case %#',
    async (prefix) => {
      await store.put(KEY, Buffer.from('kept'));
      await expect(store.deleteAll(prefix)).rejects.toThrow();
      expect(await store.get(KEY)).toEqual(Buffer.from('kept'));
    },
  );
});

test('an absent object is null', async () => {
  expect(await store.get(KEY)).toBeNull();
});

test('an object over the limit is refused unread', async () => {
  await store.put(KEY, Buffer.alloc(11));
  await expect(store.get(KEY, 10)).rejects.toMatchObject({ code: 'image.too_large' });
  expect(await store.get(KEY, 11)).toHaveLength(11);
});

test('what was put is read again, the last one wins, and nothing temporary remains', async () => {
  await store.put(KEY, Buffer.from('first'));
  await store.put(KEY, Buffer.from('second'));
  expect(await store.get(KEY)).toEqual(Buffer.from('second'));
  expect(await filesBelow(join(root, 'tmp'))).toEqual([]);
  expect(await filesBelow(join(root, 'blobs'))).toEqual(['original']);
});

test('a reader never sees a part of an object that is being replaced', async () => {
  const versions = [1, 2, 3].map((value) => Buffer.alloc(200_000, value));
  await store.put(KEY, versions[0] as Buffer);
  const writing = Promise.all(versions.map((bytes) => store.put(KEY, bytes)));
  for (let read = 0; read < 20; read += 1) {
    const bytes = (await store.get(KEY)) as Buffer;
    expect(bytes).toHaveLength(200_000);
    expect(bytes.equals(Buffer.alloc(200_000, bytes[0]))).toBe(true);
  }
  await writing;
});

test('objects can be read by their owner alone', async () => {
  await store.put(KEY, Buffer.from('x'));
  const [shard = ''] = await readdir(join(root, 'blobs', 'images'));
  const { mode } = await stat(join(root, 'blobs', 'images', shard, FOLDER.split('/')[1] ?? '', 'original'));
  expect(mode & 0o077).toBe(0);
});

test('deleting an image deletes what was derived from it and nothing else; deleting it twice is no error', async () => {
  const other = 'images/01997f2e-3c1a-7a00-8000-000000000000/original';
  for (const key of [
    KEY,
    `${FOLDER}jobs/01997f2e-0000-7000-8000-000000000001/mask`,
    `${FOLDER}jobs/01997f2e-0000-7000-8000-000000000001/overlay`,
    other,
  ])
    await store.put(key, Buffer.from('x'));
  await store.deleteAll(FOLDER);
  await store.deleteAll(FOLDER);
  expect(await store.get(KEY)).toBeNull();
  expect(await filesBelow(join(root, 'blobs'))).toEqual(['original']);
  expect(await store.get(other)).not.toBeNull();
});

test('a staged file that is thrown away leaves nothing, whenever that happens', async () => {
  const early = await blobs.stage(KEY);
  await early.write(Buffer.from('half'));
  await early.discard();
  const late = await blobs.stage(KEY);
  await late.seal();
  await late.discard();
  await late.discard();
  expect(await filesBelow(root)).toEqual([]);
});

describe('an upload that is judged before it is kept', () => {
  const MIB = 1024 ** 2;
  const staged = async (announced: number, bytes = Buffer.from('bytes')) => {
    const file = await blobs.stage(KEY, announced);
    await file.write(bytes);
    await file.seal();
    return file;
  };
  /** Where its file is gone, only the memory still has it. */
  const isInMemory = async (file: Awaited<ReturnType<typeof staged>>): Promise<boolean> => {
    await rm(join(root, 'tmp'), { recursive: true, force: true });
    return file.read().then(
      () => true,
      () => false,
    );
  };

  test.each([
    ['announced at its length', 5, true],
    ['announced longer', 9, true],
    ['announced shorter than it is', 4, false],
    ['not announced', 0, false],
    ['announced at more than an object may take', 8 * MIB + 1, false],
  ])('is read again from memory where there is room: %s', async (_what, announced, expected) => {
    const file = await staged(announced);
    expect(Buffer.from(await file.read()).toString()).toBe('bytes');
    expect(await isInMemory(file)).toBe(expected);
    await file.discard();
  });

  test('many at once take no more than their share of the memory, and give it back however they end', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => staged(8 * MIB)));
    const late = await staged(8 * MIB);
    expect(Buffer.from(await late.read()).toString()).toBe('bytes');
    expect(await isInMemory(late)).toBe(false);
    expect(await isInMemory(all[0]!)).toBe(true);
    for (const file of [...all, ...all, late]) await file.discard();
    const next = await staged(8 * MIB);
    expect(await isInMemory(next)).toBe(true);
    await next.discard();
  });
});

test('the sweep removes what was begun long ago and leaves what is being written', async () => {
  await store.check();
  for (const name of ['old', 'new']) await writeFile(join(root, 'tmp', name), 'x');
  await utimes(join(root, 'tmp', 'old'), new Date(0), new Date(0));
  expect(await blobs.removeStale(new Date(1000))).toBe(1);
  expect(await filesBelow(join(root, 'tmp'))).toEqual(['new']);
});

test('a sweep before the first upload finds nothing', async () => {
  expect(await blobs.removeStale(new Date())).toBe(0);
});

test('the check fails where the folder cannot be made', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(new BlobFolder(join(root, 'file')).check()).rejects.toThrow();
  await expect(store.check()).resolves.toBeUndefined();
});
