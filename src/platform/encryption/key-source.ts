import type { KeyRing } from './key-ring.js';

/** Where the keys of encryption at rest come from: a file, or a command that asks a key management system. */
export interface KeySource {
  /**
   * Changes whenever `read` has something else to say; null: there is nothing to read. `isWanted`: a key is wanted that the last reading did not have.
   * SettingsError: what is there is no list of keys.
   */
  mark(isWanted: boolean): Promise<string | null>;
  /** null: there is nothing. SettingsError as `mark`. */
  read(): Promise<KeyRing | null>;
}
