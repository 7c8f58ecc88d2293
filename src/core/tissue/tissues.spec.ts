import { PUSH_TISSUES, TISSUE_TABLE, TISSUES, tissuesOf, type TissueComposition } from './tissues.js';

/** Published with the first release: receivers match the rows of HL7 v2 messages by these numbers. */
const PUBLISHED_NUMBERS = { granulation: 1, slough: 2, necrosis: 3, other: 4 };

/** ITU-R BT.709 luma, 0 to 255. */
function luma(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

describe('the tissue table', () => {
  it('keeps the numbers that are published, and gives none twice', () => {
    const numbers = Object.fromEntries(TISSUES.map((tissue) => [tissue, TISSUE_TABLE[tissue].number]));
    expect(numbers).toMatchObject(PUBLISHED_NUMBERS);
    expect(Object.values(numbers).sort()).toEqual(TISSUES.map((_, index) => index + 1));
  });

  it('has colours that can be told apart in greyscale', () => {
    const greys = TISSUES.map((tissue) => luma(TISSUE_TABLE[tissue].colour)).sort((one, two) => one - two);
    expect(greys.filter((grey, index) => index > 0 && grey - greys[index - 1]! < 25)).toEqual([]);
  });

  it('has a pattern for each tissue, and none twice', () => {
    expect(new Set(TISSUES.map((tissue) => TISSUE_TABLE[tissue].pattern)).size).toBe(TISSUES.length);
  });

  it('scores each tissue of the bed, and the remainder never', () => {
    for (const tissue of TISSUES) {
      const { push, inWoundBed } = TISSUE_TABLE[tissue];
      expect([tissue, push !== null && PUSH_TISSUES.includes(push)]).toEqual([tissue, inWoundBed]);
    }
  });
});

describe('the tissues of a composition', () => {
  it('are those that were told apart when it was stored', () => {
    const stored = { granulation: 0.6, slough: 0.4, method: { granulation: 'model', slough: 'model' } };
    expect(tissuesOf(stored as unknown as TissueComposition)).toEqual(['granulation', 'slough']);
  });
});
