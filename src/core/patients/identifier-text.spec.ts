import { identifierFault } from './identifier-text.js';
import { processorMs } from '../../../test/support/processor-time.js';

describe('a number of a patient, a wound, an order or a message', () => {
  it.each([
    ['a zero-width space', '47\u200b11', 'U+200B'],
    ['a zero-width joiner', '47\u200d11', 'U+200D'],
    ['a right-to-left mark', '4711\u200f', 'U+200F'],
    ['a word joiner', '47\u206011', 'U+2060'],
    ['a byte order mark', '\ufeff4711', 'U+FEFF'],
    ['a soft hyphen', '47\u00ad11', 'U+00AD'],
    ['a bidirectional override', '47\u202e11', 'U+202E'],
    ['a bidirectional isolate', '47\u206611', 'U+2066'],
    ['a combining grapheme joiner', '47\u034f11', 'U+034F'],
    ['a variation selector', '4711\ufe0f', 'U+FE0F'],
    ['a tag character', '4711\u{e0031}', 'U+E0031'],
    ['a no-break space', '47\u00a011', 'U+00A0'],
    ['an ideographic space', '47\u300011', 'U+3000'],
    ['a line separator', '47\u202811', 'U+2028'],
    ['a tab', '47\t11', 'U+0009'],
    ['a bell', '47\u000711', 'U+0007'],
    ['a full-width digit', '４711', 'U+FF14'],
  ])('with %s is refused with the name of the character', (_title, text, name) => {
    expect(identifierFault(text)).toMatch(`(${name})`);
  });

  it('with a letter in two parts is refused', () => {
    expect(identifierFault('Müller-1'.normalize('NFD'))).toMatch('NFC');
  });

  it.each([' 4711', '4711 ', ' '])('that begins or ends with a blank is refused: %j', (text) => {
    expect(identifierFault(text)).toMatch('begin or end with a blank');
  });

  it.each(['4711', 'MRN 47-11/a_B.c', 'Müller-1', '患者-12', 'ข้อ-7', 'א-5', '١٢٣', 'W🙂1', '2^53', '"4711"'])(
    'that a person can read is taken as it is: %s',
    (text) => {
      expect(identifierFault(text)).toBeNull();
    },
  );

  it('is judged in a time that its length bounds', () => {
    const text = `${' '.repeat(50_000)}x${' '.repeat(50_000)}x`;
    expect(processorMs(() => identifierFault(text))).toBeLessThan(200);
  });
});
