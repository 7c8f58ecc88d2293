import { SuturaError } from '../errors/sutura-error.js';
import { isEasilyGuessed } from './known-passwords.js';

const LEAST = 12;
const MOST = 256;
const PRODUCT = 'sutura';
/** Shorter parts of a name stand in too many other words. */
const LEAST_OF_NAME = 4;

/** The canonical form of a password, independent of the keyboard (NIST SP 800-63B 5.1.1.2). */
export function plainPassword(password: string): string {
  return password.normalize('NFKC');
}

/**
 * `user.password` for one that is too short, too long, says the user's name or is among the first to be guessed. Length makes it strong, so no kinds
 * of characters are asked for.
 */
export function requirePassword(password: string, userName: string): void {
  const plain = plainPassword(password);
  const length = [...plain].length;
  const isNamed = plain.toLowerCase().includes(userName);
  const partsOfName = userName.split(/[._@+-]/).filter((part) => part.length >= LEAST_OF_NAME);
  const isUnfit = length < LEAST || length > MOST || isNamed || new Set(plain).size < 4;
  if (isUnfit || isEasilyGuessed(plain, [PRODUCT, ...partsOfName])) throw new SuturaError('user.password');
}
