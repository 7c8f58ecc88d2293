import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/command-line.js';
import { createTestDatabase } from '../support/test-database.js';
import { EncryptionKeys } from '../../src/platform/encryption/encryption-keys.js';
import { KeyFile } from '../../src/platform/encryption/key-file.js';
import { BlobFolder } from '../../src/storage/drivers/blob-folder.js';
import { LocalStore } from '../../src/storage/drivers/local.store.js';
import { ObjectEncryption } from '../../src/storage/encryption/object-encryption.js';

const OBJECTS = 6;
const keyOf = (index: number): string => `images/image-${index}/original`;

describe('a change of the key', () => {
  let ground: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let env: Record<string, string>;
  const bytes = Array.from({ length: OBJECTS + 1 }, () => randomBytes(100_000));

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-key-change-'));
    await writeFile(join(ground, 'keys'), `first ${randomBytes(32).toString('base64')}\n`);
    database = await createTestDatabase();
    env = {
      DATABASE_URL: database.url,
      SUTURA_DATA_DIR: ground,
      SUTURA_ENCRYPTION_KEY_FILE: join(ground, 'keys'),
    };
    for (let index = 0; index < OBJECTS; index += 1) await storeOf().put(keyOf(index), bytes[index]!);
  });
  afterAll(async () => {
    await database?.drop();
    await rm(ground, { recursive: true, force: true });
  });

  function storeOf(file: string | null = join(ground, 'keys')): LocalStore {
    const keys = new EncryptionKeys(file === null ? null : new KeyFile(file), file === null ? 'off' : 'on');
    return new LocalStore(new BlobFolder(join(ground, 'objects'), new ObjectEncryption(keys)), {} as never);
  }
  const command = async (words: readonly string[], more: Record<string, string> = {}) => {
    const { code, out, err } = await runCommand([...words, '--json'], { ...env, ...more });
    return { code, err, json: out === '' ? null : (JSON.parse(out) as Record<string, unknown>) };
  };
  const expectReadable = async (count = OBJECTS) => {
    for (let index = 0; index < count; index += 1)
      expect(Buffer.from((await storeOf().get(keyOf(index)))!).equals(bytes[index]!)).toBe(true);
  };

  it('that is killed in the middle leaves every object readable, and the old key in the file', async () => {
    const killed = await command(['encryption', 'rotate'], { SUTURA_FP: 'encryption_rewrap:kill:3' });
    expect(killed.code).toBeNull();
    await expectReadable();
    const { json } = await command(['encryption', 'status']);
    const keys = json!['keys'] as { id: string; state: string; objects: number }[];
    expect(keys.map(({ state, objects }) => [state, objects])).toEqual([
      ['current', 3],
      ['kept', 3],
    ]);
    expect(await command(['encryption', 'retire', '--key', 'first'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('still needed: by 3 objects') as string,
    });
  });

  it('goes on where it was, encrypts what was plain, and leaves nothing that the old key opens', async () => {
    await storeOf(null).put(keyOf(OBJECTS), bytes[OBJECTS]!);
    const rewrapped = await command(['encryption', 'rewrap']);
    expect([rewrapped.err, rewrapped.json]).toEqual([
      '',
      expect.objectContaining({ rewrapped: 3, current: 3, encrypted: 1, failed: [] }),
    ]);
    await expectReadable(OBJECTS + 1);
    const files = await readdir(join(ground, 'objects'), { recursive: true, withFileTypes: true });
    for (const entry of files.filter((one) => one.isFile()))
      expect((await readFile(join(entry.parentPath, entry.name))).subarray(0, 200).includes('first')).toBe(false);
  });

  it('ends with the old key retired, and the current one refused', async () => {
    const [current = ''] = (await readFile(join(ground, 'keys'), 'utf8')).split(' ');
    expect(await command(['encryption', 'retire', '--key', current])).toMatchObject({ code: 1 });
    expect(await command(['encryption', 'retire', '--key', 'first'])).toMatchObject({ code: 0 });
    expect(await readFile(join(ground, 'keys'), 'utf8')).not.toContain('first');
    await expectReadable(OBJECTS + 1);
    expect((await command(['encryption', 'status'])).json).toMatchObject({
      keys: [{ id: current, state: 'current', objects: OBJECTS + 1 }],
      plain: 0,
      altered: [],
    });
  });
});
