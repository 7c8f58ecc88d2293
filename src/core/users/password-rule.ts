import { SuturaError } from '../errors/sutura-error.js';

const LEAST = 12;
const MOST = 256;

/** One form for each password, whatever keyboard wrote it (NIST SP 800-63B 5.1.1.2). */
export function plainPassword(password: string): string {
  return password.normalize('NFKC');
}

/** `user.password` for one that is too short, too long, or says the user's name. Length alone makes it strong, so no kinds of characters are asked for. */
export function requirePassword(password: string, userName: string): void {
  const length = [...plainPassword(password)].length;
  const isNamed = plainPassword(password).toLowerCase().includes(userName);
  const isOneCharacter = new Set(password).size < 4;
  if (length < LEAST || length > MOST || isNamed || isOneCharacter) throw new SuturaError('user.password');
}
