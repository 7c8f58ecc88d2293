/** What a reader takes for the same, in ASCII. */
const STAND_INS: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2026': '...',
  '\u2022': '*',
  '\u00b7': '.',
  '\u00d7': 'x',
  '\u00b1': '+/-',
  '\u00b2': '2',
  '\u00b3': '3',
  '\u2264': '<=',
  '\u2265': '>=',
  '\u2248': '~',
  '\u00b5': 'u',
  '\u03bc': 'u',
  '\u20ac': 'EUR',
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u00df': 'ss',
  '\u1e9e': 'SS',
  '\u00c6': 'AE',
  '\u00e6': 'ae',
  '\u0152': 'OE',
  '\u0153': 'oe',
  '\u00d8': 'O',
  '\u00f8': 'o',
  '\u0141': 'L',
  '\u0142': 'l',
  '\u0110': 'D',
  '\u0111': 'd',
};

/** For a character that a set lacks: plain punctuation, the letter without its marks; `?` where neither is known. */
export function standInFor(character: string): string {
  const known = STAND_INS[character];
  if (known !== undefined) return known;
  const base = character.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return /^[ -~]+$/.test(base) ? base : '?';
}
