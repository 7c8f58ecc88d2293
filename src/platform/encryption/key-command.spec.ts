import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '../config/settings.js';
import { EncryptionKeys } from './encryption-keys.js';
import { encryptionKey } from './key-ring.js';
import { KeyCommand } from './key-command.js';
import { wrapKey } from './wrapped-key.js';

const FIRST = randomBytes(32).toString('base64');
const SECOND = randomBytes(32).toString('base64');

let folder: string;
let list: string;
let runs: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sutura-key-command-'));
  list = join(folder, 'list');
  runs = join(folder, 'runs');
  await writeFile(list, `first ${FIRST}\n`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refusalOf = (command: string, timeoutMs = 15_000): Promise<unknown> =>
  new KeyCommand(command, { timeoutMs, againAfterMs: 300_000, againIfWantedMs: 0 })
    .mark(false)
    .catch((fault: unknown) => fault);
const countRuns = async () => (await readFile(runs, 'utf8')).length;
const printing = () => `printf x >> ${runs}; cat ${list}`;

describe('a command that prints the keys', () => {
  it.each([
    ['fails', `echo ${FIRST}; echo ${SECOND} >&2; exit 3`, 'ended with 3'],
    ['is not there', '/nowhere/vault kv get', 'ended with 127'],
    ['prints nothing', 'true', 'has no key'],
    ['prints an error in the place of keys', `echo permission denied ${FIRST}`, 'Line 1'],
    ['prints without end', `yes ${FIRST}`, 'more than 65536 bytes'],
  ])('and %s is refused, and nothing that it printed is repeated', async (_what, command, said) => {
    const refusal = await refusalOf(command);
    expect(refusal).toBeInstanceOf(SettingsError);
    expect((refusal as Error).message).toContain(said);
    expect((refusal as Error).message).not.toMatch(new RegExp(`${escaped(FIRST)}|${escaped(SECOND)}|permission`));
  });

  it('and does not end is killed with all that it started', async () => {
    const refusal = await refusalOf(`echo $$ > ${runs}; sleep 600 | sleep 600`, 300);
    expect((refusal as Error).message).toContain('did not end within 0.3 seconds');
    const group = Number(await readFile(runs, 'utf8'));
    const isGone = () => {
      try {
        process.kill(-group, 0);
        return false;
      } catch {
        return true;
      }
    };
    while (!isGone()) await new Promise((resolve) => setImmediate(resolve));
  });

  it('is run once, however many wait for the first keys', async () => {
    const keys = new EncryptionKeys(new KeyCommand(printing()), 'on');
    const rings = await Promise.all([keys.keys(), keys.keys(), keys.keys()]);
    expect(rings.map(({ current }) => current?.id)).toEqual(['first', 'first', 'first']);
    expect(await countRuns()).toBe(1);
  });

  it('is run again where a key is wanted that it did not give, as after a rotation', async () => {
    const times = { timeoutMs: 15_000, againAfterMs: 300_000, againIfWantedMs: 0 };
    const keys = new EncryptionKeys(new KeyCommand(printing(), times), 'on');
    await keys.keys();
    const dataKey = randomBytes(32);
    const wrapped = wrapKey(encryptionKey('second', Buffer.from(SECOND, 'base64')), dataKey, 'object', 1);
    await expect(keys.unwrap(wrapped, 'object')).rejects.toMatchObject({ code: 'storage.key_missing' });
    await writeFile(list, `second ${SECOND}\nfirst ${FIRST}\n`);
    expect(await keys.unwrap(wrapped, 'object')).toEqual(dataKey);
    expect((await keys.current())?.id).toBe('second');
    expect(await countRuns()).toBe(3);
  });

  it('is not run for each object that names a key which nobody has', async () => {
    const keys = new EncryptionKeys(new KeyCommand(printing()), 'on');
    await keys.keys();
    const wrapped = wrapKey(encryptionKey('nobody', randomBytes(32)), randomBytes(32), 'object', 1);
    for (let round = 0; round < 20; round += 1)
      await expect(keys.unwrap(wrapped, 'object')).rejects.toMatchObject({ code: 'storage.key_missing' });
    expect(await countRuns()).toBe(1);
  });

  it('and fails later leaves the keys that it gave', async () => {
    const times = { timeoutMs: 15_000, againAfterMs: 300_000, againIfWantedMs: 0 };
    const keys = new EncryptionKeys(new KeyCommand(printing(), times), 'on');
    await keys.keys();
    await rm(list);
    expect((await keys.reread()).current?.id).toBe('first');
  });
});

function escaped(text: string): string {
  return text.replace(/[+/=]/g, '\\$&');
}
