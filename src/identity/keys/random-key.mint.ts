import { KeyMint } from '../../core/organizations/key-mint.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { randomBase62, composeKeyText, digestOfKey, RANDOM_LENGTH } from './key-text.js';

const PREFIX_LENGTH = 12;

/** Makes keys from the operating system's random source. */
export class RandomKeyMint extends KeyMint {
  mint(environment: Environment): { text: string; sha256: Uint8Array; prefix: string; lastFour: string } {
    const text = composeKeyText(environment, randomBase62(RANDOM_LENGTH));
    return { text, sha256: digestOfKey(text), prefix: text.slice(0, PREFIX_LENGTH), lastFour: text.slice(-4) };
  }
}
