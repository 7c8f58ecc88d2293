/** What a message or record says of a person. Names as words are written; a date as `1951-07-14`, `1951-07` or `1951`. */
export interface StatedPerson {
  readonly families: readonly string[];
  readonly givens: readonly string[];
  readonly birthDate: string | undefined;
}

/** A name in its parts. */
export interface PersonName {
  readonly family?: string | undefined;
  readonly given?: readonly string[] | undefined;
  /** As a whole; counts as a family name where there are no parts. */
  readonly text?: string | undefined;
}

/** What names and a birth date say of who somebody is. */
export function statedPersonOf(names: readonly PersonName[], birthDate: string | undefined): StatedPerson {
  return {
    families: names.flatMap(({ family, text, given }) => family ?? (given === undefined ? (text ?? []) : [])),
    // A null stands in a list where a name has extensions alone.
    givens: names.flatMap(({ given = [] }) => given.filter((one) => typeof one === 'string')),
    birthDate,
  };
}

/**
 * `same`: nothing speaks against it, or nothing is known. `differs`: worth a warning, as a family name alone is, which marriage changes.
 * `conflict`: another birth date, or no given name in common: perhaps another person, so that nothing is filed until somebody has looked.
 */
export interface IdentityComparison {
  readonly birthDate: 'same' | 'conflict';
  readonly givenName: 'same' | 'conflict';
  readonly familyName: 'same' | 'differs';
}

/** Words that stand for a name that nobody knows. */
const NO_NAMES = new Set(
  'unknown unbekannt inconnu onbekend desconocido nn nomen nescio baby babyboy babygirl neugeborenes neugeborener newborn boy girl male female test patient ohne vorname'.split(
    ' ',
  ),
);
/** Parts of names that many people have. */
const PARTICLES = new Set(
  'dr prof med von van de der den di da du la le el al zu zum zur vom und geb nee mr mrs frau herr'.split(' '),
);
/** Days that registers use where they know none. */
const NO_DAYS = new Set([
  '1900-01-01',
  '1800-01-01',
  '1901-01-01',
  '1753-01-01',
  '0001-01-01',
  '9999-12-31',
  '1111-11-11',
]);
/** Letters of a word from which one typing error does not make it another, and from which two do not. */
const ONE_ERROR_LETTERS = 4;
const TWO_ERRORS_LETTERS = 8;
/** Letters that an abbreviated name has at least: Max for Maximilian. */
const ABBREVIATION_LETTERS = 3;

/** Compares what is known under a number with what comes under it. */
export function compareIdentity(known: StatedPerson, said: StatedPerson): IdentityComparison {
  const [knownGivens, saidGivens] = [wordsOf(known.givens), wordsOf(said.givens)];
  const [knownFamilies, saidFamilies] = [wordsOf(known.families), wordsOf(said.families)];
  const isSwapped =
    [knownGivens, saidGivens, knownFamilies, saidFamilies].every((words) => words.length > 0) &&
    share(knownGivens, saidFamilies) &&
    share(knownFamilies, saidGivens);
  const isFamilySame = isSwapped || share(knownFamilies, saidFamilies);
  return {
    birthDate: isOtherDay(known.birthDate, said.birthDate) ? 'conflict' : 'same',
    givenName: isSwapped || share(knownGivens, saidGivens) ? 'same' : 'conflict',
    familyName: isFamilySame ? 'same' : 'differs',
  };
}

/** The date as it was stated; null: none, or one that stands for a day that nobody knows. */
export function knownBirthDate(birthDate: string | null | undefined): string | null {
  return birthDate === undefined || birthDate === null || NO_DAYS.has(birthDate) ? null : birthDate;
}

/** The same text for the same names and birth date, whatever their order, capitals and accents. */
export function statementKey({ families, givens, birthDate = '' }: StatedPerson): string {
  return JSON.stringify([wordsOf(families).sort(), wordsOf(givens).sort(), birthDate]);
}

export function isIdentityConflict({ birthDate, givenName }: IdentityComparison): boolean {
  return birthDate === 'conflict' || givenName === 'conflict';
}

/** True too where either side has no word that could be compared: what nobody knows contradicts nothing. */
function share(known: readonly string[], said: readonly string[]): boolean {
  if (known.length === 0 || said.length === 0) return true;
  return known.some((one) => said.some((other) => isSameName(one, other)));
}

/** Letters of the words, without accents; a hyphen parts words. Letters of another script than Latin are kept as they are. */
function wordsOf(names: readonly string[]): string[] {
  return names
    .flatMap((name) =>
      name
        .toLowerCase()
        .replaceAll('ß', 'ss')
        .replaceAll('ø', 'o')
        .replaceAll('æ', 'a')
        .replaceAll('ł', 'l')
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/['’]/g, '')
        .split(/[^\p{L}]+/u),
    )
    .filter((word) => word !== '' && !NO_NAMES.has(word) && !PARTICLES.has(word));
}

/** Spellings of one sound: ä is a or ae, Sophie is Sofie, Meyer is Meier. A word is compared with and without them. */
function respelled(word: string): string {
  return word
    .replaceAll(/ae|oe|ue/g, (pair) => pair[0]!)
    .replaceAll('ph', 'f')
    .replaceAll('th', 't')
    .replaceAll('y', 'i');
}

function isSameName(one: string, other: string): boolean {
  return [one, respelled(one)].some((left) => [other, respelled(other)].some((right) => isSameWord(left, right)));
}

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  // Nobody can tell by letters alone whether Анна is Anna.
  if (isLatin(one) !== isLatin(other)) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 1) return long.startsWith(short);
  if (short.length >= ABBREVIATION_LETTERS && long.startsWith(short)) return true;
  const errors = short.length >= TWO_ERRORS_LETTERS ? 2 : short.length >= ONE_ERROR_LETTERS ? 1 : 0;
  return long.length - short.length <= errors && typingErrors(one, other) <= errors;
}

function isLatin(word: string): boolean {
  return /^\p{Script=Latin}+$/u.test(word);
}

/** Letters left out, added, changed, or exchanged with their neighbour (Damerau 1964, of one exchange in a place). */
function typingErrors(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const changed = rows[at - 1]![to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isExchange = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row.push(
        Math.min(changed, rows[at - 1]![to]! + 1, row[to - 1]! + 1, isExchange ? rows[at - 2]![to - 2]! + 1 : Infinity),
      );
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}

/** Compared as far as both are precise: a year and a day of that year do not differ. */
function isOtherDay(known: string | undefined, said: string | undefined): boolean {
  if (known === undefined || said === undefined || NO_DAYS.has(known) || NO_DAYS.has(said)) return false;
  return !said.startsWith(known) && !known.startsWith(said);
}
