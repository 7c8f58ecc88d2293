import type { KeyRing } from './key-ring.js';

/** Where the keys of encryption at rest come from: a file, or a command that asks a key management system. */
export interface KeySource {
  /**
   * Changes whenever `read` would give other keys; null: there are none. `isWanted`: a key is needed that the last reading did not have.
   * SettingsError: not a list of keys.
   */
  mark(isWanted: boolean): Promise<string | null>;
  /** null: there is nothing. SettingsError as `mark`. */
  read(): Promise<KeyRing | null>;
}
