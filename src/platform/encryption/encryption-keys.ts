import { isSuturaError } from '../../core/errors/sutura-error.js';
import { KeyFile } from './key-file.js';
import { KeyRing, type EncryptionKey } from './key-ring.js';
import type { KeySource } from './key-source.js';
import { unwrapKey } from './wrapped-key.js';

/** `off`: nothing new is encrypted, and what is stays readable; `required`: what is not encrypted is refused. */
export type EncryptionMode = 'on' | 'off' | 'required';

/** Longest time that a process uses the keys it read, unless another is needed. */
const LOOK_AGAIN_MS = 2000;

/** The keys of this process, read again when their file changes, or their command gives others. */
export class EncryptionKeys {
  private ring = new KeyRing([]);
  private mark: string | null = null;
  private looked = Number.NEGATIVE_INFINITY;

  /** @param source null: there are no keys */
  constructor(
    private readonly source: KeySource | null,
    readonly mode: EncryptionMode,
  ) {}

  /** The file that the keys are in; null where a command gives them. */
  get file(): KeyFile | null {
    return this.source instanceof KeyFile ? this.source : null;
  }

  /** The key that wraps new data keys; null: nothing is encrypted. */
  async current(): Promise<EncryptionKey | null> {
    return this.mode === 'off' ? null : (await this.keys()).current;
  }

  /** All keys, from the file as it is now or was 2 seconds ago. SettingsError at the first reading alone. */
  async keys(): Promise<KeyRing> {
    if (performance.now() - this.looked >= LOOK_AGAIN_MS) await this.look(false);
    return this.ring;
  }

  /** The keys as they are now. */
  async reread(): Promise<KeyRing> {
    await this.look(true);
    return this.ring;
  }

  /** `storage.key_missing`, `storage.altered`. */
  async unwrap(bytes: Buffer, binding: string): Promise<Buffer> {
    try {
      return unwrapKey(await this.keys(), bytes, binding);
    } catch (fault) {
      if (!isSuturaError(fault, 'storage.key_missing')) throw fault;
      // Another process may have a newer key by which it just wrote.
      return unwrapKey(await this.reread(), bytes, binding);
    }
  }

  private async look(isWanted: boolean): Promise<void> {
    if (this.source === null) return;
    try {
      const mark = await this.source.mark(isWanted);
      // Keeps the known keys if their file is missing or half edited.
      if (mark !== null && mark !== this.mark) this.ring = (await this.source.read()) ?? this.ring;
      this.mark = mark ?? this.mark;
    } catch (fault) {
      if (this.ring.current === null) throw fault;
    }
    this.looked = performance.now();
  }
}

/** No keys: nothing is encrypted. */
export const NO_KEYS = new EncryptionKeys(null, 'off');
