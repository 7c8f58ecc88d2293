import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LoginMint } from '../../core/users/login-secrets.js';

const SECRET_BYTES = 32;

/** Texts of 256 random bits. */
@Injectable()
export class RandomLoginMint extends LoginMint {
  mint(): { readonly text: string; readonly sha256: Uint8Array } {
    const text = randomBytes(SECRET_BYTES).toString('base64url');
    return { text, sha256: this.digestOf(text) };
  }

  digestOf(text: string): Uint8Array {
    return createHash('sha256').update(text, 'utf8').digest();
  }
}
