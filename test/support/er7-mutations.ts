import type { Dice } from './mutations.js';

const NASTY: readonly string[] = [
  '',
  '""',
  '|',
  '^',
  '~',
  '&',
  '\\',
  '|||||||||',
  '^^^^^^^^^^',
  '~~~~~',
  '\r',
  '\n',
  '\r\n',
  '\r\r',
  '\x0b',
  '\x1c',
  '\x1c\r',
  '\x00',
  '\t',
  ' ',
  '\x7f',
  '\\F\\',
  '\\X\\',
  '\\X0D\\',
  '\\XFFFE\\',
  '\\.br\\',
  '\\.sp99999\\',
  '\\C2842\\',
  '\\M242A42\\',
  '\\Zx\\',
  '\\E\\E',
  '\\X',
  '\\H\\\\N\\',
  '\\\\\\\\',
  '\xff',
  '\xc3',
  '\xc3\xbc',
  '\xed\xa0\x80',
  '\xf0\x9f\x98\x80',
  '\x1b$B',
  '\xfe\xff',
  '\ufeff',
  'MSH',
  'MSH|',
  '\rMSH|^~\\&|X\r',
  '\rPID|',
  '\rOBX|',
  '\rORC|CA|',
  '\rZZZ|1',
  'EVN',
  'BHS|^~\\&',
  '\rMRG|',
  '20260230',
  '99991231235959.9999+1400',
  '2026',
  '00000000',
  '-1',
  '1e308',
  'NaN',
  '9'.repeat(400),
  '0.0000001',
  '+',
  'ED',
  'RP',
  'NM',
  'CWE',
  'ST',
  'F',
  'X',
  'NW',
  'CA',
  'XO',
  'SC',
  'HD',
  'RL',
  'A40',
  'A08',
  'T11',
  'O19',
  'R01',
  '2.1',
  '2.3',
  '2.9',
  '3',
  'P',
  'T',
  'AL',
  'NE',
  'ER',
  'ASCII',
  '8859/1',
  'UNICODE',
  'UNICODE UTF-8',
  'ISO IR87',
  'BIG-5',
  'ASCII~ISO IR87',
  'https://ehr.example.org/a.jpg',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  '\\\\host\\share',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  'x'.repeat(5000),
  '^'.repeat(3000),
  'wound-id',
  'pixel-spacing',
  '39135-9',
];

/** A copy of a message with 1 to 5 things about it changed: bytes, fields, segments, delimiters, its end. */
export function mutateMessage(message: Buffer, dice: Dice): Buffer {
  let text = message.toString('latin1');
  for (let count = 1 + dice.below(5); count > 0; count -= 1) text = mutateOnce(text, dice);
  return Buffer.from(text, 'latin1');
}

function mutateOnce(text: string, dice: Dice): string {
  // Photos are most of a message's bytes: what is around them is worth more.
  const at = dice.below(Math.min(text.length + 1, dice.below(3) === 0 ? text.length + 1 : 900));
  switch (dice.below(9)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return `${text.slice(0, at)}${text.slice(at + 1 + dice.below(40))}`;
    case 2:
      return `${text.slice(0, at)}${String.fromCharCode(dice.below(256))}${text.slice(at + 1)}`;
    case 3:
      return `${text.slice(0, at)}${dice.pick(NASTY)}${text.slice(at)}`;
    case 4:
      return mutateSegments(text, dice);
    case 5:
      return text.replaceAll(
        dice.pick(['|', '^', '~', '\\', '&', '\r']),
        dice.pick(['|', '^', '#', '!', '\n', '\r\n', '$', '*', '']),
      );
    default:
      return mutateField(text, dice);
  }
}

function mutateSegments(text: string, dice: Dice): string {
  const segments = text.split('\r');
  const [from, to] = [dice.below(segments.length), dice.below(segments.length)];
  switch (dice.below(3)) {
    case 0:
      segments.splice(from, 1);
      break;
    case 1:
      segments.splice(to, 0, segments[from]!);
      break;
    default:
      [segments[from], segments[to]] = [segments[to]!, segments[from]!];
  }
  return segments.join('\r');
}

function mutateField(text: string, dice: Dice): string {
  const segments = text.split('\r');
  const place = dice.below(segments.length);
  const fields = segments[place]!.split('|');
  const field = dice.below(fields.length);
  const parts = fields[field]!.split('^');
  if (dice.below(2) === 0) fields[field] = dice.pick(NASTY);
  else {
    parts[dice.below(parts.length)] = dice.pick(NASTY);
    fields[field] = parts.join('^');
  }
  segments[place] = fields.join('|');
  return segments.join('\r');
}
