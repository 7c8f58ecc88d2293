/** Longest text that a search may ask for, and as much of a text as is indexed. */
export const TEXT_LIMIT = 256;

/** Letters that do not decompose into a base letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
const ANY_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Folds case, accents and word separators, which do not count in a search (R4 search.html, 3.1.1.4.6). */
export function foldText(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(ANY_LETTER, (letter) => LETTERS[letter]!);
  return plain.normalize('NFC').replaceAll('\u0000', '').replace(/\s+/g, ' ').trim();
}
