import { compareIdentity, isIdentityConflict, type StatedPerson } from './identity-comparison.js';

/** `Family^Given^Middle 1951-07-14`, as PID-5 and PID-7 say it; `-` is a birth date that nobody stated. */
function person(text: string): StatedPerson {
  const at = text.lastIndexOf(' ');
  const [family = '', ...givens] = text.slice(0, at).split('^');
  const birthDate = text.slice(at + 1);
  return { families: [family], givens, birthDate: birthDate === '-' ? undefined : birthDate };
}

/**
 * Two statements under one number, and what a records clerk would do: `file` under it; file and `warn`; or `hold` until somebody has looked.
 * Argue with this table: the rule follows it.
 */
const PAIRS: readonly (readonly [why: string, known: string, said: string, decision: 'file' | 'warn' | 'hold'])[] = [
  ['the same', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna 1951-07-14', 'file'],
  ['capitals', 'Beispiel^Anna 1951-07-14', 'BEISPIEL^ANNA 1951-07-14', 'file'],
  ['accents', 'Müller^Zoë 1951-07-14', 'Muller^Zoe 1951-07-14', 'file'],
  ['umlauts written out', 'Müller^Jürgen 1951-07-14', 'Mueller^Juergen 1951-07-14', 'file'],
  ['sharp s', 'Groß^Anna 1951-07-14', 'Gross^Anna 1951-07-14', 'file'],
  ['a letter left out', 'Beispiel^Anna 1951-07-14', 'Beispel^Anna 1951-07-14', 'file'],
  ['letters exchanged', 'Beispiel^Martin 1951-07-14', 'Beispiel^Matrin 1951-07-14', 'file'],
  ['Meier and Maier', 'Meier^Sophie 1951-07-14', 'Maier^Sofie 1951-07-14', 'file'],
  ['two errors in a long name', 'Beispiel^Alexandra 1951-07-14', 'Beispiel^Alexsandrra 1951-07-14', 'file'],
  ['a middle name more', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna^Maria 1951-07-14', 'file'],
  ['known by the middle name', 'Beispiel^Anna^Maria 1951-07-14', 'Beispiel^Maria 1951-07-14', 'file'],
  ['a double name in one word', 'Beispiel^Anna-Maria 1951-07-14', 'Beispiel^Annamaria 1951-07-14', 'file'],
  ['an initial', 'Beispiel^Anna 1951-07-14', 'Beispiel^A. 1951-07-14', 'file'],
  ['an abbreviation', 'Beispiel^Maximilian 1951-07-14', 'Beispiel^Max 1951-07-14', 'file'],
  ['given name and family name exchanged', 'Beispiel^Anna 1951-07-14', 'Anna^Beispiel 1951-07-14', 'file'],
  ['a family name of two, one of them said', 'Beispiel-Probe^Anna 1951-07-14', 'Probe^Anna 1951-07-14', 'file'],
  ['a particle', 'von Beispiel^Anna 1951-07-14', 'Beispiel^Anna 1951-07-14', 'file'],
  ['a title in the name', 'Beispiel^Anna 1951-07-14', 'Dr. Beispiel^Anna 1951-07-14', 'file'],
  ['an apostrophe', "O'Beispiel^Anna 1951-07-14", 'OBeispiel^Anna 1951-07-14', 'file'],
  ['another script', 'Beispiel^Anna 1951-07-14', 'Бейспил^Анна 1951-07-14', 'file'],
  ['nothing known yet', '^ -', 'Beispiel^Anna 1951-07-14', 'file'],
  ['nothing said', 'Beispiel^Anna 1951-07-14', '^ -', 'file'],
  ['a year alone', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna 1951', 'file'],
  ['a birth date that stands for none', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna 1900-01-01', 'file'],
  ['a name that stands for none', 'Beispiel^Anna 1951-07-14', 'Unbekannt^Unbekannt 1951-07-14', 'file'],
  ['a newborn, named since', 'Beispiel^Baby 2026-07-14', 'Beispiel^Emma 2026-07-14', 'file'],
  ['married', 'Beispiel^Anna 1951-07-14', 'Probe^Anna 1951-07-14', 'warn'],
  ['another family name, no given name', 'Beispiel^ 1951-07-14', 'Probe^ 1951-07-14', 'warn'],
  ['another day', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna 1951-07-15', 'hold'],
  ['day and month exchanged', 'Beispiel^Anna 1951-07-04', 'Beispiel^Anna 1951-04-07', 'hold'],
  ['another century', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna 2051-07-14', 'hold'],
  ['another year alone', 'Beispiel^Anna 1951-07-14', 'Beispiel^Anna 1952', 'hold'],
  ['father and son', 'Beispiel^Karl 1951-07-14', 'Beispiel^Karl 1981-02-03', 'hold'],
  ['twins', 'Beispiel^Lena 2019-07-14', 'Beispiel^Paul 2019-07-14', 'hold'],
  ['twins of like names', 'Beispiel^Tim 2019-07-14', 'Beispiel^Tom 2019-07-14', 'hold'],
  ['twins with one middle name of two', 'Beispiel^Lena^Marie 2019-07-14', 'Beispiel^Paula^Sofie 2019-07-14', 'hold'],
  ['husband and wife', 'Beispiel^Anna 1951-07-14', 'Beispiel^Karl 1949-01-02', 'hold'],
  ['two facilities with one number', 'Meier^Anna 1950-01-01', 'Schulz^Bernd 1980-12-31', 'hold'],
  ['two facilities, born on one day', 'Meier^Anna 1950-01-01', 'Schulz^Bernd 1950-01-01', 'hold'],
  ['another person with the same given name', 'Meier^Anna 1950-01-01', 'Schulz^Anna 1980-12-31', 'hold'],
  ['another person with the same family name', 'Meier^Anna 1950-01-01', 'Meier^Gudrun 1950-01-01', 'hold'],
  ['a nickname that is another word', 'Beispiel^Margarete 1951-07-14', 'Beispiel^Gretel 1951-07-14', 'hold'],
];

describe('two statements under one number', () => {
  it.each(PAIRS)('%s: %s, %s → %s', (_, known, said, decision) => {
    for (const [one, other] of [
      [known, said],
      [said, known],
    ] as const) {
      const comparison = compareIdentity(person(one), person(other));
      const made = isIdentityConflict(comparison) ? 'hold' : comparison.familyName === 'differs' ? 'warn' : 'file';
      expect([one, other, made]).toEqual([one, other, decision]);
    }
  });

  it('are forty or more, with wrong holds and wrong joins counted', () => {
    const made = PAIRS.map(([, known, said, decision]) => ({
      decision,
      held: isIdentityConflict(compareIdentity(person(known), person(said))),
    }));
    const wrongHolds = made.filter(({ decision, held }) => held && decision !== 'hold').length;
    const wrongJoins = made.filter(({ decision, held }) => !held && decision === 'hold').length;
    expect([PAIRS.length >= 40, wrongHolds, wrongJoins]).toEqual([true, 0, 0]);
  });

  it('are compared by all names that a record has', () => {
    const known = { families: ['Beispiel', 'Probe'], givens: ['Anna'], birthDate: '1951-07-14' };
    expect(compareIdentity(known, person('Probe^Anna 1951-07-14'))).toEqual({
      birthDate: 'same',
      givenName: 'same',
      familyName: 'same',
    });
  });
});
