import {
  barLimitsMm,
  CALIBRATION_CARDS,
  cardOfMarker,
  MARKER_CELLS,
  markerCorners,
} from '../../../core/calibration/calibration-card.js';
import { fitCard } from './card-fit.js';
import { fitLine, intersect } from './edge-line.js';
import { fitHomography, invert, multiply, project, stretchAt, type Point } from './homography.js';
import { loadOpenCv } from './opencv.js';

const CARDS = Object.values(CALIBRATION_CARDS);
const MARKERS = CARDS.flatMap((card) => card.markers.map((marker) => ({ card, marker })));

describe('the cards', () => {
  it.each(MARKERS)(
    'carry the codes that OpenCV’s dictionary has for their ids ($marker.id)',
    async ({ marker }) => {
      const { cv } = await loadOpenCv();
      const picture = new cv.Mat();
      cv.getPredefinedDictionary(cv.DICT_4X4_50).generateImageMarker(marker.id, MARKER_CELLS, picture, 1);
      const row = (at: number) =>
        [...picture.data.slice(at * MARKER_CELLS, (at + 1) * MARKER_CELLS)]
          .map((value) => (value > 127 ? '1' : '0'))
          .join('');
      expect(Array.from({ length: MARKER_CELLS }, (_, at) => row(at))).toEqual([
        '000000',
        ...marker.code.map((code) => `0${code}0`),
        '000000',
      ]);
      picture.delete();
    },
    60_000,
  );

  it('have ids of their own, so that one marker says which card it is and where on it', () => {
    expect(new Set(MARKERS.map(({ marker }) => marker.id)).size).toBe(4);
    for (const { card, marker } of MARKERS) expect(cardOfMarker(marker.id)).toEqual({ card, marker });
    expect(cardOfMarker(0)).toBeNull();
  });

  it('leave at least a cell of white around every marker', () => {
    for (const { card, marker } of MARKERS) {
      const cell = card.markerMm / MARKER_CELLS;
      const [x, y] = marker.corner;
      expect(
        Math.min(x, y, card.widthMm - x - card.markerMm, card.heightMm - y - card.markerMm),
      ).toBeGreaterThanOrEqual(cell);
    }
  });

  it('grow and shrink with the length of their check bar', () => {
    const card = CALIBRATION_CARDS.a4;
    expect(markerCorners(card, card.markers[1])).toEqual([
      [142, 8],
      [182, 8],
      [182, 48],
      [142, 48],
    ]);
    expect(markerCorners(card, card.markers[1], 95)[2]).toEqual([182 * 0.95, 48 * 0.95]);
    expect(barLimitsMm('a4')).toEqual({ least: 90, most: expect.closeTo(110, 9) });
    expect(barLimitsMm('credit_card')).toEqual({ least: 72, most: 88 });
  });
});

describe('a homography', () => {
  const MAP = [1.2, 0.3, 40, -0.2, 0.9, 25, 0.0007, -0.0004, 1] as const;
  const SQUARE: readonly Point[] = [
    [0, 0],
    [100, 0],
    [100, 100],
    [0, 100],
    [170, 30],
    [20, 160],
  ];

  it('is none through three points, or through points on one line', () => {
    const pairs = SQUARE.map((from) => ({ from, to: project(MAP, from) }));
    expect(fitHomography(pairs.slice(0, 3))).toBeNull();
    const line: readonly Point[] = [
      [0, 0],
      [10, 10],
      [20, 20],
      [30, 30],
    ];
    expect(fitHomography(line.map((from) => ({ from, to: project(MAP, from) })))).toBeNull();
    expect(fitHomography([0, 1, 2, 3].map(() => ({ from: [5, 5], to: [5, 5] })))).toBeNull();
    expect(invert([1, 2, 3, 2, 4, 6, 1, 1, 1])).toBeNull();
  });

  it.each([4, 6])('is found again from %i points, and undone by its inverse', (count) => {
    const fitted = fitHomography(SQUARE.slice(0, count).map((from) => ({ from, to: project(MAP, from) })))!;
    const place: Point = [63, 41];
    expect(project(fitted, place)[0]).toBeCloseTo(project(MAP, place)[0], 6);
    expect(project(invert(fitted)!, project(fitted, place))[1]).toBeCloseTo(41, 6);
  });

  it('stretches a place as much as its surroundings say', () => {
    const shear = [3, 0, 7, 0, 2, 9, 0, 0, 1] as const;
    expect(stretchAt(multiply(shear, [0, -1, 0, 1, 0, 0, 0, 0, 1]), [5, 5])).toEqual({
      most: expect.closeTo(3, 9),
      least: expect.closeTo(2, 9),
    });
    const [{ most, least }, step, [x, y]] = [stretchAt(MAP, [50, 50]), 1e-4, project(MAP, [50, 50])];
    const [right, down] = [project(MAP, [50 + step, 50]), project(MAP, [50, 50 + step])];
    const area = ((right[0] - x) * (down[1] - y) - (right[1] - y) * (down[0] - x)) / step ** 2;
    expect(most * least).toBeCloseTo(Math.abs(area), 3);
  });
});

describe('the fit of a card', () => {
  const CARD = CALIBRATION_CARDS.a4;
  const VIEW = [4, 0.2, 100, -0.1, 3.8, 80, 0.0004, 0.0006, 1] as const;
  /** All corners of a marker pushed outwards by so many pixels, along both edges. */
  const seen = (growthPx: number) =>
    CARD.markers.map((marker) => {
      const onCard = markerCorners(CARD, marker);
      const push = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const;
      const corners = onCard.map((corner, index): Point => {
        const [x, y] = project(VIEW, corner);
        return [x + growthPx * push[index]![0], y + growthPx * push[index]![1]];
      });
      return { onCard, corners: corners as unknown as readonly [Point, Point, Point, Point] };
    });

  it('leaves a lone marker as large as it looks', () => {
    const fit = fitCard(seen(1).slice(0, 1))!;
    expect(stretchAt(fit.fromMm, [28, 28]).most / stretchAt(VIEW, [28, 28]).most).toBeGreaterThan(1.01);
  });

  it('takes out what moves all edges of both markers alike', () => {
    const fit = fitCard(seen(1))!;
    for (const place of [
      [95, 42],
      [28, 28],
      [95, 140],
    ] as const) {
      expect(stretchAt(fit.fromMm, place).most / stretchAt(VIEW, place).most).toBeCloseTo(1, 2);
    }
    expect(fit.noisePx).toBeLessThan(0.3);
  });
});

describe('a line', () => {
  it('is none through too few points', () => {
    expect(
      fitLine(
        [
          [0, 0],
          [1, 1],
        ],
        3,
      ),
    ).toBeNull();
  });

  it('passes by points that stray', () => {
    const points = Array.from({ length: 20 }, (_, x): Point => [x, 2 * x + 1 + (x === 7 ? 6 : 0)]);
    const line = fitLine(points, 15)!;
    const meeting = intersect(
      line,
      fitLine(
        [
          [0, 11],
          [20, 11],
        ],
        2,
      )!,
    )!;
    expect(meeting[0]).toBeCloseTo(5, 6);
    expect(intersect(line, { ...line, offset: line.offset + 3 })).toBeNull();
  });
});
