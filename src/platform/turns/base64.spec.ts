import { decodeBase64 } from './base64.js';

describe('base64', () => {
  it.each([
    'A',
    'AA',
    'AAA',
    'A===',
    '=',
    '====',
    'AA=A',
    'AAAA=AAA',
    'AB=C',
    'AA==AAAA',
    'A-_A',
    'AAA\u0000',
    'AAA\u00e4',
    'AAA\u{1F600}',
    'AAA.',
    '%%%%',
    'AAA AA',
    'AAAA=',
    'AAAA====',
  ])('is not %j', (text) => {
    expect(decodeBase64(text)).toBeNull();
  });

  it('is the bytes that were written as it, whatever their number, in one line or many', () => {
    for (const length of [0, 1, 2, 3, 4, 76, 77, 1000, 100_001]) {
      const bytes = Buffer.from(Array.from({ length }, (_, place) => (place * 31 + length) % 256));
      const text = bytes.toString('base64');
      expect(decodeBase64(text)?.equals(bytes)).toBe(true);
      expect(decodeBase64(text.replaceAll(/.{76}/g, '$&\r\n'))?.equals(bytes)).toBe(true);
    }
  });

  it('is told apart wherever one character is wrong', () => {
    const text = Buffer.alloc(3000, 7).toString('base64');
    for (const place of [0, 1, 2047, 2048, 3998, 3999]) {
      for (const wrong of ['=', '!', '-', '\u0100']) {
        const broken = text.slice(0, place) + wrong + text.slice(place + 1);
        // Its last character may be padding.
        expect(decodeBase64(broken) === null).toBe(!(wrong === '=' && place === 3999));
      }
    }
  });

  it.each([
    ['a blank behind each character', 'A '.repeat(200_000)],
    ['a line end behind each group of twelve', `${'A'.repeat(12)}\n`.repeat(20_000)],
    ['blanks alone', ' '.repeat(400_000)],
    ['padding where a piece ends', `${'A'.repeat(256 * 1024 - 2)}==AAAA`],
    ['padding, line ends and more', `${'A'.repeat(400_000)}AA==\r\nAAAA`],
    ['half a group', `${'A'.repeat(400_000)}A`],
    ['a letter of another script', `${'A'.repeat(300_000)}\u0141${'A'.repeat(99_999)}`],
  ])('is not, in a long text, %s', (_, text) => {
    expect(decodeBase64(text)).toBeNull();
  });

  it.each([76, 64, 60])('is a long text in lines of %d, whose line ends lie anywhere between its pieces', (width) => {
    const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, place) => (place * 31) % 251));
    for (const end of ['\r\n', '\n']) {
      const text = bytes.toString('base64').replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${end}`);
      expect(decodeBase64(text)?.equals(bytes)).toBe(true);
    }
  });
});
