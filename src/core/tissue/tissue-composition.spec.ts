import { numbersFrom } from '../../../test/support/drawn-shapes.js';
import { eachSeed, seedsOf } from '../../../test/support/rounds.js';
import { TISSUES, type TissueComposition } from './tissues.js';
import { tissueComposition, tissueNumbers, type TissueClassMap } from './tissue-composition.js';

const CLASSES = ['background', 'slough', 'granulation', 'callus'];
const inThousandths = (composition: TissueComposition) =>
  TISSUES.reduce((sum, tissue) => sum + Math.round(composition[tissue] * 1000), 0);
const all = (length: number) => new Uint8Array(length).fill(1);

function composed(classMap: TissueClassMap, necrosisMask: Uint8Array, woundMask: Uint8Array) {
  return tissueComposition(tissueNumbers(classMap, necrosisMask, woundMask), classMap.classes);
}

describe('tissueComposition', () => {
  it('gives each pixel inside the number of its tissue, and none outside', () => {
    const indices = Uint8Array.from([0, 3, 1, 2, 1, 1]);
    const necrosis = Uint8Array.from([0, 0, 0, 0, 1, 1]);
    const inside = Uint8Array.from([1, 1, 1, 1, 1, 0]);
    expect([...tissueNumbers({ classes: CLASSES, indices }, necrosis, inside)]).toEqual([4, 4, 2, 1, 3, 0]);
  });

  it('says nothing of a wound without a pixel', () => {
    expect(composed({ classes: CLASSES, indices: new Uint8Array(4) }, new Uint8Array(4), new Uint8Array(4))).toBeNull();
  });

  it('counts callus and background inside the outline as other, and nothing outside it', () => {
    const indices = Uint8Array.from([0, 3, 1, 2, 1, 1]);
    const found = composed({ classes: CLASSES, indices }, new Uint8Array(6), Uint8Array.from([1, 1, 1, 1, 0, 0]));
    expect(found).toMatchObject({ granulation: 0.25, slough: 0.25, necrosis: 0, other: 0.5 });
  });

  it('names how each share was found', () => {
    const found = composed({ classes: CLASSES, indices: all(4) }, new Uint8Array(4), all(4));
    expect(found!.method).toEqual({
      granulation: 'model',
      slough: 'model',
      necrosis: 'cielab_rule',
      other: 'remainder',
    });
  });

  it('believes the colour rule before a model that knows no necrosis', () => {
    const found = composed({ classes: CLASSES, indices: all(4) }, Uint8Array.from([1, 1, 0, 0]), all(4));
    expect(found).toMatchObject({ slough: 0.5, necrosis: 0.5 });
  });

  it('believes a model that knows necrosis before the colour rule', () => {
    const found = composed(
      { classes: [...CLASSES, 'necrosis'], indices: Uint8Array.from([4, 1, 1, 1]) },
      all(4),
      all(4),
    );
    expect(found).toMatchObject({ slough: 0.75, necrosis: 0.25, method: { necrosis: 'model' } });
  });

  it('rounds each share by less than a thousandth, to the nearest where that adds up, and gives none to what is not there', () => {
    const indices = Uint8Array.from([2, 2, 2, 2, 1, 1, 0]);
    expect(composed({ classes: CLASSES, indices }, new Uint8Array(7), all(7))).toMatchObject({
      granulation: 0.571,
      slough: 0.286,
      necrosis: 0,
      other: 0.143,
    });
  });

  it('adds up to exactly one thousand thousandths, whatever the counts', () =>
    eachSeed('tissue-composition', seedsOf('tissue-composition', 300), (seed) => {
      const next = numbersFrom(seed);
      const length = 1 + Math.floor(next() * 700);
      const indices = Uint8Array.from({ length }, () => Math.floor(next() * 4));
      const necrosis = Uint8Array.from({ length }, () => (next() < 0.2 ? 1 : 0));
      expect(inThousandths(composed({ classes: CLASSES, indices }, necrosis, all(length))!)).toBe(1000);
    }));
});
