import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { SuturaError } from '../core/errors/sutura-error.js';
import { NamedObjects } from './named-objects.js';
import { ObjectCopies } from './object-copies.js';

/** Of a database with these rows. */
const named = (...keys: readonly string[]): Promise<NamedObjects> =>
  NamedObjects.read({
    query: () => Promise.resolve({ rows: keys.map((key) => ({ key, sha256: null, drawnAgain: false })) }),
  } as unknown as pg.Client);

describe('copies of objects that come and go', () => {
  let ground: string;
  let copies: ObjectCopies;
  const kept = new Set<string>();

  beforeEach(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-copies-'));
    kept.clear();
    const objects = {
      root: join(ground, 'store'),
      async *list() {
        for (const objectKey of kept) yield await Promise.resolve({ objectKey, path: `blobs/${objectKey}` });
      },
      describe: async (path: string) => {
        const text = await readFile(path, 'utf8');
        if (text === 'sealed by a lost key') throw new SuturaError('storage.key_missing');
        return text === 'sealed' ? { sha256: 'of what it says', keyId: 'first' } : { sha256: null, keyId: null };
      },
    };
    copies = new ObjectCopies(objects, join(ground, 'copy'));
  });
  afterEach(() => rm(ground, { recursive: true }));

  const put = async (objectKey: string, text: string): Promise<void> => {
    const file = join(ground, 'store/blobs', objectKey);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    kept.add(objectKey);
  };
  const erase = async (objectKey: string): Promise<void> => {
    await rm(join(ground, 'store/blobs', objectKey));
    kept.delete(objectKey);
  };
  const read = (objectKey: string) => readFile(join(ground, 'copy/objects/blobs', objectKey), 'utf8');

  it('are compared by what they say, and name the keys that they need', async () => {
    await put('images/1/original', 'sealed');
    await put('images/2/original', 'plain');
    const names = await named('images/1/original', 'images/2/original');
    await copies.bringTo(names);
    expect(copies.sums.get('images/1/original')).toBe('of what it says');
    expect([copies.keyIds, names.compare(copies.sums)]).toEqual([
      ['first'],
      { missing: [], changed: [], keyMissing: [], notCompared: 2 },
    ]);
  });

  it('are taken of what nothing decrypts, which is named', async () => {
    await put('images/1/original', 'sealed by a lost key');
    const names = await named('images/1/original');
    await copies.bringTo(names);
    expect(await read('images/1/original')).toBe('sealed by a lost key');
    expect(names.compare(copies.sums)).toEqual({
      missing: [],
      changed: [],
      keyMissing: ['images/1/original'],
      notCompared: 0,
    });
  });

  it('leave out what the database does not know', async () => {
    await put('images/1/original', 'one');
    await put('images/2/original', 'two');
    await copies.bringTo(await named('images/1/original'));
    expect(copies.files.map(({ path }) => path)).toEqual(['objects/blobs/images/1/original']);
  });

  it('have every picture of a photo, also those that no row names', async () => {
    await put('images/1/original', 'one');
    await put('images/1/overlay-7', 'drawn');
    await copies.bringTo(await named('images/1/original'));
    expect(await read('images/1/overlay-7')).toBe('drawn');
  });

  it('follow what came and what was written anew', async () => {
    await put('images/1/original', 'one');
    await put('images/1/mask-7', 'first try');
    await copies.bringTo(await named('images/1/original'));
    await put('images/1/mask-7', 'second try');
    await put('images/2/original', 'two');
    await copies.bringTo(await named('images/1/original', 'images/2/original'));
    expect([await read('images/1/mask-7'), await read('images/2/original')]).toEqual(['second try', 'two']);
    expect(copies.files).toHaveLength(3);
  });

  it('keep what was erased while the database was copied, if that still names it, and drop it if not', async () => {
    await put('images/1/original', 'one');
    await put('images/2/original', 'two');
    await copies.bringTo(await named('images/1/original', 'images/2/original'));
    await erase('images/1/original');
    await erase('images/2/original');
    const later = await named('images/1/original');
    await copies.bringTo(later);
    expect(await read('images/1/original')).toBe('one');
    expect(await readdir(join(ground, 'copy/objects/blobs/images/2'))).toEqual([]);
    expect(later.compare(copies.sums)).toEqual({ missing: [], changed: [], keyMissing: [], notCompared: 1 });
  });

  it('pass over what is erased between the list and the copy, which then counts as missing', async () => {
    await put('images/1/original', 'one');
    await rm(join(ground, 'store/blobs/images/1/original'));
    const names = await named('images/1/original');
    await copies.bringTo(names);
    expect(names.compare(copies.sums)).toEqual({
      missing: ['images/1/original'],
      changed: [],
      keyMissing: [],
      notCompared: 0,
    });
  });
});
