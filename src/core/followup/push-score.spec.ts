import type { PushTissue } from '../tissue/tissues.js';
import { pushScore } from './push-score.js';

const areaOf = (lengthCm: number, widthCm: number) => pushScore({ lengthCm, widthCm }, null).area;

describe('pushScore', () => {
  it('knows nothing of a wound that no clinician described', () => {
    const nothing = { area: null, tissue: null, exudate: null, total: null, missing: ['area', 'tissue', 'exudate'] };
    expect(pushScore(null, null)).toEqual(nothing);
    expect(pushScore({ depthCm: 1, painNrs: 3 }, null)).toEqual(nothing);
  });

  it('needs both lengths for an area', () => {
    expect(pushScore({ lengthCm: 3, exudate: 'light' }, 'slough')).toMatchObject({
      area: null,
      total: null,
      missing: ['area'],
    });
    expect(pushScore({ widthCm: 3 }, null).area).toBeNull();
  });

  it('gives no total while a tissue is not confirmed', () => {
    expect(pushScore({ lengthCm: 2, widthCm: 1, exudate: 'moderate' }, null)).toEqual({
      area: 4,
      tissue: null,
      exudate: 2,
      total: null,
      missing: ['tissue'],
    });
  });

  it.each([
    [0, 5, 0],
    [0.5, 0.5, 1],
    [0.5, 0.58, 1],
    [0.5, 0.6, 2],
    [1, 0.6, 2],
    [1, 0.64, 2],
    [1, 0.7, 3],
    [1, 1, 3],
    [1.1, 1, 4],
    [2, 1, 4],
    [2.1, 1, 5],
    [3, 1, 5],
    [3.1, 1, 6],
    [2, 2, 6],
    [4.1, 1, 7],
    [4, 2, 7],
    [8.1, 1, 8],
    [4, 3, 8],
    [12.1, 1, 9],
    [6, 4, 9],
    [24.1, 1, 10],
    [30, 20, 10],
  ])('scores %d × %d cm as %d', (lengthCm, widthCm, score) => {
    expect(areaOf(lengthCm, widthCm)).toBe(score);
  });

  it.each([
    ['none', 0],
    ['light', 1],
    ['moderate', 2],
    ['heavy', 3],
  ] as const)('scores %s exudate as %d', (exudate, score) => {
    expect(pushScore({ exudate }, null).exudate).toBe(score);
  });

  it.each([
    ['closed', 0],
    ['epithelial', 1],
    ['granulation', 2],
    ['slough', 3],
    ['necrotic', 4],
  ] as const)('scores confirmed %s tissue as %d', (tissue, score) => {
    expect(pushScore(null, tissue as PushTissue).tissue).toBe(score);
  });

  it('adds up to 17 at most', () => {
    expect(pushScore({ lengthCm: 9, widthCm: 9, exudate: 'heavy' }, 'necrotic')).toEqual({
      area: 10,
      tissue: 4,
      exudate: 3,
      total: 17,
      missing: [],
    });
    expect(pushScore({ lengthCm: 0, widthCm: 0, exudate: 'none' }, 'closed').total).toBe(0);
  });
});
