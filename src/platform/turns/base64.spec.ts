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
});
