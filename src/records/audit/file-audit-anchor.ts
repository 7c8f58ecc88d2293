import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AuditAnchor, headText, type ChainHead, type SignedHead } from '../../core/audit/audit-anchor.js';
import { AuditSigner, type AuditSignature } from '../../core/audit/audit-signer.js';
import { Settings } from '../../platform/config/settings.js';
import { AUDIT_KEY_FILE, AUDIT_PUBLIC_KEY_FILE } from './file-audit-signer.js';

const HEADS_FILE = 'audit-heads.json';
/** Key of HMAC-SHA256, by which releases before Ed25519 signed. */
const FORMER_KEY_FILE = 'audit-heads.key';
/** In the data folder. */
export const AUDIT_ANCHOR_FILES = [HEADS_FILE, FORMER_KEY_FILE, AUDIT_KEY_FILE, AUDIT_PUBLIC_KEY_FILE];
const OWNER_ONLY = 0o600;

/** `signature`: of the heads as JSON. Without `keyId`: by the former key, in hex. */
interface Kept extends Omit<AuditSignature, 'keyId'> {
  readonly heads: readonly ChainHead[];
  readonly keyId?: string;
}

/** The heads in a file of the data folder, each signed and all of them together, so that none can be left out. */
@Injectable()
export class FileAuditAnchor extends AuditAnchor {
  constructor(
    private readonly settings: Settings,
    private readonly signer: AuditSigner,
  ) {
    super();
  }

  async read(): Promise<readonly ChainHead[] | 'changed'> {
    const text = await textOf(this.pathOf(HEADS_FILE));
    if (text === null) return [];
    try {
      const kept = JSON.parse(text.toString('utf8')) as Kept;
      return (await this.isRight(kept)) ? kept.heads : 'changed';
    } catch {
      return 'changed';
    }
  }

  /** Writes the file whole or not at all. */
  async write(heads: readonly ChainHead[]): Promise<readonly SignedHead[]> {
    const signed: SignedHead[] = [];
    for (const { organizationId, environment, number, hash } of heads) {
      const head = { organizationId, environment, number, hash };
      signed.push({ ...head, ...(await this.signer.sign(headText(head))) });
    }
    const kept: Kept = { heads: signed, ...(await this.signer.sign(JSON.stringify(signed))) };
    const path = this.pathOf(HEADS_FILE);
    await mkdir(this.settings.process.dataDir, { recursive: true });
    // A unique name, as processes of one folder may write at once; the last file stands.
    const written = `${path}.${randomBytes(6).toString('hex')}`;
    await writeFile(written, `${JSON.stringify(kept, null, 2)}\n`, { mode: OWNER_ONLY });
    await rename(written, path);
    return signed;
  }

  private async isRight({ heads, keyId, signature }: Kept): Promise<boolean> {
    const text = JSON.stringify(heads);
    if (keyId !== undefined) return this.signer.isSigned(text, { keyId, signature });
    const former = await textOf(this.pathOf(FORMER_KEY_FILE));
    if (former === null) return false;
    const expected = createHmac('sha256', former).update(text).digest();
    const stated = Buffer.from(signature, 'hex');
    return stated.length === expected.length && timingSafeEqual(stated, expected);
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
