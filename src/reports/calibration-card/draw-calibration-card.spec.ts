import { inflateSync } from 'node:zlib';
import { CALIBRATION_CARDS, CARD_SIZES, MARKER_CELLS, type CardSize } from '../../core/calibration/calibration-card.js';
import { drawCalibrationCard } from './draw-calibration-card.js';

const POINTS_PER_MM = 72 / 25.4;
const A4_WIDTH_MM = 210;

/** Text and drawing of every compressed stream of a file. */
function streamsOf(pdf: Uint8Array): string[] {
  const text = Buffer.from(pdf).toString('latin1');
  return [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, body]) => {
    try {
      return [inflateSync(Buffer.from(body!, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
}

/** Filled rectangles of a page, in millimetres of the card: place and size. */
function rectanglesOf(page: string): number[][] {
  return [...page.matchAll(/(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re/g)].map((found) =>
    found.slice(1, 5).map((points) => Math.round((Number(points) / POINTS_PER_MM) * 1000) / 1000),
  );
}

const pageOf = async (size: CardSize) =>
  streamsOf(await drawCalibrationCard([size])).find((stream) => / re\n/.test(stream))!;

describe('the calibration card as PDF', () => {
  it('is the same file every time, so that a copy can be told to be current', async () => {
    expect(Buffer.from(await drawCalibrationCard()).equals(Buffer.from(await drawCalibrationCard()))).toBe(true);
  });

  it('has one A4 page for each size, asks to be printed at 100 %, and brings its fonts', async () => {
    const text = Buffer.from(await drawCalibrationCard()).toString('latin1');
    expect(text.match(/\/Type \/Page\n/g)).toHaveLength(CARD_SIZES.length);
    expect(text).toContain('/MediaBox [0 0 595.28 841.89]');
    expect(text).toContain('/PrintScaling /None');
    expect(text.match(/\/FontFile2 /g)).toHaveLength(2);
    expect(text).not.toMatch(/\/BaseFont \/Helvetica/);
  });

  it.each(CARD_SIZES)(
    'draws markers and check bar of the %s card in their true size, where the search expects them',
    async (size) => {
      const card = CALIBRATION_CARDS[size];
      const rectangles = rectanglesOf(await pageOf(size));
      for (const { corner } of card.markers)
        expect(rectangles).toContainEqual([...corner, card.markerMm, card.markerMm]);
      expect(rectangles.filter(([, , width]) => width === card.barMm)).toHaveLength(1);
    },
  );

  it.each(CARD_SIZES)('leaves exactly the white cells of the %s card’s codes white', async (size) => {
    const card = CALIBRATION_CARDS[size];
    const page = await pageOf(size);
    const cell = card.markerMm / MARKER_CELLS;
    const white = rectanglesOf(page).filter(
      ([, , width, height]) =>
        [1, 2, 3, 4].some((run) => near(width!, run * cell)) && [1, 2, 3, 4].some((run) => near(height!, run * cell)),
    );
    for (const { corner, code } of card.markers) {
      const drawn = Array.from({ length: MARKER_CELLS }, (_, row) =>
        Array.from({ length: MARKER_CELLS }, (_, column) => {
          const [x, y] = [corner[0] + (column + 0.5) * cell, corner[1] + (row + 0.5) * cell];
          return white.some(
            ([left, top, width, height]) => x > left! && x < left! + width! && y > top! && y < top! + height!,
          )
            ? '1'
            : '0';
        }).join(''),
      );
      expect(drawn).toEqual(['000000', ...code.map((row) => `0${row}0`), '000000']);
    }
  });

  it('keeps the large card on the page', () => {
    expect(CALIBRATION_CARDS.a4.widthMm).toBeLessThanOrEqual(A4_WIDTH_MM - 2 * 5);
  });
});

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.01;
}
