import { joined } from './joined-text.js';
import { atOnce } from './turns.js';

const MIB = 1024 * 1024;

describe('a text joined in turns', () => {
  it.each([
    ['no piece', []],
    ['one piece', ['a']],
    ['short pieces', ['a', '', 'ä', '創']],
    ['long ones of one byte a character', ['a'.repeat(MIB), 'ÿ\u0000', 'b'.repeat(MIB)]],
    ['long ones with a character of two bytes at the end', ['a'.repeat(MIB), 'b'.repeat(MIB), '創']],
    [
      'long ones with characters of two units and halves of them',
      ['😀'.repeat(MIB / 2), '\ud83d', '\ude00', '\udc00a'],
    ],
  ])('is the same as at once: %s', (_, pieces) => {
    expect(atOnce(joined(pieces)) === pieces.join('')).toBe(true);
  });

  it('lets others have their turn behind each long piece', () => {
    const pieces = Array.from({ length: 8 }, () => 'a'.repeat(MIB));
    const steps = [...joined(pieces)];
    expect(steps.length).toBeGreaterThanOrEqual(pieces.length);
  });
});
