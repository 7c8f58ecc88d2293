import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AuditAnchor, type ChainHead } from '../../core/audit/audit-anchor.js';
import { Settings } from '../config/settings.js';

const HEADS_FILE = 'audit-heads.json';
const KEY_FILE = 'audit-heads.key';
/** In the data folder. */
export const AUDIT_ANCHOR_FILES = [HEADS_FILE, KEY_FILE];
const OWNER_ONLY = 0o600;
const KEY_BYTES = 32;

interface Kept {
  readonly heads: readonly ChainHead[];
  /** HMAC-SHA256 of the heads as JSON, hex. */
  readonly signature: string;
}

/** The heads in a file of the data folder, signed with a key that lies beside it and in no database. */
@Injectable()
export class FileAuditAnchor extends AuditAnchor {
  constructor(private readonly settings: Settings) {
    super();
  }

  async read(): Promise<readonly ChainHead[] | 'changed'> {
    const text = await textOf(this.pathOf(HEADS_FILE));
    if (text === null) return [];
    try {
      const { heads, signature } = JSON.parse(text.toString('utf8')) as Kept;
      const expected = Buffer.from(await this.sign(heads), 'hex');
      const stated = Buffer.from(signature, 'hex');
      return stated.length === expected.length && timingSafeEqual(stated, expected) ? heads : 'changed';
    } catch {
      return 'changed';
    }
  }

  /** Writes the file whole or not at all. */
  async write(heads: readonly ChainHead[]): Promise<void> {
    const kept: Kept = { heads, signature: await this.sign(heads) };
    const path = this.pathOf(HEADS_FILE);
    // A unique name, as processes of one folder may write at once; the last file stands.
    const written = `${path}.${randomBytes(6).toString('hex')}`;
    await writeFile(written, `${JSON.stringify(kept, null, 2)}\n`, { mode: OWNER_ONLY });
    await rename(written, path);
  }

  private async sign(heads: readonly ChainHead[]): Promise<string> {
    return createHmac('sha256', await this.key())
      .update(JSON.stringify(heads))
      .digest('hex');
  }

  private async key(): Promise<Buffer> {
    const path = this.pathOf(KEY_FILE);
    const known = await textOf(path);
    if (known !== null) return known;
    await mkdir(this.settings.process.dataDir, { recursive: true });
    // Another process may be quicker; its key then counts.
    await writeFile(path, randomBytes(KEY_BYTES), { mode: OWNER_ONLY, flag: 'wx' }).catch(() => undefined);
    return readFile(path);
  }

  private pathOf(name: string): string {
    return join(this.settings.process.dataDir, name);
  }
}

async function textOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fault;
  }
}
