import type { SheetTile } from './contact-sheet.js';
import { WORST_COUNT, WorstCases } from './worst-cases.js';

const tileOf = (caption: string): SheetTile => ({
  photoFile: '',
  photo: { widthPx: 1, heightPx: 1 },
  panels: [],
  caption,
});

describe('WorstCases', () => {
  it('keeps the 24 worst, worst first, whatever their order was', () => {
    const worst = new WorstCases();
    for (let index = 0; index < 100; index += 1) {
      const score = ((index * 37) % 100) / 100;
      worst.offer(score, 0.1, () => tileOf(score.toFixed(2)));
    }
    expect(worst.tiles.map(({ caption }) => caption)).toEqual(
      Array.from({ length: WORST_COUNT }, (_, index) => (index / 100).toFixed(2)),
    );
  });

  it('puts the larger fault first among equals, and makes no tile that is not kept', () => {
    const worst = new WorstCases();
    worst.offer(0, 0.1, () => tileOf('small'));
    worst.offer(0, 0.3, () => tileOf('large'));
    expect(worst.tiles.map(({ caption }) => caption)).toEqual(['large', 'small']);
    for (let index = 0; index < WORST_COUNT; index += 1) worst.offer(0, 0.5, () => tileOf('larger'));
    const makeTile = jest.fn(() => tileOf('good'));
    worst.offer(0.9, 0.9, makeTile);
    expect(makeTile).not.toHaveBeenCalled();
  });
});
