/**
 * Characters that nobody sees, or that look like a plain blank: controls, format characters (zero width, bidirectional, soft hyphen, byte order
 * mark, tags), line separators, fillers, variation selectors, and all blanks but U+0020.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u034f\u115f\u1160\u1680\u17b4\u17b5\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** ASCII at the width of an ideograph. */
const FULL_WIDTH = /[\uff01-\uff5e]/;

/**
 * Why a text cannot be the number of a patient, a wound, an order, a visit or a message; null: it can. Two numbers that a person reads as one
 * would be two patients (docs/decisions/0067). Nothing is corrected: results repeat a number exactly as it came. The sentence names the
 * character, never the number.
 */
export function identifierFault(text: string): string | null {
  const unseen = UNSEEN.exec(text)?.[0];
  if (unseen !== undefined) return `must not contain a character that nobody sees (${codePointOf(unseen)})`;
  if (text.startsWith(' ') || text.endsWith(' ')) return 'must not begin or end with a blank';
  const wide = FULL_WIDTH.exec(text)?.[0];
  if (wide !== undefined) return `must not contain a full-width letter or digit (${codePointOf(wide)})`;
  return text.normalize('NFC') === text ? null : 'must have its letters in one piece each (Unicode NFC)';
}

function codePointOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
