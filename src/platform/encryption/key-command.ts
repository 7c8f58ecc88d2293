import { spawn } from 'node:child_process';
import { SettingsError } from '../config/settings.js';
import { parseKeys } from './key-file.js';
import { KeyRing } from './key-ring.js';
import type { KeySource } from './key-source.js';

const SETTING = 'SUTURA_ENCRYPTION_KEY_COMMAND';
const MOST_BYTES = 65_536;

export interface KeyCommandTimes {
  /** A command that has not ended by then is killed, with all that it started. */
  readonly timeoutMs: number;
  /** It runs again after this time, so that a rotation is seen. */
  readonly againAfterMs: number;
  /** The same where a key is needed that it did not give. */
  readonly againIfWantedMs: number;
}

const TIMES: KeyCommandTimes = { timeoutMs: 15_000, againAfterMs: 300_000, againIfWantedMs: 10_000 };

/**
 * Keys that a command of the operator prints in the form of a key file: the client of a key management system, such as Vault's. Only the first reading
 * and a request for a key that it has not given wait for it; if it fails later, its last keys stay in use.
 */
export class KeyCommand implements KeySource {
  private ring: KeyRing | null = null;
  private version = 0;
  private ranAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | undefined;

  /** @param command for `/bin/sh -c` */
  constructor(
    private readonly command: string,
    private readonly times: KeyCommandTimes = TIMES,
  ) {}

  async mark(isWanted: boolean): Promise<string | null> {
    const ageMs = performance.now() - this.ranAt;
    if (this.ring === null || (isWanted && ageMs >= this.times.againIfWantedMs)) await this.run();
    else if (ageMs >= this.times.againAfterMs) void this.run().catch(() => undefined);
    return String(this.version);
  }

  read(): Promise<KeyRing | null> {
    return Promise.resolve(this.ring);
  }

  /** One at a time. */
  private run(): Promise<void> {
    this.running ??= this.askOnce().finally(() => {
      this.ranAt = performance.now();
      this.running = undefined;
    });
    return this.running;
  }

  private async askOnce(): Promise<void> {
    const text = await printedBy(this.command, this.times.timeoutMs);
    this.ring = new KeyRing(parseKeys(text, `the answer of ${SETTING}`));
    this.version += 1;
  }
}

/** The standard output. SettingsError, without a word of what it printed: it may be a secret. */
function printedBy(command: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (how: string): void => {
      reject(new SettingsError(`${SETTING} ${how}. Run it by hand, as the account of the service.`));
    };
    // A group of its own, so that what it started ends with it.
    const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    let bytes = 0;
    const kill = (how: string): void => {
      refuse(how);
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => kill(`did not end within ${timeoutMs / 1000} seconds`), timeoutMs);
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > MOST_BYTES) kill(`printed more than ${MOST_BYTES} bytes`);
      else parts.push(part);
    });
    child.on('error', () => refuse('could not be started'));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(parts).toString('utf8'));
      else refuse(code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with ${code}`);
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
