import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '../config/settings.js';
import { EncryptionKeys } from './encryption-keys.js';
import { KeyFile, newKey } from './key-file.js';
import { wrapKey } from './wrapped-key.js';

const VALUE = randomBytes(32).toString('base64');

let folder: string;
let file: KeyFile;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sutura-key-file-'));
  file = new KeyFile(join(folder, 'data', 'encryption.keys'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a key file', () => {
  it.each([
    ['a key too short', 'first c2hvcnQ=', 'Line 1'],
    ['an id that is none', `First ${VALUE}`, 'Line 1'],
    ['something behind the key', `first ${VALUE} more`, 'Line 1'],
    ['a line without a key', `first ${VALUE}\nsecond`, 'Line 2'],
    ['an id twice', `first ${VALUE}\nfirst ${VALUE}`, 'twice'],
    ['nothing', '# only a word about it\n', 'has no key'],
  ])('with %s is refused, and no key is repeated', async (_what, text, said) => {
    const path = join(folder, 'keys');
    await writeFile(path, text);
    const refusal: unknown = await new KeyFile(path).read().catch((fault: unknown) => fault);
    expect(refusal).toBeInstanceOf(SettingsError);
    expect((refusal as Error).message).toContain(said);
    expect((refusal as Error).message).not.toContain(VALUE);
  });

  it('is made once, for its owner alone, and whole', async () => {
    expect(await file.read()).toBeNull();
    await Promise.all([file.make(new Date()), file.make(new Date()), file.make(new Date())]);
    const [key, ...others] = (await file.read())!.keys;
    expect([key!.key.length, others]).toEqual([32, []]);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'data'))).toEqual(['encryption.keys']);
    await file.make(new Date());
    expect((await file.read())!.keys).toEqual([key]);
  });

  it('keeps the order of its keys and what a person wrote in it, while keys come and go', async () => {
    await writeFile(
      join(folder, 'keys'),
      `# of 2026\nsecond ${VALUE}\n\n  first ${randomBytes(32).toString('base64')}\r\n`,
    );
    const own = new KeyFile(join(folder, 'keys'));
    const [second, first] = (await own.read())!.keys;
    const third = newKey(new Date('2026-03-15T10:00:00Z'));
    expect(third.id).toMatch(/^20260315-[0-9a-f]{6}$/);
    await own.add(third);
    expect((await own.read())!.keys).toEqual([third, second, first]);
    await own.remove('second');
    expect((await own.read())!.keys).toEqual([third, first]);
    expect(await readFile(own.path, 'utf8')).toContain('# of 2026');
    expect((await stat(own.path)).mode & 0o777).toBe(0o600);
  });

  it('says whether others may read or write it', async () => {
    const path = join(folder, 'keys');
    expect(await new KeyFile(path).exposure()).toBe('none');
    await writeFile(path, `first ${VALUE}\n`);
    for (const [mode, exposure] of [
      [0o600, 'none'],
      [0o440, 'none'],
      [0o644, 'readable'],
      [0o666, 'writable'],
    ] as const) {
      await chmod(path, mode);
      expect(await new KeyFile(path).exposure()).toBe(exposure);
    }
  });

  it('that is replaced, emptied, or gone while the process runs leaves it keys that open what they wrote', async () => {
    const path = join(folder, 'keys');
    await writeFile(path, `first ${VALUE}\n`);
    const keys = new EncryptionKeys(new KeyFile(path), 'on');
    const first = (await keys.keys()).current!;
    const wrapped = wrapKey(first, randomBytes(32), 'object', 1);
    for (const text of ['', '# nothing', 'first c2hvcnQ=', `first ${VALUE}\nfirst ${VALUE}`]) {
      await writeFile(path, text);
      expect((await keys.reread()).current).toEqual(first);
    }
    await rm(path);
    expect((await keys.reread()).current).toEqual(first);
    // Another key under the same id: what the first wrapped is not opened by it, and says why.
    await writeFile(path, `first ${randomBytes(32).toString('base64')}\n`);
    await keys.reread();
    await expect(keys.unwrap(wrapped, 'object')).rejects.toMatchObject({
      code: 'storage.key_missing',
      detail: expect.stringContaining('another key under the id'),
    });
    await writeFile(path, `first ${VALUE}\r\n`);
    expect(await keys.unwrap(wrapped, 'object')).toHaveLength(32);
  });
});
