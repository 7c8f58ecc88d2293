import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { PasswordDigest } from '../../core/users/login-secrets.js';

/** argon2id with 19 MiB, two passes and one lane (OWASP Password Storage, the second of its equal choices), the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Computed beside the event loop, on threads that files need, too. */
const AT_ONCE = 2;
const MOST_WAITING = 20;
const BUSY_RETRY_S = 2;

@Injectable()
export class Argon2PasswordDigest extends PasswordDigest {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Digest of a random password, to spend the same time. */
  private decoy: Promise<string> | undefined;

  make(password: string): Promise<string> {
    return this.inTurn(() => hash(password, COST));
  }

  async fits(kept: string | null, password: string, isKnown = false): Promise<boolean> {
    this.decoy ??= hash(crypto.randomUUID(), COST);
    const compared = kept ?? (await this.decoy);
    return (await this.inTurn(() => verify(compared, password), isKnown)) && kept !== null;
  }

  private async inTurn<T>(compute: () => Promise<T>, isKnown = false): Promise<T> {
    if (!isKnown && this.waiting.length >= MOST_WAITING)
      throw new SuturaError('login.busy', { retryAfterS: BUSY_RETRY_S });
    if (this.running >= AT_ONCE)
      await new Promise<void>((resolve) => (isKnown ? this.waiting.unshift(resolve) : this.waiting.push(resolve)));
    else this.running += 1;
    try {
      return await compute();
    } finally {
      const next = this.waiting.shift();
      // Passes the slot to the next in line.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
