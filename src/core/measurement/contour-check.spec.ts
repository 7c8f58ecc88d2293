import type { PixelPoint, PixelPolygon } from './wound-result.js';
import { processorMs } from '../../../test/support/processor-time.js';
import { contourFault, MAX_CONTOUR_POINTS, MAX_CONTOUR_RINGS } from './contour-check.js';
import { measureDrawn } from './measure-again.js';

const PHOTO = { widthPx: 640, heightPx: 480 };
const polygon = (points: readonly PixelPoint[]): PixelPolygon => ({
  type: 'Polygon',
  coordinates: [[...points, points[0]!]],
});
function star(points: number): PixelPolygon {
  return polygon(
    indices(points).map((index): PixelPoint => {
      const turn = (2 * Math.PI * index) / points;
      const radius = index % 2 === 0 ? 230 : 40;
      return [320 + radius * Math.cos(turn), 240 + radius * Math.sin(turn)];
    }),
  );
}
const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const SMALL = star(199);
/** Of a small contour, forty times: what the others are compared with. */
const unitMs = (): number =>
  processorMs(() => {
    for (let time = 0; time < 40; time += 1) measureDrawn(SMALL, null);
  });

/** Down in edges as long as the photo is wide, and back along its side. `slant`: of all of them, so that their boxes overlap. */
function zigzag(points: number, slant: number): PixelPolygon {
  const rows = points - 2;
  const turns = indices(rows).map((row): PixelPoint =>
    row % 2 === 0 ? [1, 1 + (row * (478 - slant)) / rows] : [639, 1 + slant + (row * (478 - slant)) / rows],
  );
  return polygon([...turns, [0, 479], [0, 0.5]]);
}

const squares = (count: number): PixelPolygon[] =>
  indices(count).map((index) => {
    const [x, y] = [(index % 40) * 16, Math.floor(index / 40) * 18];
    return polygon([
      [x, y],
      [x + 8, y],
      [x + 8, y + 8],
    ]);
  });

describe('a contour at the limit of points', () => {
  it.each([
    ['that goes to and fro', [zigzag(MAX_CONTOUR_POINTS - 1, 0)], null],
    ['that goes to and fro aslant', [zigzag(MAX_CONTOUR_POINTS - 1, 240)], null],
    [
      'that crosses itself at its end',
      [
        zigzag(MAX_CONTOUR_POINTS - 5, 240),
        polygon([
          [630, 470],
          [639, 470],
          [639, 479],
        ]),
      ],
      'rings must not cross themselves or each other',
    ],
    ['of as many pieces as there may be', squares(MAX_CONTOUR_RINGS), null],
    ['of spikes', [star(MAX_CONTOUR_POINTS - 1)], null],
  ])(
    '%s is judged and measured within fifty milliseconds of this processor, when it has nothing else to do',
    (_, polygons, fault) => {
      expect(contourFault(polygons, PHOTO)).toBe(fault);
      const took = processorMs(() => {
        contourFault(polygons, PHOTO);
        for (const one of polygons) measureDrawn(one, null);
      });
      // A unit takes some seven milliseconds of a processor that is not busy; a busy one stretches both.
      expect(took / unitMs()).toBeLessThan(7);
    },
  );
});

describe('a contour is refused', () => {
  it('that has more pieces, or more holes, than one wound', () => {
    const fault = `at most ${MAX_CONTOUR_RINGS} rings`;
    const pieces = squares(MAX_CONTOUR_RINGS + 1);
    expect(contourFault(pieces, PHOTO)).toBe(fault);
    const [outer] = zigzag(6, 0).coordinates;
    const holes = pieces.slice(1).map(({ coordinates }) => coordinates[0]!);
    expect(contourFault([{ type: 'Polygon', coordinates: [outer!, ...holes] }], PHOTO)).toBe(fault);
  });

  const square = polygon([
    [10, 10],
    [60, 10],
    [60, 60],
    [10, 60],
  ]);
  it.each([
    [
      'that touches itself with a corner',
      [
        polygon([
          [10, 10],
          [60, 10],
          [35, 10],
          [35, 40],
          [10, 40],
        ]),
      ],
      /cross/,
    ],
    [
      'whose pieces share an edge',
      [
        square,
        polygon([
          [60, 20],
          [90, 20],
          [90, 50],
          [60, 50],
        ]),
      ],
      /cross/,
    ],
    [
      'whose pieces meet in a corner',
      [
        square,
        polygon([
          [60, 60],
          [90, 60],
          [90, 90],
        ]),
      ],
      /cross/,
    ],
    [
      'whose pieces lie inside each other',
      [
        square,
        polygon([
          [20, 20],
          [30, 20],
          [30, 30],
        ]),
      ],
      /inside each other/,
    ],
    [
      'whose hole lies outside',
      [
        {
          ...square,
          coordinates: [
            square.coordinates[0]!,
            [
              [70, 70],
              [80, 70],
              [80, 80],
              [70, 70],
            ],
          ],
        } as PixelPolygon,
      ],
      /holes must lie inside/,
    ],
  ])('%s', (_, polygons, fault) => {
    expect(contourFault(polygons, PHOTO)).toMatch(fault);
  });

  it('not where pieces lie side by side, and holes within', () => {
    expect(
      contourFault(
        [
          {
            ...square,
            coordinates: [
              square.coordinates[0]!,
              [
                [20, 20],
                [30, 20],
                [30, 30],
                [20, 20],
              ],
            ],
          },
          polygon([
            [61, 10],
            [90, 10],
            [90, 60],
          ]),
        ],
        PHOTO,
      ),
    ).toBeNull();
  });
});
