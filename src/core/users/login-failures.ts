import type { Trier } from './login-devices.js';

/** Failed attempts by who tries, over all addresses and processes, whether a name exists or not. */
export abstract class LoginFailures {
  /** Counts a try as failed before it is checked, so that many at once are counted, too; the seconds to wait, 0: it may be checked. */
  abstract begin(trier: Trier): Promise<number>;
  /** The try was right. */
  abstract clear(trier: Trier): Promise<void>;
}
