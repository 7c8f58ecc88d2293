import { requirePassword } from './password-rule.js';
import { processorMs } from '../../../test/support/processor-time.js';

const codeOf = (password: string, name = 'anna.schmidt'): string => {
  try {
    requirePassword(password, name);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a password is refused', () => {
  it.each([
    ['too short', 'nine boats'],
    ['too long', 'nine boats '.repeat(24)],
    ['of one character', 'aaaaaaaaaaaaaaaa'],
    ['with the name', 'I am Anna.Schmidt here'],
    ['digits in a row', '123456789012'],
    ['backwards', '987654321098'],
    ['letters in a row', 'abcdefghijklmnop'],
    ['a known one twice', 'passwordpassword'],
    ['a short text over and over', 'xk9!xk9!xk9!xk9!xk'],
    ['the product with a year', 'Sutura2026!!'],
    ['the product and a word', 'SuturaWelcome1'],
    ['two known words', 'WelcomePassword1!'],
    ['a known word in other letters', 'P@$$w0rd2026!'],
    ['a way over the keyboard', '1q2w3e4r5t6y'],
    ['another one', 'qwertyuiop123'],
    ['columns of keys', '1qaz2wsx3edc'],
    ['parts of the name with digits', 'schmidtanna1984'],
    ['a month and a year', 'September2026!'],
    ['the trade and a row', 'hospital123456'],
    ['a German season and a year', 'Sommer2026!!'],
    ['the German trade and a year', 'Krankenhaus2026'],
    ['a German month and a year', 'Dezember2026!'],
    ['the French trade and a year', 'Infirmiere2026!'],
    ['a French month with its accent', 'Février2026!!'],
    ['a Spanish season and a year', 'Primavera2026!'],
    ['a Spanish word with its tilde', 'Contraseña2026'],
  ])('%s: %s', (_, password) => expect(codeOf(password)).toBe('user.password'));
});

it.each([
  'seven suns over one meadow',
  'nine boats behind the harbour',
  'correct horse battery staple',
  'Zoë läuft über Wiesen',
  'kT7#pw-Zq4vL',
  'my password of the summer is a pear tree',
  'mountain-otter-42-velvet',
  '静かな湖のほとりで朝ごはんを',
])('is taken: %s', (password) => expect(codeOf(password)).toBe('taken'));

it('is looked at in no time, however long it is', () => {
  for (const unit of ['ab', 'password', '1', '\u{1F600}x'])
    expect(processorMs(() => codeOf(unit.repeat(256 / unit.length)))).toBeLessThan(125);
});
