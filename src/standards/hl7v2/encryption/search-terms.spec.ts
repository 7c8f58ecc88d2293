import { SearchTerms, wordsOf } from './search-terms.js';

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

describe('what messages are found by', () => {
  it('says nothing of a number without the key, and another thing for a number of another kind', () => {
    const [kept] = new SearchTerms([newer]).of('patient', ['MRN-1']);
    expect(kept!.includes('MRN')).toBe(false);
    expect(kept).not.toEqual(new SearchTerms([older]).of('patient', ['MRN-1'])[0]);
    expect(kept).not.toEqual(new SearchTerms([newer]).of('order', ['MRN-1'])[0]);
  });

  it('finds what was kept under the key of now, under an older one, and before there was one', () => {
    const wanted = new SearchTerms([newer, older]).wanted('patient', ['mrn-1 ']).flat();
    for (const keys of [[newer], [older], []]) {
      const [kept] = new SearchTerms(keys).of('patient', ['MRN-1']);
      expect(wanted.some((term) => term.equals(kept!))).toBe(true);
    }
    expect(new SearchTerms([]).wanted('patient', ['MRN-1'])).toHaveLength(1);
  });

  it('keeps each thing once, nothing for nothing, and no more than 64', () => {
    const terms = new SearchTerms([]);
    expect(terms.of('order', ['A', 'a ', '', ' '])).toHaveLength(1);
    expect(
      terms.of(
        'order',
        Array.from({ length: 200 }, (_, index) => `O-${index}`),
      ),
    ).toHaveLength(64);
  });

  it('takes a text apart into words', () =>
    expect(wordsOf('Table value not found: "9-X"!')).toEqual(['Table', 'value', 'not', 'found', '9', 'X']));
});
