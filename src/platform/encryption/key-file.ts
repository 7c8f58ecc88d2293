import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from '../config/settings.js';
import type { KeySource } from './key-source.js';
import { encryptionKey, isKeyId, KEY_BYTES, KeyRing, newKeyId, type EncryptionKey } from './key-ring.js';

const OWNER_ONLY = 0o600;
const READABLE_BY_ALL = 0o004;
const WRITABLE_BY_ALL = 0o002;
const HEAD = `# Keys that encrypt photos, documents and messages at rest: an id, and 32 bytes in base64. The first encrypts, all decrypt.
# Without this file nothing of it can be read again. Keep a copy apart from the back-ups: docs/encryption.md
`;

/** Keys in a file, one a line: `<id> <32 bytes in base64>`; lines that begin with # are comments. */
export class KeyFile implements KeySource {
  constructor(readonly path: string) {}

  /** null: there is no file. SettingsError: a line is no key, or an id is there twice; lines are named by number. */
  async read(): Promise<KeyRing | null> {
    const text = await readFile(this.path, 'utf8').catch(nullWhereAbsent);
    return text === null ? null : new KeyRing(parseKeys(text, this.path));
  }

  /** Permissions of others than owner and group; none for a missing file. */
  async exposure(): Promise<'none' | 'readable' | 'writable'> {
    const facts = await stat(this.path).catch(nullWhereAbsent);
    if (facts === null) return 'none';
    if ((facts.mode & WRITABLE_BY_ALL) !== 0) return 'writable';
    return (facts.mode & READABLE_BY_ALL) === 0 ? 'none' : 'readable';
  }

  /** Changes with each writing; null: there is no file. */
  async mark(): Promise<string | null> {
    const facts = await stat(this.path).catch(nullWhereAbsent);
    return facts === null ? null : `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
  }

  /** Puts a key before the others, on the disk before this resolves. What else the file says stays. */
  async add(key: EncryptionKey): Promise<void> {
    const lines = (await readFile(this.path, 'utf8')).split('\n');
    const first = lines.findIndex((line) => idOf(line) !== null);
    await this.replace([...lines.slice(0, first), lineOf(key), ...lines.slice(first)]);
  }

  /** Takes a key out, on the disk before this resolves. */
  async remove(id: string): Promise<void> {
    await this.replace((await readFile(this.path, 'utf8')).split('\n').filter((line) => idOf(line) !== id));
  }

  /** Makes the file with a first key, on the disk before this resolves. One that another process made meanwhile stands. */
  async make(now: Date): Promise<void> {
    await this.write(`${HEAD}${lineOf(newKey(now))}\n`, (draft) =>
      link(draft, this.path).catch((fault: unknown) => {
        if (codeOf(fault) !== 'EEXIST') throw fault;
      }),
    );
  }

  private replace(lines: readonly string[]): Promise<void> {
    return this.write(lines.join('\n'), (draft) => rename(draft, this.path));
  }

  private async write(text: string, place: (draft: string) => Promise<void>): Promise<void> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true });
    const draft = `${this.path}.${randomUUID()}`;
    try {
      const handle = await open(draft, 'wx', OWNER_ONLY);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await place(draft);
      const entries = await open(folder, 'r');
      try {
        await entries.sync();
      } finally {
        await entries.close();
      }
    } finally {
      await rm(draft, { force: true });
    }
  }
}

export function newKey(now: Date): EncryptionKey {
  return encryptionKey(newKeyId(now), randomBytes(KEY_BYTES));
}

const lineOf = ({ id, key }: EncryptionKey): string => `${id} ${key.toString('base64')}`;

/** null: the line is no key. */
function idOf(line: string): string | null {
  const text = line.trim();
  return text === '' || text.startsWith('#') ? null : (text.split(/\s+/)[0] ?? null);
}

/** `path`: where the text is from, for a refusal. SettingsError as KeyFile.read. */
export function parseKeys(text: string, path: string): EncryptionKey[] {
  const keys: EncryptionKey[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (idOf(line) === null) continue;
    const [id = '', value = '', ...rest] = line.trim().split(/\s+/);
    const key = Buffer.from(value, 'base64');
    if (!isKeyId(id) || key.length !== KEY_BYTES || rest.length > 0)
      throw new SettingsError(
        `Line ${index + 1} of ${path} is no key. A key is an id of lower-case letters, digits and dashes (at most 24), a space, and 32 bytes in base64, as "openssl rand -base64 32" makes them.`,
      );
    if (keys.some((known) => known.id === id))
      throw new SettingsError(`${path} has the id ${id} twice. Give each key an id of its own.`);
    keys.push(encryptionKey(id, key));
  }
  if (keys.length === 0) throw new SettingsError(`${path} has no key. Put the file back from your copy.`);
  return keys;
}

function nullWhereAbsent(fault: unknown): null {
  if (codeOf(fault) === 'ENOENT') return null;
  throw fault;
}

function codeOf(fault: unknown): unknown {
  return (fault as { code?: unknown } | null)?.code;
}
