import { processorMs } from '../../../../test/support/processor-time.js';
import { CharacterReferences } from './character-references.js';

const LONG = 400_000;

/** The quickest of three: garbage may be collected in any of them, and the first compiles. */
const quickestMs = (work: () => unknown): number => Math.min(...[1, 2, 3].map(() => processorMs(work)));

/** Whether the text is refused, and the processor time of that beside the time to read as many good references. */
function costOf(text: string): number {
  const good = '&#97;'.repeat(LONG / 4);
  const refusing = quickestMs(() =>
    expect(() => new CharacterReferences(LONG).valueOf(text)).toThrow('request.invalid'),
  );
  return refusing / quickestMs(() => new CharacterReferences(LONG).valueOf(good));
}

describe('references of XML', () => {
  it.each([
    ['bare ampersands', '&'.repeat(LONG)],
    ['references to no character', '&#0;'.repeat(LONG)],
    ['entities that nobody declared', '&a;'.repeat(LONG)],
  ])('are read up to the first that is refused, and no further: %s', (_, text) => {
    expect(costOf(text)).toBeLessThan(0.2);
  });

  it('are read up to as many as there may be, and no further', () => {
    expect(() => new CharacterReferences(2).valueOf('&lt;&lt;&lt;')).toThrow('request.too_large');
    const references = new CharacterReferences(3);
    expect(references.valueOf('&lt;')).toBe('<');
    expect(references.valueOf('&gt;&amp;')).toBe('>&');
    expect(() => references.check('a &quot; b')).toThrow('request.too_large');
  });

  it.each([
    ['', ''],
    ['a\r\nb\tc', 'a b c'],
    ['&#65;b&#x43;', 'AbC'],
    ['a &amp;amp; b &apos;c&quot;', `a &amp; b 'c"`],
    ['&#x1F600;', '\u{1f600}'],
    ['&#10;\n', '\n '],
  ])('are read as XML says: %j', (written, value) => {
    expect(new CharacterReferences(10).valueOf(written)).toBe(value);
  });
});
