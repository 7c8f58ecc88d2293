import { Dice } from '../../../../test/support/mutations.js';
import { eachSeed, seedsOf } from '../../../../test/support/rounds.js';
import { encodeText } from './character-set.js';
import { decodeMessage, type DecodedMessage } from './decode-message.js';
import { isAtLeastVersion, MessageWriter } from './message-writer.js';

const writer = new MessageWriter('2.5.1');

describe('writing a message', () => {
  it('lets no text frame, end or divide a message', () => {
    const plain = 'a|b^c~d\\e&f\x0b\x1c\rg\nh\x00i';
    expect(writer.text(plain)).toBe('a\\F\\b\\S\\c\\R\\d\\E\\e\\T\\f  g h i');
    expect(writer.formattedText('one\r\ntwo\rthree\nfour|\u2028five')).toBe(
      'one\\.br\\two\\.br\\three\\.br\\four\\F\\\\.br\\five',
    );
    expect(writer.message(['PID|1||echoed\r\nas\x0bit\x1ccame'])).toBe('PID|1||echoed as it came\r');
  });

  it('ends every segment in CR, the last one, too, and leaves out empty fields at the end', () => {
    const msh = writer.segment('MSH', {
      3: 'SUTURA',
      9: writer.components('ORU', 'R01', 'ORU_R01'),
      12: '2.5.1',
      18: '',
    });
    expect(writer.message([msh, writer.segment('OBX', { 1: '1', 5: '', 11: 'F' }), writer.segment('ZZZ', {})])).toBe(
      'MSH|^~\\&|SUTURA||||||ORU^R01^ORU_R01|||2.5.1\rOBX|1||||||||||F\rZZZ\r',
    );
  });

  it.each([
    ['2.3', 'CE', '1^Heel \\T\\ toe^SCT^x^y^L'],
    ['2.4', 'CE', '1^Heel \\T\\ toe^SCT^x^y^L'],
    ['2.5', 'CWE', '1^Heel \\T\\ toe^SCT^x^y^L^^^left'],
    ['2.9', 'CWE', '1^Heel \\T\\ toe^SCT^x^y^L^^^left'],
  ])('writes coded values of %s as %s', (version, type, written) => {
    const value = {
      code: '1',
      display: 'Heel & toe',
      system: 'SCT',
      alternate: { code: 'x', display: 'y', system: 'L' },
      originalText: 'left',
    };
    const versioned = new MessageWriter(version);
    expect([versioned.codedType, versioned.coded(value)]).toEqual([type, written]);
    expect(versioned.coded({ code: 'a' })).toBe('a');
  });

  it('joins parts and leaves out empty ones at the end', () => {
    expect([
      writer.components('a', '', 'b', ''),
      writer.subcomponents('H', '1.2', 'ISO'),
      writer.repetitions('a', 'b'),
      writer.components(),
    ]).toEqual(['a^^b', 'H&1.2&ISO', 'a~b', '']);
  });

  it.each([
    ['2.5.1', '2.5', true],
    ['2.5', '2.5.1', false],
    ['2.3', '2.3.1', false],
    ['2.9', '2.8.2', true],
    ['2.9', '2.8.3', false],
    ['2.10', '2.7', true],
    ['', '2.3', false],
    ['two', '2.3', false],
  ])('knows of %p whether it is at least %s', (stated, wanted, expected) =>
    expect(isAtLeastVersion(stated, wanted)).toBe(expected),
  );

  it('reads back every text that it wrote, in random ones', async () => {
    const alphabet = [
      '|',
      '^',
      '~',
      '\\',
      '&',
      '#',
      '\n',
      'ä',
      '€',
      '傷',
      '\\.br\\',
      '\\F\\',
      'X',
      'E',
      ' a',
      '""x',
      '😀',
    ];
    await eachSeed('message-writer', seedsOf('message-writer', 500), (seed) => {
      const dice = new Dice(seed);
      const plain = `t${Array.from({ length: dice.below(12) }, () => dice.pick(alphabet)).join('')}t`;
      const text = writer.message([
        writer.segment('MSH', { 18: 'UNICODE UTF-8' }),
        writer.segment('NTE', {
          3: writer.formattedText(plain),
          4: writer.components('', writer.subcomponents('', writer.text(plain))),
        }),
      ]);
      const note = (
        decodeMessage(encodeText(text, 'UNICODE UTF-8'), { characterSet: null }) as DecodedMessage
      ).message.segment('NTE')!;
      expect(note.field(3).text).toBe(plain);
      expect(note.field(4).repetitions[0]!.text(2, 2)).toBe(plain.replace(/\n/g, ' '));
    });
  });
});
