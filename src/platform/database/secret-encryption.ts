import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { InstallationKey } from './installation-key.js';

const ALGORITHM = 'aes-256-gcm';
const PURPOSE = 'sutura one-time code secrets';
/** No base32 text has a full stop. */
const MARK = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encryption of the secrets of one-time codes, by a key that is derived from the installation's, so that the database alone reveals none.
 * Bound to the user: one user's cannot stand for another's.
 */
@Injectable()
export class SecretEncryption {
  private readonly key: Buffer | null;
  private readonly seals: boolean;

  constructor(installation: InstallationKey) {
    const { messageKey, seals } = installation;
    this.key = messageKey === null ? null : createHmac('sha256', messageKey).update(PURPOSE).digest();
    this.seals = seals;
  }

  /** The stored form: encrypted, or plain where the installation has no key. */
  seal(secret: string, userId: string): string {
    if (this.key === null || !this.seals) return secret;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv).setAAD(Buffer.from(userId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return MARK + Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url');
  }

  /** True for what was kept before there was a key, where there is one now. */
  isLeftPlain(kept: string): boolean {
    return this.key !== null && this.seals && !kept.startsWith(MARK);
  }

  /** `storage.key_missing`: the key that encrypted it is not there; `storage.altered`. Nobody is let in without the code. */
  open(kept: string, userId: string): string {
    if (!kept.startsWith(MARK)) return kept;
    if (this.key === null) throw new SuturaError('storage.key_missing');
    const bytes = Buffer.from(kept.slice(MARK.length), 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new SuturaError('storage.altered');
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(userId)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new SuturaError('storage.altered');
    }
  }
}
