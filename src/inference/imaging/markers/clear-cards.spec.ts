import type { PixelPoint } from '../../../core/measurement/wound-result.js';
import type { ProbabilityMap } from '../../../core/measurement/probability-map.js';
import { clearCards } from './clear-cards.js';

const PHOTO = { widthPx: 40, heightPx: 20 };
const all = (content: ProbabilityMap['content']): ProbabilityMap => ({
  width: 10,
  height: 10,
  values: new Float32Array(100).fill(1),
  content,
});
const cleared = ({ values, width }: ProbabilityMap) =>
  [...values].flatMap((value, at) => (value === 0 ? [`${at % width},${Math.floor(at / width)}`] : []));
const rectangle = (x: number, y: number, width: number, height: number): PixelPoint[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

describe('a map without the cards', () => {
  it('is as it was where there is no card, or only one outside of what it shows', () => {
    const map = all({ x: 0, y: 2.5, width: 10, height: 5 });
    clearCards(map, PHOTO, []);
    clearCards(map, PHOTO, [rectangle(-60, 0, 40, 20), rectangle(0, 45, 40, 20)]);
    expect(cleared(map)).toEqual([]);
  });

  it('has no wound where the card lies, and everything else where it was', () => {
    const map = all({ x: 0, y: 2.5, width: 10, height: 5 });
    clearCards(map, PHOTO, [rectangle(8, 6, 8, 8)]);
    expect(cleared(map)).toEqual(['2,4', '3,4', '2,5', '3,5']);
  });

  it('is cleared along a slanted edge by the centres of its pixels', () => {
    const map = all({ x: 0, y: 0, width: 10, height: 10 });
    clearCards(map, { widthPx: 10, heightPx: 10 }, [
      [
        [0, 0],
        [4.2, 0],
        [0, 4.2],
      ],
    ]);
    expect(cleared(map)).toEqual(['0,0', '1,0', '2,0', '3,0', '0,1', '1,1', '2,1', '0,2', '1,2', '0,3']);
  });

  it('is cleared in a crop too, where the photo reaches beyond the map', () => {
    const map = all({ x: -10, y: 0, width: 20, height: 10 });
    clearCards(map, PHOTO, [rectangle(0, 0, 24, 4)]);
    expect(cleared(map)).toEqual(['0,0', '1,0', '0,1', '1,1']);
  });
});
